/* few.c - of a launch that is too large to be run a few blocks, and of their
 * long loops a few iterations, see interpreter.h.
 *
 * What a block has to run follows from its tiles alone: the instances of these
 * are counted without the kernel's code.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "map/mapping.h"
#include "polygpu/polyhedral.h"
#include "support/text.h"
#include "verify/interpreter.h"

#include <isl/space.h>
#include <isl/val.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    MOST_TILES = 4, /* of a block, by dimension */
    WIDE = 48,      /* more values of an argument are looked at in part */
    MULTIPLE = 16,  /* where a step of a product begins */
    CORNER = 64,    /* instances that are looked at there */
    STEPS_OF_INSTANCE = 35,
    STEPS_OF_ELEMENT = 4, /* of shared memory */
    STEPS_OF_REGISTER = 20,
    STEPS_OF_THREAD = 50
};

/* How many values of an argument are looked at: so many at first, and so many
 * in the middle and at the end.
 */
struct width {
    long long first, others;
};

/* What is looked at of loops that are not of the tile, and of the points of a
 * tile (none: all), the most first: 12 values at first are two steps of a
 * product.
 */
struct choice {
    struct width loop, points;
};
static const struct choice all_points[] = {{{12, 4}, {0, 0}}, {{1, 1}, {0, 0}}},
                           more_steps[] = {{{12, 4}, {4, 1}}},
                           one_step[] = {{{1, 0}, {0, 0}},
                                         {{1, 0}, {16, 4}},
                                         {{1, 0}, {4, 1}}};
static const struct {
    const struct choice *choices;
    unsigned n;
} looks[] = {
    [LOOK_ALL_POINTS] = {all_points, sizeof(all_points) / sizeof(*all_points)},
    [LOOK_MORE_STEPS] = {more_steps, sizeof(more_steps) / sizeof(*more_steps)},
    [LOOK_ONE_STEP] = {one_step, sizeof(one_step) / sizeof(*one_step)}};

_Static_assert(MAX_ARGS <= MAX_WINDOW_ARGS, "arguments without windows");

/* A block, and the values of names for each of its tiles. */
struct looking {
    struct machine *m;
    long long values[MAX_NAMES + 3]; /* parameters, host loops, a tile */
    unsigned n_value;                /* without the tile */
    unsigned n_dim;                  /* of the grid */
    unsigned n_tile[3];
    long long tiles[3][MOST_TILES];
    struct windows windows;
    bool any_long; /* of an argument in a loop that is not of the tile */
    unsigned long n, most; /* instances */
    unsigned stmt;
};

static long long floor_div(long long a, long long b)
{
    return a / b - (a % b < 0);
}

/* Which tiles there are, by dimension of the grid. */
static bool tile_range(const struct looking *k, long long *low, long long *high)
{
    const struct prepared *p = k->m->launch->prepared;
    bool any = false;

    for (unsigned s = 0; s < k->m->scop->n_stmt; s++) {
        long long from[MAX_ARGS], to[MAX_ARGS], least[3], most[3];

        if (!p->domain[s])
            continue;
        if (!p->tiles || !p->tiles[s] ||
            !pg_points_box(p->domain[s], k->values, from, to))
            return false;
        if (k->m->state->model->stmts[s].n_arg && from[0] > to[0])
            continue;
        if (k->n_dim)
            pg_function_range(p->members[s], k->values, from, to, least, most);
        for (unsigned d = 0; d < k->n_dim; d++) {
            long long l = floor_div(least[d], p->tile[d]);
            long long h = floor_div(most[d], p->tile[d]);

            low[d] = any && low[d] < l ? low[d] : l;
            high[d] = any && high[d] > h ? high[d] : h;
        }
        any = true;
    }
    return any;
}

/* The tiles of a block: those whose numbers are that of the block, modulo what
 * the grid has at most.
 */
static bool find_tiles(struct looking *k, long long block)
{
    const struct launching *l = k->m->launch;
    long long low[3], high[3];

    if (!tile_range(k, low, high))
        return false;
    for (unsigned d = 0; d < k->n_dim; d++) {
        long long size = l->prepared->grid[d];
        long long at =
            low[d] + ((block % l->grid[d] - low[d]) % size + size) % size;

        block /= l->grid[d];
        k->n_tile[d] = 0;
        for (; at <= high[d]; at += size) {
            if (k->n_tile[d] == MOST_TILES)
                return false;
            k->tiles[d][k->n_tile[d]++] = at;
        }
    }
    return true;
}

/* Set the values to those of tile number "i" of the block; false behind the
 * last one.
 */
static bool set_tile(struct looking *k, unsigned i)
{
    for (unsigned d = 0; d < k->n_dim; d++) {
        if (k->n_tile[d] == 0)
            return false;
        k->values[k->n_value + d] = k->tiles[d][i % k->n_tile[d]];
        i /= k->n_tile[d];
    }
    return i == 0;
}

static void set_window(struct window *w, long long low, long long high,
                       const struct width *width)
{
    long long first = width->first, others = width->others;
    long long middle = low + (high - low) / 2 / MULTIPLE * MULTIPLE;

    if (middle < low + first)
        middle = low + first;
    w->n = others ? MAX_WINDOWS : 1;
    w->low[0] = low;
    w->high[0] = low + first - 1;
    w->low[1] = middle;
    w->high[1] = middle + others - 1;
    w->low[2] = high - others + 1;
    w->high[2] = high;
}

/* The values that the arguments of statement "s" have in a tile: more than any
 * tile is wide has an argument only in loops that are not of the tile.
 */
struct values {
    bool any;
    long long low[MAX_ARGS], high[MAX_ARGS], width[MAX_ARGS];
};

static bool add_values(const struct looking *k, unsigned s, struct values *v)
{
    const struct points *tile = k->m->launch->prepared->tiles[s];
    unsigned n = k->m->state->model->stmts[s].n_arg;
    long long low[MAX_ARGS], high[MAX_ARGS];

    if (!pg_points_box(tile, k->values, low, high))
        return false;
    if (n == 0 || low[0] > high[0])
        return true;
    for (unsigned d = 0; d < n; d++) {
        long long width = high[d] - low[d] + 1;

        v->low[d] = v->any && v->low[d] < low[d] ? v->low[d] : low[d];
        v->high[d] = v->any && v->high[d] > high[d] ? v->high[d] : high[d];
        v->width[d] = v->any && v->width[d] > width ? v->width[d] : width;
    }
    v->any = true;
    return true;
}

/* Which values of arguments are looked at in the block. */
static bool set_windows(struct looking *k, const struct choice *choice)
{
    const struct prepared *p = k->m->launch->prepared;
    long long wide = WIDE;
    long long few = choice->points.first + 2 * choice->points.others;

    k->windows.only = choice->points.first != 0;
    k->any_long = false;
    for (unsigned d = 0; d < k->n_dim; d++)
        wide = p->tile[d] > wide ? p->tile[d] : wide;
    for (unsigned s = 0; s < k->m->scop->n_stmt; s++) {
        struct values v = {.any = false};

        for (unsigned i = 0; p->domain[s] && set_tile(k, i); i++)
            if (!add_values(k, s, &v))
                return false;
        for (unsigned d = 0; d < k->m->state->model->stmts[s].n_arg; d++) {
            struct window *w = &k->windows.stmts[s][d];

            memset(w, 0, sizeof(*w));
            k->any_long |= v.any && v.width[d] > wide;
            if (v.any && v.width[d] > wide)
                set_window(w, v.low[d], v.high[d], &choice->loop);
            else if (v.any && k->windows.only && v.width[d] > few)
                set_window(w, v.low[d], v.high[d], &choice->points);
        }
    }
    return true;
}

static bool add_one(const long long *x, void *user)
{
    struct looking *k = user;

    (void)x;
    return ++k->n <= k->most;
}

/* Count the instances of statement "s" in a tile, in one window of each
 * argument from "d" on.
 */
static bool count_windows(struct looking *k, unsigned s, unsigned d,
                          long long *low, long long *high)
{
    const struct window *w = &k->windows.stmts[s][d];

    if (d == k->m->state->model->stmts[s].n_arg)
        return pg_points_scan(k->m->launch->prepared->tiles[s], k->values, low,
                              high, k->m->work, &add_one, k);
    if (w->n == 0)
        return count_windows(k, s, d + 1, low, high);
    for (unsigned i = 0; i < w->n; i++) {
        low[d] = w->low[i];
        high[d] = w->high[i];
        if (!count_windows(k, s, d + 1, low, high))
            return false;
    }
    return true;
}

/* Count what is wanted of the block; false if that is too much. */
static bool count_wanted(struct looking *k)
{
    const struct prepared *p = k->m->launch->prepared;

    k->n = 0;
    for (unsigned s = 0; s < k->m->scop->n_stmt; s++)
        for (unsigned i = 0; p->domain[s] && set_tile(k, i); i++) {
            long long low[MAX_ARGS], high[MAX_ARGS];

            if (!pg_points_box(p->tiles[s], k->values, low, high))
                return false;
            if (k->m->state->model->stmts[s].n_arg && low[0] > high[0])
                continue;
            if (!count_windows(k, s, 0, low, high))
                return false;
        }
    return true;
}

/* How many values of an argument are looked at, where it is in no windows "all"
 * at most.
 */
static unsigned long values_of(const struct window *w, unsigned long all)
{
    unsigned long sum = 0;

    for (unsigned i = 0; i < w->n; i++)
        sum += (unsigned long)(w->high[i] - w->low[i] + 1);
    return w->n ? sum : all;
}

/* How many instances that is with those beyond domains, which a kernel may run
 * where a tile is cut.
 */
static unsigned long with_beyond(const struct looking *k)
{
    const struct launching *l = k->m->launch;
    unsigned long all = 0;

    for (unsigned s = 0; s < k->m->scop->n_stmt; s++) {
        unsigned long n = k->m->scop->stmts[s].total, wide = 1;

        for (unsigned d = 0; d < k->n_dim; d++) {
            unsigned long here =
                (unsigned long)(l->prepared->tile[d] * k->n_tile[d]);

            if (!k->windows.only)
                n *= here;
            else if (here > wide)
                wide = here;
        }
        for (unsigned d = 0; d < k->m->state->model->stmts[s].n_arg; d++)
            n *= values_of(&k->windows.stmts[s][d], wide);
        all += l->prepared->domain[s] ? n : 0;
    }
    return l->kernel->mapping->n_buffer && all > k->n ? all : k->n;
}

/* Steps for what is not done by instances: a block fills its buffers for each
 * tile and step of the loops around, and empties its registers.
 */
static long long steps_of_buffers(const struct looking *k,
                                  const struct choice *choice,
                                  long long threads)
{
    const struct pg_mapping *mapping = k->m->launch->kernel->mapping;
    long long times = k->any_long && choice->loop.others ? 2 * MAX_WINDOWS : 1;
    long long all = 0;

    for (unsigned d = 0; d < k->n_dim; d++)
        times *= k->n_tile[d];
    for (unsigned b = 0; b < mapping->n_buffer; b++) {
        const struct pg_buffer *buffer = &mapping->buffers[b];
        bool shared = buffer->kind == PG_BUFFER_SHARED;
        long long n =
            shared ? STEPS_OF_ELEMENT * times : STEPS_OF_REGISTER * threads;

        for (unsigned d = 0; d < buffer->n_dim; d++)
            n *= buffer->extent[d];
        all += n;
    }
    return all;
}

/* Is there a choice of iterations for which there are steps? */
static bool choose(struct looking *k, enum run_look look, long long threads)
{
    size_t room = k->m->options->room, used = k->m->n_run;

    room -= used < room ? used : room;
    for (unsigned i = 0; i < looks[look].n; i++) {
        const struct choice *choice = &looks[look].choices[i];
        long long left = *k->m->work - threads * STEPS_OF_THREAD;

        if (!set_windows(k, choice))
            return false;
        left -= steps_of_buffers(k, choice, threads);
        k->most = left > 0 ? (unsigned long)(left / STEPS_OF_INSTANCE) : 0;
        if (k->most > room / 2)
            k->most = room / 2;
        if (count_wanted(k) && with_beyond(k) <= k->most)
            return true;
    }
    return false;
}

/* Run a block if there are steps for it. */
static bool look_at(struct looking *k, const long long *base, long long block)
{
    struct machine *m = k->m;
    struct launching *l = m->launch;
    const unsigned *size = l->kernel->mapping->block;
    long long n = (long long)size[0] * size[1] * size[2];

    if (!find_tiles(k, block) || !choose(k, m->options->look, n))
        return false;
    l->windows = &k->windows;
    l->n_wanted = 0;
    l->irregular = false;
    pg_verify_threads(m, base, block * n, n);
    l->windows = NULL;
    if (!l->irregular && l->n_wanted != k->n)
        pg_wrong(m->fault, "a block runs %lu instances instead of %lu",
                 l->n_wanted, k->n);
    m->result->blocks_run++;
    m->result->several += set_tile(k, 1);
    return true;
}

/* Has the instance a block? */
static bool has_block(const long long *x, void *user)
{
    struct looking *k = user;
    const struct launching *l = k->m->launch;
    const struct prepared *p = l->prepared;
    bool any = l->grid[0] > 0 && l->grid[1] > 0 && l->grid[2] > 0;
    long long v[3];

    if (!any)
        pg_wrong(k->m->fault, "an instance has no block");
    if (!any || !pg_function_at(p->members[k->stmt], k->values, x, v))
        return any;
    for (unsigned d = 0; d < k->n_dim; d++) {
        long long tile = floor_div(v[d], p->tile[d]);

        if (((tile % p->grid[d]) + p->grid[d]) % p->grid[d] >= l->grid[d])
            pg_wrong(k->m->fault, "a tile has no block");
    }
    return ++k->n < CORNER && !k->m->fault->sentence;
}

/* Is the grid large enough for the instances with the largest arguments, and
 * with the smallest?
 */
static void check_grid(struct looking *k)
{
    const struct prepared *p = k->m->launch->prepared;

    for (unsigned i = 0; k->n_dim && i < 2 * k->m->scop->n_stmt; i++) {
        long long low[MAX_ARGS], high[MAX_ARGS];

        k->stmt = i / 2;
        k->n = 0;
        if (!p->domain[k->stmt] ||
            !pg_points_box(p->domain[k->stmt], k->values, low, high))
            continue;
        for (unsigned d = 0; d < k->m->state->model->stmts[k->stmt].n_arg; d++)
            if (i % 2)
                high[d] = low[d] + 1 < high[d] ? low[d] + 1 : high[d];
            else
                low[d] = high[d] - 1 > low[d] ? high[d] - 1 : low[d];
        (void)pg_points_scan(p->domain[k->stmt], k->values, low, high,
                             k->m->work, &has_block, k);
    }
}

/* The block at so many thirds of the grid, and at the other ones in the second
 * dimension: what is below a diagonal has whole tiles there, or above.
 */
static long long block_at(const long long *grid, int thirds)
{
    long long x = grid[0] * thirds / 3, y = grid[1] * (3 - thirds) / 3;

    return x + grid[0] * (y + grid[1] * (grid[2] * thirds / 3));
}

enum { CHOSEN = 6 };

/* The numbers of blocks that are looked at, as long as there are steps: those
 * of the last row and column first where the others were.
 */
static void choose_blocks(const struct machine *m, long long *chosen)
{
    const long long *grid = m->launch->grid;
    long long last = grid[0] * grid[1] * grid[2] - 1;
    bool reverse = m->options->others && m->options->look == LOOK_ONE_STEP;
    const long long all[CHOSEN] = {
        0,
        last,
        block_at(grid, 1),
        block_at(grid, 2),
        last - grid[0] / 2,                      /* in the last row */
        last - grid[0] * (grid[1] * grid[2] / 2) /* and column */
    };

    for (int i = 0; i < CHOSEN; i++)
        chosen[reverse ? CHOSEN - 1 - i : i] = all[i];
}

/* Look at a few blocks; if the first two are too large, so are the others. */
static void look_at_blocks(struct looking *k, const long long *base)
{
    const long long *grid = k->m->launch->grid;
    long long blocks = grid[0] * grid[1] * grid[2], chosen[CHOSEN];
    unsigned passed_over = 0;

    choose_blocks(k->m, chosen);
    for (int i = 0; i < CHOSEN && blocks > 0; i++) {
        bool again = chosen[i] >= blocks || k->m->fault->sentence;
        /* Which is why there was that other way. */
        bool no = i == 0 && k->m->options->others &&
                  k->m->options->look == LOOK_ALL_POINTS;

        for (int j = 0; j < i; j++)
            again |= chosen[j] == chosen[i];
        passed_over += !again && (no || !look_at(k, base, chosen[i]));
        if (passed_over == 2 && i == 1)
            break;
    }
    k->m->result->passed_over += passed_over;
}

/* Is there a block, and are there steps for all points of the first one's
 * tiles?
 */
static bool first_fits(struct looking *k)
{
    const unsigned *size = k->m->launch->kernel->mapping->block;
    const long long *grid = k->m->launch->grid;

    return grid[0] * grid[1] * grid[2] > 0 && find_tiles(k, 0) &&
           choose(k, LOOK_ALL_POINTS, (long long)size[0] * size[1] * size[2]);
}

/* How many launches are still run, with this one. */
static long launches_left(const struct machine *m)
{
    long run = 3 * (long)m->plan->n_kernel;

    run = (long)m->n_launch < run ? (long)m->n_launch : run;
    return run - (long)m->result->launches + 1;
}

void pg_verify_few(struct machine *m, const long long *base)
{
    const struct launching *l = m->launch;
    struct looking k = {.m = m, .n_dim = l->kernel->mapping->n_grid};
    long left = launches_left(m);
    long kept = left > 1 ? *m->work - *m->work / left : 0;

    *m->work -= kept;
    k.n_value = l->prepared->names.n - 6;
    memcpy(k.values, base, k.n_value * sizeof(*base));
    k.windows.first = k.n_value;
    k.windows.end = k.n_value + 3;
    k.windows.stmts = pg_alloc(m->scop->n_stmt, sizeof(*k.windows.stmts));
    m->result->blocks += (unsigned long)(l->grid[0] * l->grid[1] * l->grid[2]);
    if (m->options->look != LOOK_MORE_STEPS || !first_fits(&k)) {
        check_grid(&k);
        look_at_blocks(&k, base);
    }
    *m->work += kept;
    free(k.windows.stmts);
}

/* ---- Translation ----------------------------------------------------------
 */

/* { S[i] of "set" in the tile of the numbers "tile0", ... }. */
static __isl_give isl_set *in_tile(const struct pg_mapping *mapping,
                                   __isl_take isl_set *set, unsigned first)
{
    isl_multi_pw_aff *members =
        pg_tiling_members(&mapping->tiling, mapping->n_grid, set);

    for (unsigned d = 0; d < mapping->n_grid; d++) {
        isl_ctx *ctx = isl_set_get_ctx(set);
        isl_val *size = isl_val_int_from_si(ctx, (long)mapping->tiling.tile[d]);
        isl_local_space *space =
            isl_local_space_from_space(isl_set_get_space(set));
        isl_pw_aff *low = isl_pw_aff_from_aff(isl_aff_scale_val(
            isl_aff_var_on_domain(space, isl_dim_param, first + d),
            isl_val_copy(size)));
        isl_pw_aff *high =
            isl_pw_aff_add_constant_val(isl_pw_aff_copy(low), size);
        isl_pw_aff *member = isl_multi_pw_aff_get_at(members, (int)d);

        set = isl_set_intersect(
            set, isl_pw_aff_ge_set(isl_pw_aff_copy(member), low));
        set = isl_set_intersect(set, isl_pw_aff_lt_set(member, high));
    }
    isl_multi_pw_aff_free(members);
    return set;
}

/* "params" with the numbers of a tile. */
static __isl_give isl_space *add_tile(__isl_take isl_space *params, unsigned n)
{
    for (unsigned d = 0; d < n; d++) {
        char name[16];

        snprintf(name, sizeof(name), "tile%u", d);
        params = isl_space_add_param_id(
            params, isl_id_alloc(isl_space_get_ctx(params), name, NULL));
    }
    return params;
}

void pg_verify_prepare_tiles(struct runner *r, unsigned number)
{
    const struct pg_kernel *k = &r->plan->kernels[number];
    struct prepared *p = &r->kernels[number];
    isl_space *params = isl_set_get_space(r->scop->context);
    unsigned n_grid = k->mapping->n_grid;
    struct pg_fault fault = {0};

    for (unsigned h = 0; h < k->n_host; h++)
        params = isl_space_add_param_id(
            params, isl_id_alloc(r->scop->ctx, k->host[h], NULL));
    params = add_tile(params, n_grid);
    p->tiles = pg_alloc(r->scop->n_stmt, sizeof(*p->tiles));
    for (unsigned s = 0; s < r->scop->n_stmt && !fault.sentence; s++) {
        isl_set *set = isl_union_set_extract_set(
            k->domain, isl_set_get_space(r->scop->stmts[s].domain));

        if (!p->domain[s]) {
            isl_set_free(set);
            continue;
        }
        set = isl_set_align_params(set, isl_space_copy(params));
        set = in_tile(k->mapping, set, r->scop->n_param + k->n_host);
        p->tiles[s] = pg_points_take(set, params, &fault);
    }
    free(fault.sentence);
    isl_space_free(params);
}
