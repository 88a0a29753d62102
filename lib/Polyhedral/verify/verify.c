/* verify.c - hold a plan against its SCoP by executing both in small.
 *
 * Parameters are chosen so that there are whole and cut tiles, several blocks,
 * and nothing at all.  What a run costs is counted in steps, not by the clock,
 * so that the same is looked at everywhere.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "map/mapping.h"
#include "polygpu/polyhedral.h"
#include "support/phase.h"
#include "support/text.h"
#include "verify/moves.h"
#include "verify/range.h"
#include "verify/run.h"

#include <isl/space.h>
#include <isl/val.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    OPERATIONS = 1000000, /* to translate a plan */
    MAX_WISHES = 40,
    MAX_PARAMS = 16,
    SMALL = 5,
    KEPT = 5, /* one of so many steps is for blocks with several tiles */
    MUCH_ROOM = 1 << 17, /* for a few blocks */
    ROOM = 1 << 15       /* for those with few iterations in most loops */
};

/* About 50 ms on a processor of 2020. */
static const long all_work = 2000000;

/* More for the first size alone, for each kernel with buffers from the third
 * on: a tile of them costs hardly less however small the sizes are.
 */
static const long work_of_buffers = 1000000;

/* And for it where nothing would be looked at otherwise: each of the 256
 * threads of a tile of 128 x 128 took 6,500 steps with two boxes in shared
 * memory, and 9,600 with four.
 */
static const long work_lent = 1500000;

/* Steps that an instance takes, roughly: of the domain, in the original order,
 * and in its kernel; and a thread.
 */
static const long long steps_of_instance = 25, steps_of_thread = 25;

/* What one SCoP's verification knows. */
struct verifying {
    const struct pg_plan *plan;
    struct runner *runner;
    struct moves *moves;    /* if all sizes are large, else NULL */
    struct points *context; /* { [parameters] } */
    long long tile;         /* the largest one */
    long long beyond;       /* iterations with more tiles than any grid; */
                            /* 0: in all of them each tile has a block */
    long work;
    long long steps_of_thread; /* as runs have shown */
    unsigned n_wish;
    struct wish {
        long long values[MAX_PARAMS];
    } wishes[MAX_WISHES];
    unsigned n_seen;
    struct wish seen[MAX_WISHES];
    struct pg_coverage *coverage;
    struct pg_fault fault;
};

/* Wish for parameters of "others", but "at" (-1: none) of "one". */
static void wish(struct verifying *v, long long others, int at, long long one)
{
    struct wish *w = &v->wishes[v->n_wish];

    if (v->n_wish == MAX_WISHES)
        return;
    v->n_wish++;
    for (unsigned p = 0; p < v->plan->scop->n_param; p++)
        w->values[p] = (int)p == at     ? one
                       : others > SMALL ? others - p % 3
                       : others         ? others + p % 3
                                        : 0;
}

/* Sizes of a few iterations, of more than one and two tiles in one direction or
 * in all, and of none; the cheaper ones first.
 */
static void make_wishes(struct verifying *v)
{
    int n = (int)v->plan->scop->n_param;

    wish(v, SMALL, -1, 0);
    wish(v, 0, -1, 0);
    wish(v, 2 * SMALL, -1, 0);
    for (int p = 0; p < n; p++)
        wish(v, SMALL, p, v->tile + 3);
    wish(v, 3 * SMALL, -1, 0);
    for (int p = 0; p < n; p++)
        wish(v, SMALL, p, 2 * v->tile + 5);
    wish(v, 35, -1, 0);
    for (int p = 0; n > 2 && p < n; p++)
        wish(v, v->tile + 5, p, SMALL);
    for (int p = 0; n > 2 && p < n; p++)
        wish(v, v->tile + 5, p, 35);
    wish(v, v->tile + 5, -1, 0);
    wish(v, 2 * v->tile + 5, -1, 0);
}

/* All parameters up to 2^PG_TRIED_BITS, far above every limit of a plan. */
static __isl_give isl_set *box(const struct pg_scop *scop)
{
    isl_val *large = isl_val_int_from_si(scop->ctx, 1L << PG_TRIED_BITS);
    isl_set *set = isl_set_universe(isl_set_get_space(scop->context));

    for (unsigned p = 0; p < scop->n_param; p++) {
        set =
            isl_set_upper_bound_val(set, isl_dim_param, p, isl_val_copy(large));
        set = isl_set_lower_bound_val(set, isl_dim_param, p,
                                      isl_val_neg(isl_val_copy(large)));
    }
    isl_val_free(large);
    return set;
}

/* The parameters for which the plan may run.  What is in overlapping tiles
 * knows less of them than what it was made of.
 */
static __isl_give isl_set *context_of(const struct pg_scop *scop)
{
    isl_set *set = isl_set_copy(scop->context);

    if (scop->instead)
        set = isl_set_intersect(set, isl_set_copy(scop->instead->context));
    return set;
}

/* The context as points of its parameters, none of them larger than is tried:
 * the bounds of 64-bit types are numbers too large for points.
 */
static void take_context(struct verifying *v)
{
    isl_set *set = isl_set_gist(context_of(v->plan->scop), box(v->plan->scop));
    isl_space *none = isl_space_params_alloc(v->plan->scop->ctx, 0);

    set = isl_set_from_params(isl_set_intersect(set, box(v->plan->scop)));
    set = isl_set_move_dims(set, isl_dim_set, 0, isl_dim_param, 0,
                            v->plan->scop->n_param);
    v->context = pg_points_take(set, none, &v->fault);
    isl_space_free(none);
}

static void find_tile(struct verifying *v)
{
    v->tile = 1;
    for (unsigned k = 0; k < v->plan->n_kernel; k++) {
        const struct pg_mapping *mapping = v->plan->kernels[k].mapping;

        for (unsigned d = 0; d < mapping->n_grid; d++) {
            long long tile = mapping->tiling.tile[d];
            long long grid = mapping->tiling.grid[d];
            long long all = (grid + 1) * tile + 3;

            v->tile = tile > v->tile ? tile : v->tile;
            if (grid < PG_GRID_ALL && all > v->beyond)
                v->beyond = all;
        }
    }
}

/* Have these values been tried?  If not, they are from now on. */
static bool is_seen(struct verifying *v, const long long *values)
{
    size_t size = v->plan->scop->n_param * sizeof(*values);

    for (unsigned i = 0; i < v->n_seen; i++)
        if (!memcmp(v->seen[i].values, values, size))
            return true;
    memcpy(v->seen[v->n_seen++].values, values, size);
    return false;
}

/* Run with "values"; false if nothing was. */
static bool run_with(struct verifying *v, const long long *values,
                     const struct run_options *options, long *work,
                     struct run_result *result)
{
    struct pg_fault fault = {0};
    bool any;

    pg_runner_run(v->runner, values, options, work, result, &fault);
    any = !fault.cannot && (!options->few || result->blocks_run > 0);
    result->passed_over += fault.cannot;
    if (fault.sentence && !fault.cannot) {
        struct pg_text text = {0};

        for (unsigned p = 0; p < v->plan->scop->n_param; p++)
            pg_text_add(&text, "%s%s = %lld", p ? ", " : " for ",
                        v->plan->scop->params[p].name, values[p]);
        pg_wrong(&v->fault, "%s%s", fault.sentence, text.data ? text.data : "");
        free(text.data);
        any = false;
    }
    free(fault.sentence);
    return any;
}

/* Note what runs with the same parameters have covered. */
static void note(struct verifying *v, bool sampled,
                 const struct run_result *result)
{
    struct pg_coverage *c = v->coverage;

    c->complete += !sampled;
    c->sampled += sampled;
    c->several += result->several > 0;
    c->instances += result->instances;
    c->blocks += result->blocks;
    c->blocks_run += result->blocks_run;
    for (unsigned k = 0; k < v->plan->n_kernel && k < 32; k++)
        c->kernels_seen |= result->kernels_seen & 1u << k;
}

/* Run with "values", for which so many steps are "expected". */
static void try_way(struct verifying *v, const long long *values, bool sampled,
                    bool chained, long long expected, long long threads)
{
    const struct run_options options = {
        .order = 1, .sampled = sampled, .chained = chained};
    /* What turns out too large leaves something for others. */
    long long most = expected + v->work / (v->coverage->instances ? 3 : 1);
    long before = most < v->work ? (long)most : v->work, work = before;
    struct run_result result;
    bool any = run_with(v, values, &options, &work, &result);

    if (any)
        note(v, sampled, &result);
    v->work -= before - work;
    if (!any)
        v->steps_of_thread *= 2;
    else if (threads > 0)
        v->steps_of_thread += (before - work - expected) / threads;
    if (v->steps_of_thread < steps_of_thread)
        v->steps_of_thread = steps_of_thread;
}

/* The same for both ways of the host. */
static void try_values(struct verifying *v, const long long *values,
                       bool sampled, long long expected, long long threads)
{
    try_way(v, values, sampled, false, expected, threads);
    if (v->plan->chained && !v->fault.sentence && expected < v->work)
        try_way(v, values, sampled, true, expected, threads);
}

/* Run as few blocks and iterations as there are steps for.  If these do not
 * suffice for a block, then few points of tiles in several steps of long loops,
 * with the barriers between these; and if there is no smaller block, many
 * points in one step.
 */
static bool try_few_of(struct verifying *v, const long long *values,
                       size_t room, bool chained)
{
    static const enum run_look looks[] = {LOOK_MORE_STEPS, LOOK_ALL_POINTS,
                                          LOOK_ONE_STEP};
    struct run_result all = {0};
    bool any = false;

    for (unsigned i = 0; i < 3 && !v->fault.sentence && v->work > 0; i++) {
        struct run_options options = {.order = 1,
                                      .sampled = true,
                                      .chained = chained,
                                      .few = true,
                                      .look = looks[i],
                                      .others = any,
                                      .room = room};
        long kept = options.look == LOOK_MORE_STEPS ? v->work / 2 : 0;
        struct run_result result;

        v->work -= kept;
        if (run_with(v, values, &options, &v->work, &result)) {
            all.blocks = result.blocks;
            /* Mostly the same ones. */
            if (result.blocks_run > all.blocks_run)
                all.blocks_run = result.blocks_run;
            all.instances += result.instances;
            all.several += result.several;
            all.kernels_seen |= result.kernels_seen;
            any = true;
        }
        v->work += kept;
        if (options.look == LOOK_ALL_POINTS &&
            (result.blocks_run || !result.passed_over))
            break;
    }
    if (any)
        note(v, true, &all);
    return any;
}

/* The same for both ways of the host. */
static bool try_few(struct verifying *v, const long long *values, size_t room)
{
    long kept = v->plan->chained ? v->work / 2 : 0;
    bool any;

    v->work -= kept;
    any = try_few_of(v, values, room, false);
    v->work += kept;
    if (v->plan->chained && !v->fault.sentence)
        any |= try_few_of(v, values, room, true);
    return any;
}

/* Run with what is next to wish number "i" in the context, as much of it as
 * there are steps for.
 */
static void fulfil(struct verifying *v, unsigned i)
{
    long long values[MAX_PARAMS];
    long long n, threads, expected;

    if (!pg_points_near(v->context, v->wishes[i].values, values) ||
        is_seen(v, values))
        return;
    n = pg_runner_most(v->runner, values);
    threads = n > v->work ? 0 : pg_runner_threads(v->runner, values, &v->work);
    expected = n > v->work || threads > v->work / 8
                   ? LLONG_MAX
                   : steps_of_instance * n + v->steps_of_thread * threads;
    if (expected < v->work)
        try_values(v, values, false, expected, threads);
    else if (expected != LLONG_MAX && 4 * n < v->work)
        try_values(v, values, true, expected / 4, threads);
    else
        v->coverage->too_large++;
}

/* Have all kernels been run? */
static bool is_all_seen(const struct verifying *v)
{
    unsigned n = v->plan->n_kernel;

    return v->coverage->kernels_seen == (n < 32 ? (1u << n) - 1 : ~0u);
}

/* Is the smallest that is wished for too large? */
static bool is_large(const struct verifying *v)
{
    long long values[MAX_PARAMS];

    return pg_points_near(v->context, v->wishes[0].values, values) &&
           pg_runner_most(v->runner, values) > v->work / steps_of_instance;
}

/* Copies that are too large to be executed: those of some elements. */
static void look_at_moves(struct verifying *v, const long long *values)
{
    long work = v->work / 8;
    struct pg_fault fault = {0};

    if (!v->moves)
        return;
    v->work -= work;
    v->coverage->elements += pg_moves_check(v->moves, values, &work, &fault);
    v->work += work;
    if (fault.sentence && !fault.cannot)
        pg_wrong(&v->fault, "%s", fault.sentence);
    free(fault.sentence);
}

/* What is too large for the wishes, as of constant sizes: a part of it. */
static void look_at_large(struct verifying *v)
{
    for (unsigned i = 0; i < v->n_wish && !v->fault.sentence; i++) {
        long long values[MAX_PARAMS];

        if (is_all_seen(v) || v->work <= 0 || !v->coverage->too_large)
            return;
        if (!pg_points_near(v->context, v->wishes[i].values, values) ||
            pg_runner_most(v->runner, values) == 0)
            continue;
        if (i == 0)
            look_at_moves(v, values);
        if (!v->fault.sentence && try_few(v, values, MUCH_ROOM))
            v->coverage->too_large--;
        if (v->plan->scop->n_param == 0)
            return;
    }
}

/* More tiles than the grid may have blocks, so that some blocks have a second
 * one: in each direction, with a few iterations in the others.
 */
static void look_at_second_tiles(struct verifying *v)
{
    int n = (int)v->plan->scop->n_param;

    for (int p = 0; v->beyond && p < n && v->n_wish < MAX_WISHES; p++) {
        long long values[MAX_PARAMS];
        bool in;

        wish(v, SMALL, p, v->beyond);
        in = pg_points_near(v->context, v->wishes[v->n_wish - 1].values,
                            values) &&
             values[p] <= v->plan->param_limit;
        if (in && !v->fault.sentence && v->work > 0 && !is_seen(v, values))
            (void)try_few(v, values, ROOM);
    }
}

/* The indices at the largest sizes that the plan admits: all parameters large,
 * and each alone.  The arithmetic of the host is only bounded by its own limit,
 * which is no lower.
 */
static void check_ranges(struct verifying *v)
{
    int n = (int)v->plan->scop->n_param;
    long long most = v->plan->param_limit;

    for (int p = -1; p < n && !v->fault.sentence; p++) {
        long work = v->work / 4;
        long long values[MAX_PARAMS], wish[MAX_PARAMS];
        struct pg_fault fault = {0};
        bool in = true;

        for (int i = 0; i < n; i++)
            wish[i] = p < 0 || i == p ? most : SMALL;
        in = pg_points_near(v->context, wish, values);
        for (int i = 0; i < n; i++)
            in &= values[i] <= most && values[i] >= -most;
        if (!in)
            continue;
        v->work -= work;
        pg_range_check(v->plan, values, &work, &fault);
        v->work += work;
        if (fault.sentence && !fault.cannot)
            pg_wrong(&v->fault, "%s at the largest sizes", fault.sentence);
        else if (!fault.sentence)
            v->coverage->ranges++;
        free(fault.sentence);
    }
}

static long kernels_with_buffers(const struct verifying *v)
{
    long n = 0;

    for (unsigned k = 0; k < v->plan->n_kernel; k++)
        n += v->plan->kernels[k].mapping->n_buffer > 0;
    return n;
}

/* Run with the first wish; what it leaves of its own steps is not for others.
 */
static void fulfil_first(struct verifying *v)
{
    long usual = v->work, n = kernels_with_buffers(v);
    long own = n > 2 ? (n - 2) * work_of_buffers : 0;
    long lent = n > 0 ? work_lent : 0;

    v->work += own + lent;
    fulfil(v, 0);
    v->work -= lent;
    if (v->work > usual)
        v->work = usual;
    if (v->work < 0)
        v->work = 0;
}

/* Run with all wishes.  Barriers between the tiles of a block have no effect
 * then, as no block has two: for these some steps are kept.
 */
static void fulfil_all(struct verifying *v)
{
    unsigned n = v->n_wish;
    bool has_barrier = false;
    long kept;

    for (unsigned k = 0; v->beyond && k < v->plan->n_kernel; k++)
        has_barrier |= v->plan->kernels[k].has_barrier;
    kept = has_barrier && v->plan->scop->n_param ? all_work / KEPT : 0;
    v->work -= kept;
    if (n && !v->fault.sentence)
        fulfil_first(v);
    for (unsigned i = 1; i < n && !v->fault.sentence; i++)
        fulfil(v, i);
    v->work += kept;
}

/* Who accesses an element, if no copy can be executed as a whole. */
static void take_moves(struct verifying *v)
{
    struct pg_fault fault = {0};

    if (is_large(v))
        v->moves = pg_moves_take(v->runner, &fault);
    free(fault.sentence);
}

static void count_kernels(struct verifying *v)
{
    struct pg_coverage *c = v->coverage;

    c->n_kernel = v->plan->n_kernel;
    for (unsigned k = 0; k < 32; k++)
        c->n_kernel_run += c->kernels_seen >> k & 1;
    c->steps = (unsigned long)(all_work - v->work);
}

isl_stat pg_verify(const struct pg_plan *plan, const struct pg_scop *source,
                   struct pg_coverage *coverage, struct pg_report *report)
{
    struct verifying v = {.plan = plan,
                          .work = all_work,
                          .steps_of_thread = 2 * steps_of_thread,
                          .coverage = coverage};
    struct pg_options options;
    struct pg_phase phase;

    memset(coverage, 0, sizeof(*coverage));
    pg_options_default(&options);
    options.max_operations = OPERATIONS;
    pg_phase_begin(&phase, plan->scop->ctx, "verification", &options, report);
    if (plan->scop->n_param > MAX_PARAMS)
        pg_cannot(&v.fault, "there are too many parameters");
    else
        take_context(&v);
    if (!v.fault.sentence)
        v.runner = pg_runner_alloc(plan, source, &v.fault);
    if (!v.fault.sentence) {
        find_tile(&v);
        make_wishes(&v);
        take_moves(&v);
    }
    pg_phase_forget(&phase);
    if (!v.fault.sentence)
        check_ranges(&v);
    fulfil_all(&v);
    if (!v.fault.sentence)
        look_at_large(&v);
    if (!v.fault.sentence)
        look_at_second_tiles(&v);
    count_kernels(&v);
    if (v.fault.cannot)
        snprintf(coverage->cannot, sizeof(coverage->cannot), "%s",
                 v.fault.sentence);
    pg_moves_free(v.moves);
    pg_runner_free(v.runner);
    pg_points_free(v.context);
    if (v.fault.sentence && !v.fault.cannot)
        pg_phase_fail(&phase, PG_WRONG, NULL,
                      "the kernels that were made for these loops would not do "
                      "what the loops do (%s); this is an error of PolyGPU, "
                      "please report it with the source",
                      v.fault.sentence);
    free(v.fault.sentence);
    return pg_phase_end(&phase, isl_stat_ok);
}
