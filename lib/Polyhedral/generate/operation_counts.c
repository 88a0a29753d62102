/* operation_counts.c - how much is there to do, as functions of the parameters.
 *
 * A count is the number of integer points of a box whose bounds in a dimension
 * depend on the parameters and on the dimensions before it; these are taken in
 * the middle between their own bounds.  So a rectangle counts exactly, and a
 * triangle as half of the square around it; strides and holes do not count.
 * Counts are estimates, for the decision whether offloading pays.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "map/mapping.h"
#include "map/plan.h"
#include "polygpu/polyhedral.h"
#include "scop/scop.h"
#include "support/phase.h"
#include "support/text.h"
#include "support/values.h"

#include <isl/constraint.h>
#include <isl/space.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Parts of a set that are counted one by one; more count as their hull. */
enum { MAX_PARTS = 8 };

/* A set that is being counted. */
struct counting {
    struct pg_plan *plan;
    struct pg_count like;   /* what its counts have in common */
    struct pg_count *count; /* the one under construction */
    unsigned dim;           /* its dimension; n_dim: none, a condition */
    bool bad;               /* a coefficient is too large */
    bool lower, upper;      /* has the dimension such bounds? */
};

/* "value" as a number of ours; frees it. */
static long long number(struct counting *c, __isl_take isl_val *value)
{
    long result = 0;

    if (isl_val_is_int(value) != isl_bool_true ||
        fabs(pg_val_to_double(value)) > 1e15)
        c->bad = true;
    else
        result = isl_val_get_num_si(value);
    isl_val_free(value);
    return result;
}

/* Add a bound that says "sign" * constraint >= 0. */
static void add_bound(struct counting *c, __isl_keep isl_constraint *constraint,
                      int sign, enum pg_bound_kind kind)
{
    struct pg_count *count = c->count;
    unsigned n_param = c->plan->scop->n_param;
    unsigned outer = kind == PG_BOUND_CONDITION ? 0 : c->dim;
    struct pg_bound *bound;
    int turn = kind == PG_BOUND_LOWER ? -sign : sign;

    count->bounds = pg_grow(count->bounds, count->n_bound, sizeof(*bound));
    bound = &count->bounds[count->n_bound++];
    bound->kind = kind;
    bound->dim = c->dim;
    bound->divisor = 1;
    bound->factors = pg_alloc(n_param + outer + 1, sizeof(*bound->factors));
    for (unsigned i = 0; i < n_param; i++)
        bound->factors[i] =
            turn * number(c, isl_constraint_get_coefficient_val(
                                 constraint, isl_dim_param, (int)i));
    for (unsigned i = 0; i < outer; i++)
        bound->factors[n_param + i] =
            turn * number(c, isl_constraint_get_coefficient_val(
                                 constraint, isl_dim_set, (int)i));
    bound->factors[n_param + outer] =
        turn * number(c, isl_constraint_get_constant_val(constraint));
    if (kind != PG_BOUND_CONDITION) {
        bound->divisor =
            llabs(number(c, isl_constraint_get_coefficient_val(
                                constraint, isl_dim_set, (int)c->dim)));
        *(kind == PG_BOUND_LOWER ? &c->lower : &c->upper) = true;
    }
}

/* Take the constraint if it bounds the dimension, or, in a set of no
 * dimension, as a condition.
 */
static isl_stat take_constraint(__isl_take isl_constraint *constraint,
                                void *user)
{
    struct counting *c = user;
    bool equal = isl_constraint_is_equality(constraint) == isl_bool_true;
    int sign;

    if (c->dim == c->count->n_dim) {
        add_bound(c, constraint, 1, PG_BOUND_CONDITION);
        if (equal)
            add_bound(c, constraint, -1, PG_BOUND_CONDITION);
    } else {
        isl_val *v = isl_constraint_get_coefficient_val(constraint, isl_dim_set,
                                                        (int)c->dim);

        sign = isl_val_sgn(v);
        isl_val_free(v);
        /* With a > 0, a x + e >= 0 is x >= -e / a, and -a x + e >= 0 is
         * x <= e / a. */
        if (sign > 0 || (sign < 0 && equal))
            add_bound(c, constraint, sign, PG_BOUND_LOWER);
        if (sign < 0 || (sign > 0 && equal))
            add_bound(c, constraint, -sign, PG_BOUND_UPPER);
    }
    isl_constraint_free(constraint);
    return isl_stat_ok;
}

/* Bounds of dimension "dim" of "part" (all: its conditions on parameters). */
static isl_stat bound_dimension(struct counting *c,
                                __isl_keep isl_basic_set *part, unsigned dim)
{
    unsigned n = c->count->n_dim, first = dim < n ? dim + 1 : 0;
    isl_basic_set *outer = isl_basic_set_copy(part);
    isl_stat result;

    c->dim = dim;
    c->lower = c->upper = dim == n;
    outer = isl_basic_set_project_out(outer, isl_dim_set, first, n - first);
    outer = isl_basic_set_remove_divs(outer);
    outer = isl_basic_set_remove_redundancies(outer);
    result = isl_basic_set_foreach_constraint(outer, &take_constraint, c);
    isl_basic_set_free(outer);
    c->bad |= !c->lower || !c->upper;
    return result;
}

/* Count the points of "part" in addition. */
static isl_stat count_part(__isl_take isl_basic_set *part, void *user)
{
    struct counting *c = user;
    struct pg_plan *plan = c->plan;
    isl_stat result = isl_stat_ok;

    part = isl_basic_set_remove_divs(part);
    plan->counts = pg_grow(plan->counts, plan->n_count, sizeof(*plan->counts));
    c->count = &plan->counts[plan->n_count++];
    *c->count = c->like;
    for (unsigned d = 0; result == isl_stat_ok && d <= c->like.n_dim; d++)
        result = bound_dimension(c, part, d);
    isl_basic_set_free(part);
    return c->bad ? isl_stat_error : result;
}

/* Those of "set" for parameters for which "kernel" is on the way that the host
 * takes.
 */
static __isl_give isl_set *on_its_way(__isl_take isl_set *set,
                                      const struct pg_plan *plan,
                                      const struct pg_kernel *kernel)
{
    isl_set *chained;

    if (!plan->chained_if || kernel->way == PG_WAY_BOTH)
        return set;
    chained = isl_set_copy(plan->chained_if);
    if (kernel->way == PG_WAY_LOOPS)
        chained = isl_set_subtract(isl_set_copy(plan->scop->context), chained);
    return isl_set_intersect_params(set, chained);
}

/* Add the number of points of "set" to the plan's counts, as "like" says. */
static isl_stat count_set(struct pg_plan *plan, __isl_take isl_set *set,
                          struct pg_count like)
{
    struct counting c = {.plan = plan, .like = like};
    isl_size n = isl_set_dim(set, isl_dim_set);
    isl_stat result;

    if (n < 0) {
        isl_set_free(set);
        return isl_stat_error;
    }
    c.like.n_dim = (unsigned)n;
    set = on_its_way(set, plan, &plan->kernels[like.kernel]);
    set = isl_set_align_params(set, isl_set_get_space(plan->scop->context));
    set = isl_set_gist_params(set, isl_set_copy(plan->scop->context));
    set = isl_set_coalesce(isl_set_remove_divs(set));
    if (isl_set_n_basic_set(set) > 1)
        set = isl_set_make_disjoint(set);
    if (isl_set_n_basic_set(set) > MAX_PARTS)
        set = isl_set_from_basic_set(isl_set_simple_hull(set));
    if (isl_set_dim(set, isl_dim_param) != (isl_size)plan->scop->n_param)
        result = isl_stat_error;
    else
        result = isl_set_foreach_basic_set(set, &count_part, &c);
    isl_set_free(set);
    return result;
}

/* "set" with the parameters h0, h1, ... of "kernel" as leading dimensions, or
 * without them if not "keep".
 */
static __isl_give isl_set *
host_to_dims(__isl_take isl_set *set, const struct pg_kernel *kernel, bool keep)
{
    for (unsigned i = 0; i < kernel->n_host; i++) {
        int at = isl_set_find_dim_by_name(set, isl_dim_param, kernel->host[i]);

        if (at >= 0 && keep)
            set = isl_set_move_dims(set, isl_dim_set, i, isl_dim_param,
                                    (unsigned)at, 1);
        else if (at >= 0)
            set = isl_set_project_out(set, isl_dim_param, (unsigned)at, 1);
    }
    return set;
}

static struct pg_bound copy_bound(const struct pg_plan *plan,
                                  const struct pg_bound *from)
{
    unsigned outer = from->kind == PG_BOUND_CONDITION ? 0 : from->dim;
    unsigned n = plan->scop->n_param + outer + 1;
    struct pg_bound to = *from;

    to.factors = pg_alloc(n, sizeof(*to.factors));
    memcpy(to.factors, from->factors, n * sizeof(*to.factors));
    return to;
}

/* Statements of a kernel. */
struct work {
    struct pg_plan *plan;
    unsigned kernel;
    bool threads; /* it is for threads of a CPU */
};

/* Add the counts from "first" to "end" - 1 once more, as another kind with
 * another weight.
 */
static void add_again(struct pg_plan *plan, unsigned first, unsigned end,
                      enum pg_count_kind kind, double weight)
{
    for (unsigned i = first; weight > 0 && i < end; i++) {
        struct pg_count *to;

        plan->counts =
            pg_grow(plan->counts, plan->n_count, sizeof(*plan->counts));
        to = &plan->counts[plan->n_count++];
        *to = plan->counts[i];
        to->kind = kind;
        to->weight = weight;
        to->bounds = pg_alloc(to->n_bound, sizeof(*to->bounds));
        for (unsigned b = 0; b < to->n_bound; b++)
            to->bounds[b] = copy_bound(plan, &plan->counts[i].bounds[b]);
    }
}

/* Count the instances of one statement in a kernel. */
static isl_stat count_stmt(__isl_take isl_set *instances, void *user)
{
    struct work *w = user;
    const struct pg_scop *scop = w->plan->scop;
    int s = pg_scop_find_stmt(scop, isl_set_get_tuple_name(instances));
    struct pg_count like = {.kind = PG_COUNT_OPERATIONS, .kernel = w->kernel};
    unsigned first = w->plan->n_count, end;
    isl_stat result;

    if (s < 0) {
        isl_set_free(instances);
        return isl_stat_error;
    }
    like.weight = pg_stmt_weight(&scop->stmts[s]);
    instances = host_to_dims(instances, &w->plan->kernels[w->kernel], false);
    result = count_set(w->plan, instances, like);
    end = w->plan->n_count;
    add_again(w->plan, first, end, PG_COUNT_FLOPS_SINGLE,
              scop->stmts[s].flops_single);
    add_again(w->plan, first, end, PG_COUNT_FLOPS_DOUBLE,
              scop->stmts[s].flops_double);
    if (w->threads)
        add_again(w->plan, first, end, PG_COUNT_SCATTERED,
                  scop->stmts[s].scattered);
    if (w->plan->kernels[w->kernel].again)
        add_again(w->plan, first, end, PG_COUNT_AGAIN,
                  w->plan->kernels[w->kernel].again[s]);
    return result;
}

/* Count the steps of a chain that one of its nests is. */
static isl_stat count_steps(__isl_take isl_set *steps, void *user)
{
    struct work *w = user;
    struct pg_count like = {
        .kind = PG_COUNT_STEPS, .kernel = w->kernel, .weight = 1};

    steps = isl_set_reset_tuple_id(steps);
    return count_set(w->plan,
                     host_to_dims(steps, &w->plan->kernels[w->kernel], false),
                     like);
}

/* Count the operations of one statement that one thread executes alone. */
static isl_stat count_alone(__isl_take isl_set *instances, void *user)
{
    struct work *w = user;
    struct pg_count like = {.kind = PG_COUNT_ALONE, .kernel = w->kernel};
    int s = pg_scop_find_stmt(w->plan->scop, isl_set_get_tuple_name(instances));

    if (s < 0) {
        isl_set_free(instances);
        return isl_stat_error;
    }
    like.weight = pg_stmt_weight(&w->plan->scop->stmts[s]);
    return count_set(
        w->plan, host_to_dims(instances, &w->plan->kernels[w->kernel], false),
        like);
}

/* The blocks of all launches of "kernel", { [h, b] }. */
static __isl_give isl_set *blocks_of(const struct pg_kernel *kernel)
{
    isl_set *launches = isl_map_domain(isl_map_copy(kernel->when));
    isl_map *map = isl_map_from_domain(isl_set_copy(launches));

    for (unsigned d = 0; d < 3; d++) {
        isl_map *block;

        if (!kernel->mapping->blocks[d])
            continue;
        block =
            isl_map_from_pw_aff(isl_pw_aff_copy(kernel->mapping->blocks[d]));
        /* { kernel[h] -> [b] : 0 <= b < blocks } */
        block = isl_map_apply_range(block, isl_map_lex_gt(isl_space_set_alloc(
                                               isl_map_get_ctx(block), 0, 1)));
        block = isl_map_lower_bound_si(block, isl_dim_out, 0, 0);
        map = isl_map_flat_range_product(map, block);
    }
    isl_set_free(launches);
    return isl_set_flatten(isl_map_wrap(map));
}

/* The counts of kernel "k". */
static isl_stat count_kernel(struct pg_plan *plan, unsigned k, bool on_cpu)
{
    const struct pg_kernel *kernel = &plan->kernels[k];
    struct work w = {plan, k, on_cpu};
    struct pg_count launches = {
        .kind = PG_COUNT_LAUNCHES, .kernel = k, .weight = 1};
    struct pg_count threads = {.kind = PG_COUNT_THREADS, .kernel = k};
    struct pg_count rounds = {
        .kind = PG_COUNT_ROUNDS, .kernel = k, .weight = PG_TILE_OF_THREAD};
    isl_set *domain = isl_map_domain(isl_map_copy(kernel->when));

    threads.weight = (double)kernel->mapping->block[0] *
                     kernel->mapping->block[1] * kernel->mapping->block[2];
    if (isl_union_set_foreach_set(kernel->domain, &count_stmt, &w) !=
        isl_stat_ok) {
        isl_set_free(domain);
        return isl_stat_error;
    }
    if (count_set(plan, domain, launches) != isl_stat_ok)
        return isl_stat_error;
    if (kernel->steps && (isl_union_set_foreach_set(kernel->steps, &count_steps,
                                                    &w) != isl_stat_ok ||
                          isl_union_set_foreach_set(kernel->alone, &count_alone,
                                                    &w) != isl_stat_ok))
        return isl_stat_error;
    if (kernel->again &&
        count_set(plan, blocks_of(kernel), rounds) != isl_stat_ok)
        return isl_stat_error;
    return count_set(plan, blocks_of(kernel), threads);
}

/* Count what the plan does.  If that takes too long or has no bounds, there
 * are no counts: that is no failure, and leaves nothing in the report.
 */
void pg_count_operations(struct pg_plan *plan, const struct pg_options *options)
{
    struct pg_report ignored;
    struct pg_phase phase;
    isl_stat result = isl_stat_ok;

    pg_report_init(&ignored);
    pg_phase_begin(&phase, plan->scop->ctx, "counting of operations", options,
                   &ignored);
    for (unsigned k = 0; result == isl_stat_ok && k < plan->n_kernel; k++)
        result = count_kernel(plan, k, options && options->threads);
    if (pg_phase_end(&phase, result) != isl_stat_ok)
        pg_counts_clear(plan);
    pg_report_clear(&ignored);
}

/* The number of points between the bounds of "count" for the parameters
 * "params"; "middle" is for its dimensions.
 */
static double points(const struct pg_count *count, unsigned n_param,
                     const double *params, double *middle)
{
    double result = 1;

    for (unsigned i = 0; i < count->n_bound;) {
        unsigned dim = count->bounds[i].dim;
        double lower = -HUGE_VAL, upper = HUGE_VAL;

        for (; i < count->n_bound && count->bounds[i].dim == dim; i++) {
            const struct pg_bound *b = &count->bounds[i];
            unsigned outer = b->kind == PG_BOUND_CONDITION ? 0 : dim;
            double value = (double)b->factors[n_param + outer];

            for (unsigned p = 0; p < n_param; p++)
                value += (double)b->factors[p] * params[p];
            for (unsigned d = 0; d < outer; d++)
                value += (double)b->factors[n_param + d] * middle[d];
            value /= (double)b->divisor;
            if (b->kind == PG_BOUND_CONDITION && value < 0)
                return 0;
            if (b->kind == PG_BOUND_LOWER)
                lower = fmax(lower, b->divisor > 1 ? ceil(value) : value);
            if (b->kind == PG_BOUND_UPPER)
                upper = fmin(upper, b->divisor > 1 ? floor(value) : value);
        }
        if (dim == count->n_dim)
            continue;
        if (upper - lower + 1 <= 0)
            return 0;
        middle[dim] = (lower + upper) / 2;
        result *= upper - lower + 1;
    }
    return result;
}

/* The sum of the plan's counts of one kind for one kernel. */
double pg_count_get(const struct pg_plan *plan, enum pg_count_kind kind,
                    unsigned kernel, const double *params)
{
    double sum = 0;

    for (unsigned i = 0; i < plan->n_count; i++) {
        const struct pg_count *count = &plan->counts[i];
        double *middle;

        if (count->kind != kind || count->kernel != kernel)
            continue;
        middle = pg_alloc(count->n_dim, sizeof(*middle));
        sum +=
            count->weight * points(count, plan->scop->n_param, params, middle);
        free(middle);
    }
    return sum;
}
