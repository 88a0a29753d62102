/* reach.c - how far the values of a time loop come from in some steps.
 *
 * The place of an instance is the element that it writes.  Where all values
 * that an instance uses come from places at a bounded distance, in a step
 * before or in an earlier sweep of the same step, a block can compute h steps
 * of its part of the arrays alone if it begins with more than its part.  How
 * much more is the longest path over the statements: in each direction an
 * amount for each step that is left, and one of the statement (difference
 * constraints, solved as by Bellman and Ford).  How far planes have to be
 * behind each other that come one after the other is found in the same way,
 * from all dependences.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "schedule/reach.h"
#include "polygpu/polyhedral.h"
#include "schedule/tree.h"
#include "scop/scop.h"
#include "support/text.h"
#include "support/values.h"

#include <isl/ilp.h>
#include <isl/space.h>
#include <isl/val.h>
#include <stdlib.h>
#include <string.h>

enum {
    MAX_STEP = 16,    /* elements, by which a tile may grow for each step */
    MAX_STMTS = 16,   /* of a step */
    MAX_READ = 64,    /* elements from the one that is written */
    MAX_EDGES = 1024, /* dependences, as pieces of isl's maps */
    NO_BOUND = 1 << 20
};

/* Values go from statement "from" to "to": { [dt, dx0, ...] }; or "from" has to
 * wait for "to", which is that far before it.
 */
struct edge {
    unsigned from, to;
    isl_set *distance;
};

struct edges {
    unsigned n;
    struct edge *edge;
};

/* What is found on the way. */
struct finding {
    struct pg_reach *reach;
    const struct pg_scop *scop;
    struct edges flow, order;
    bool planes; /* is it asked how far these have to be behind each other? */
};

/* Is the statement in the time loop? */
bool pg_reach_has(const struct pg_reach *reach, unsigned stmt)
{
    return stmt < reach->n_stmt && reach->stmt[stmt].side == PG_INSIDE;
}

/* "node", or what is below its marks. */
static __isl_give isl_schedule_node *
below_marks(__isl_take isl_schedule_node *node)
{
    while (isl_schedule_node_get_type(node) == isl_schedule_node_mark)
        node = isl_schedule_node_child(node, 0);
    return node;
}

/* What statements on the outside of the SCoP are below. */
static __isl_give isl_schedule_node *outside_of(const struct pg_scop *scop)
{
    isl_schedule_node *root = isl_schedule_get_root(scop->original);

    return below_marks(isl_schedule_node_child(root, 0));
}

/* How many loops and statements are there, one behind the other? */
static unsigned count_parts(const struct pg_scop *scop)
{
    isl_schedule_node *node = outside_of(scop);
    bool several =
        isl_schedule_node_get_type(node) == isl_schedule_node_sequence;
    isl_size n = several ? isl_schedule_node_n_children(node) : 1;

    isl_schedule_node_free(node);
    return n < 0 ? 0 : (unsigned)n;
}

/* Set the sides of all statements that "node" has instances of. */
static bool set_sides(struct finding *f, __isl_keep isl_schedule_node *node,
                      enum pg_side side)
{
    isl_union_set *all = isl_schedule_node_get_domain(node);
    bool ok = true;

    for (unsigned s = 0; ok && s < f->reach->n_stmt; s++) {
        isl_set *own = isl_union_set_extract_set(
            all, isl_set_get_space(f->scop->stmts[s].domain));
        isl_bool empty = isl_set_is_empty(own);

        isl_set_free(own);
        ok = empty >= 0;
        if (empty == isl_bool_false)
            f->reach->stmt[s].side = side;
    }
    isl_union_set_free(all);
    return ok;
}

/* The loop of part "number", { S[i] -> [t] }, or NULL; what comes before and
 * behind it is noted.
 */
static __isl_give isl_union_pw_aff *take_part(struct finding *f,
                                              unsigned number)
{
    isl_schedule_node *node = outside_of(f->scop);
    isl_union_pw_aff *loop = NULL;
    isl_size n = isl_schedule_node_n_children(node);
    bool ok = true;

    if (isl_schedule_node_get_type(node) == isl_schedule_node_sequence) {
        for (unsigned i = 0; ok && (isl_size)i < n; i++) {
            isl_schedule_node *child = isl_schedule_node_child(
                isl_schedule_node_get_child(node, (int)i), 0);

            ok = set_sides(f, child,
                           i < number    ? PG_BEFORE
                           : i == number ? PG_INSIDE
                                         : PG_BEHIND);
            isl_schedule_node_free(child);
        }
        node = isl_schedule_node_child(node, (int)number);
        node = below_marks(isl_schedule_node_child(node, 0));
    } else {
        ok = set_sides(f, node, PG_INSIDE);
    }
    if (ok && isl_schedule_node_get_type(node) == isl_schedule_node_band)
        loop = pg_tree_outer_loop(node);
    isl_schedule_node_free(node);
    return loop;
}

/* The instances in the time loop. */
static __isl_give isl_union_set *inside(const struct finding *f)
{
    isl_union_set *all =
        isl_union_set_empty(isl_set_get_space(f->scop->context));

    for (unsigned s = 0; s < f->reach->n_stmt; s++)
        if (pg_reach_has(f->reach, s))
            all = isl_union_set_add_set(all,
                                        isl_set_copy(f->scop->stmts[s].domain));
    return isl_union_set_intersect_params(all, isl_set_copy(f->scop->context));
}

/* { S[i] -> [x] }: the element that every write of "stmt" goes to, of arrays
 * with "*n_dim" dimensions (0: not known yet); NULL if there is none.
 */
static __isl_give isl_map *place_of(const struct pg_scop *scop,
                                    const struct pg_stmt *stmt, unsigned *n_dim)
{
    isl_map *place = NULL;
    bool ok = true;

    for (unsigned a = 0; ok && a < stmt->n_access; a++) {
        const struct pg_access *access = &stmt->accesses[a];
        const struct pg_array *array = &scop->arrays[access->array];
        isl_map *one;

        ok =
            array->kind == PG_ARRAY_MEMORY || array->kind == PG_ARRAY_TEMPORARY;
        if (!ok || !access->write)
            continue;
        ok = access->must && !array->flagged && array->n_dim > 0 &&
             array->n_dim <= PG_REACH_DIMS &&
             (*n_dim == 0 || *n_dim == array->n_dim);
        *n_dim = array->n_dim;
        one =
            isl_map_reset_tuple_id(isl_map_copy(access->relation), isl_dim_out);
        if (place)
            ok = ok && isl_map_is_equal(place, one) == isl_bool_true;
        if (place)
            isl_map_free(one);
        else
            place = one;
    }
    return ok ? place : isl_map_free(place);
}

/* "map" for the instances of "stmt". */
static __isl_give isl_map *of_stmt(const struct pg_scop *scop,
                                   const struct pg_stmt *stmt,
                                   __isl_keep isl_map *map)
{
    map =
        isl_map_intersect_domain(isl_map_copy(map), isl_set_copy(stmt->domain));
    return isl_map_intersect_params(map, isl_set_copy(scop->context));
}

/* Does each instance have a step and an element of its own, and does each step
 * write the same ones, from the first to the last of "times", { [t] }?
 */
static bool is_regular(const struct finding *f, unsigned s,
                       __isl_keep isl_set *times)
{
    isl_map *at = of_stmt(f->scop, &f->scop->stmts[s], f->reach->stmt[s].at);
    unsigned n = f->reach->n_dim;
    isl_set *own = isl_map_range(isl_map_copy(at));
    isl_set *steps = isl_set_project_out(isl_set_copy(own), isl_dim_set, 1, n);
    isl_set *places = isl_set_project_out(isl_set_copy(own), isl_dim_set, 0, 1);
    isl_set *all = isl_set_flat_product(isl_set_copy(times), places);
    bool regular = isl_map_is_injective(at) == isl_bool_true &&
                   isl_set_is_subset(steps, times) == isl_bool_true &&
                   isl_set_is_equal(own, all) == isl_bool_true;

    isl_map_free(at);
    isl_set_free(own);
    isl_set_free(steps);
    isl_set_free(all);
    return regular;
}

/* Find the places of all statements in "time"; false if they have none. */
static bool find_places(struct finding *f, __isl_keep isl_union_pw_aff *time)
{
    struct pg_reach *reach = f->reach;
    isl_union_map *steps =
        isl_union_map_from_union_pw_aff(isl_union_pw_aff_copy(time));
    bool ok = true;

    for (unsigned s = 0; ok && s < reach->n_stmt; s++) {
        const struct pg_stmt *stmt = &f->scop->stmts[s];
        isl_map *place;
        isl_space *space;

        if (!pg_reach_has(reach, s))
            continue;
        place = place_of(f->scop, stmt, &reach->n_dim);
        ok = place != NULL;
        if (!ok)
            break;
        space = isl_space_from_domain(isl_set_get_space(stmt->domain));
        space = isl_space_add_dims(space, isl_dim_out, 1);
        reach->stmt[s].at = isl_map_flat_range_product(
            isl_union_map_extract_map(steps, space), place);
        for (unsigned a = 0; a < stmt->n_access; a++)
            reach->written[stmt->accesses[a].array] |= stmt->accesses[a].write;
    }
    isl_union_map_free(steps);
    return ok;
}

/* The loop "time" from zero on, and its last step; NULL if either is not one
 * expression of the parameters.
 */
static __isl_give isl_union_pw_aff *from_zero(struct finding *f,
                                              __isl_take isl_union_pw_aff *time)
{
    isl_union_set *domain = inside(f);
    isl_union_map *map =
        isl_union_map_from_union_pw_aff(isl_union_pw_aff_copy(time));
    isl_set *times;
    isl_aff *first, *last;

    map = isl_union_map_intersect_domain(map, isl_union_set_copy(domain));
    times = isl_set_from_union_set(isl_union_map_range(map));
    first = pg_only_expression(isl_set_dim_min(isl_set_copy(times), 0));
    last = pg_only_expression(isl_set_dim_max(times, 0));
    if (!first || !last) {
        isl_union_set_free(domain);
        isl_aff_free(first);
        isl_aff_free(last);
        return isl_union_pw_aff_free(time);
    }
    f->reach->last =
        isl_pw_aff_from_aff(isl_aff_sub(last, isl_aff_copy(first)));
    return isl_union_pw_aff_sub(
        time,
        isl_union_pw_aff_aff_on_domain(isl_union_set_universe(domain), first));
}

/* The steps of all statements, { [t] }. */
static __isl_give isl_set *steps_of(const struct finding *f)
{
    isl_set *all = NULL;

    for (unsigned s = 0; s < f->reach->n_stmt; s++) {
        isl_map *at;
        isl_set *own;

        if (!pg_reach_has(f->reach, s))
            continue;
        at = of_stmt(f->scop, &f->scop->stmts[s], f->reach->stmt[s].at);
        own = isl_set_project_out(isl_map_range(at), isl_dim_set, 1,
                                  f->reach->n_dim);
        all = all ? isl_set_union(all, own) : own;
    }
    return all;
}

/* Does each step do the same? */
static bool are_regular(const struct finding *f)
{
    isl_set *times = steps_of(f);
    bool ok = true;

    for (unsigned s = 0; ok && s < f->reach->n_stmt; s++)
        ok = !pg_reach_has(f->reach, s) || is_regular(f, s, times);
    isl_set_free(times);
    return ok;
}

/* The largest value that dimension "d" of "set", less "times" dimension 0, has
 * for any parameters, with the sign "sign"; at least NO_BOUND if there is none,
 * and its negative if the set is empty.
 */
static long largest(__isl_keep isl_set *set, unsigned d, int sign, long times)
{
    isl_set *all =
        isl_set_project_out(isl_set_copy(set), isl_dim_param, 0,
                            (unsigned)isl_set_dim(set, isl_dim_param));
    isl_local_space *space = isl_local_space_from_space(isl_set_get_space(all));
    isl_aff *aff =
        isl_aff_var_on_domain(isl_local_space_copy(space), isl_dim_set, d);
    isl_aff *less = isl_aff_var_on_domain(space, isl_dim_set, 0);
    isl_val *most;
    long result = NO_BOUND;

    if (sign < 0)
        aff = isl_aff_neg(aff);
    less = isl_aff_scale_val(less,
                             isl_val_int_from_si(isl_set_get_ctx(all), times));
    aff = isl_aff_sub(aff, less);
    most = isl_set_max_val(all, aff);
    if (isl_set_is_empty(all) == isl_bool_true)
        result = -NO_BOUND;
    else if (isl_val_is_int(most) == isl_bool_true &&
             isl_val_cmp_si(most, NO_BOUND) < 0)
        result = isl_val_get_num_si(most);
    isl_val_free(most);
    isl_aff_free(aff);
    isl_set_free(all);
    return result;
}

/* How far from the place of statement "s" it reads what the loop writes. */
static bool find_reads(struct finding *f, unsigned s)
{
    const struct pg_stmt *stmt = &f->scop->stmts[s];
    struct pg_reach_stmt *own = &f->reach->stmt[s];
    isl_map *place =
        isl_map_project_out(isl_map_copy(own->at), isl_dim_out, 0, 1);
    bool ok = true;

    place = isl_map_intersect_domain(place, isl_set_copy(stmt->domain));
    for (unsigned a = 0; ok && a < stmt->n_access; a++) {
        const struct pg_access *access = &stmt->accesses[a];
        isl_map *read;
        isl_set *away;

        if (access->write || !f->reach->written[access->array])
            continue;
        ok = f->scop->arrays[access->array].n_dim == f->reach->n_dim;
        if (!ok)
            break;
        read =
            isl_map_reset_tuple_id(isl_map_copy(access->relation), isl_dim_out);
        read = isl_map_intersect_domain(read, isl_set_copy(stmt->domain));
        away = isl_map_deltas(isl_map_apply_domain(read, isl_map_copy(place)));
        for (unsigned d = 0; d < f->reach->n_dim; d++) {
            long below = largest(away, d, -1, 0);
            long above = largest(away, d, 1, 0);

            if (below > own->reads[d].below)
                own->reads[d].below = below;
            if (above > own->reads[d].above)
                own->reads[d].above = above;
            ok = ok && below <= MAX_READ && above <= MAX_READ;
        }
        isl_set_free(away);
    }
    isl_map_free(place);
    return ok;
}

/* { [t, x] -> [t', x'] } of the dependences "order" from statement "from" to
 * statement "to", as distances.
 */
static __isl_give isl_set *
distances(const struct finding *f, __isl_take isl_map *order, int from, int to)
{
    order = isl_map_apply_domain(order, isl_map_copy(f->reach->stmt[from].at));
    order = isl_map_apply_range(order, isl_map_copy(f->reach->stmt[to].at));
    return isl_map_deltas(order);
}

/* The numbers of the statements at both ends of "order"; false if it has none.
 */
static bool ends(const struct finding *f, __isl_keep isl_map *order, int *from,
                 int *to)
{
    *from =
        pg_scop_find_stmt(f->scop, isl_map_get_tuple_name(order, isl_dim_in));
    *to =
        pg_scop_find_stmt(f->scop, isl_map_get_tuple_name(order, isl_dim_out));
    return *from >= 0 && *to >= 0;
}

/* Are both in the time loop? */
static bool both_inside(const struct finding *f, int from, int to)
{
    return pg_reach_has(f->reach, (unsigned)from) &&
           pg_reach_has(f->reach, (unsigned)to);
}

/* Add an edge to "edges". */
static isl_stat add_to(struct edges *edges, int from, int to,
                       __isl_take isl_set *distance)
{
    if (edges->n >= MAX_EDGES) {
        isl_set_free(distance);
        return isl_stat_error;
    }
    edges->edge = pg_grow(edges->edge, edges->n, sizeof(*edges->edge));
    edges->edge[edges->n++] =
        (struct edge){(unsigned)from, (unsigned)to, distance};
    return isl_stat_ok;
}

static void clear_edges(struct edges *edges)
{
    for (unsigned i = 0; i < edges->n; i++)
        isl_set_free(edges->edge[i].distance);
    free(edges->edge);
}

/* Add a flow of values. */
static isl_stat add_edge(__isl_take isl_map *flow, void *user)
{
    struct finding *f = user;
    int from, to;
    bool ok = ends(f, flow, &from, &to);

    if (!ok || !both_inside(f, from, to)) {
        isl_map_free(flow);
        return ok ? isl_stat_ok : isl_stat_error;
    }
    return add_to(&f->flow, from, to, distances(f, flow, from, to));
}

/* Does the dependence go to a later step, or to a statement further down?  Then
 * sweeps of single statements, one after the other, keep it.
 */
static isl_stat keeps(__isl_take isl_map *order, void *user)
{
    struct finding *f = user;
    isl_set *distance, *against;
    int from, to;
    bool ok = ends(f, order, &from, &to);

    if (!ok || !both_inside(f, from, to)) {
        isl_map_free(order);
        return ok ? isl_stat_ok : isl_stat_error;
    }
    distance = distances(f, order, from, to);
    against = isl_set_upper_bound_si(isl_set_copy(distance), isl_dim_set, 0,
                                     from >= to ? 0 : -1);
    ok = isl_set_is_empty(against) == isl_bool_true;
    isl_set_free(against);
    if (!f->planes)
        isl_set_free(distance);
    else if (add_to(&f->order, to, from, distance) != isl_stat_ok)
        ok = false;
    return ok ? isl_stat_ok : isl_stat_error;
}

/* Is there an amount for each statement, "more" from zero on, that is enough
 * for all "edges" in direction "sign" of dimension "d", if there are "step"
 * more for each step: by which a tile grows, or planes are behind?
 */
static bool fits(const struct finding *f, const struct edges *edges, unsigned d,
                 int sign, long step, long *more)
{
    bool changed = true;

    memset(more, 0, f->reach->n_stmt * sizeof(*more));
    for (unsigned round = 0; changed && round <= f->reach->n_stmt; round++) {
        changed = false;
        for (unsigned i = 0; i < edges->n; i++) {
            const struct edge *e = &edges->edge[i];
            long least = more[e->to] + largest(e->distance, d + 1, sign, step);

            if (least >= NO_BOUND / 2)
                return false;
            changed |= least > more[e->from];
            if (least > more[e->from])
                more[e->from] = least;
        }
    }
    return !changed;
}

/* Find the least growth in one direction. */
static bool find_growth(struct finding *f, unsigned d, bool below)
{
    long *more = pg_alloc(f->reach->n_stmt, sizeof(*more));
    long step = 0;

    // What is used lies below where the distance to it is positive.
    while (step <= MAX_STEP &&
           !fits(f, &f->flow, d, below ? 1 : -1, step, more))
        step++;
    for (unsigned s = 0; s < f->reach->n_stmt; s++)
        if (below)
            f->reach->stmt[s].more[d].below = more[s];
        else
            f->reach->stmt[s].more[d].above = more[s];
    if (below)
        f->reach->step[d].below = step;
    else
        f->reach->step[d].above = step;
    free(more);
    return step <= MAX_STEP;
}

/* Find how far planes are behind each other, and behind those that a block
 * loads; none if they cannot come one after the other.
 */
static void find_behind(struct finding *f)
{
    struct pg_reach *reach = f->reach;
    long *behind = pg_alloc(reach->n_stmt, sizeof(*behind)), most = 0;

    while (reach->behind <= MAX_STEP &&
           !fits(f, &f->order, 0, -1, reach->behind, behind))
        reach->behind++;
    for (unsigned s = 0; s < reach->n_stmt; s++)
        if (reach->stmt[s].reads[0].above - behind[s] > most)
            most = reach->stmt[s].reads[0].above - behind[s];
    for (unsigned s = 0; s < reach->n_stmt; s++)
        reach->stmt[s].behind = behind[s] + most;
    free(behind);
    if (reach->behind > MAX_STEP)
        reach->behind = -1;
}

/* Find all distances. */
static bool find_distances(struct finding *f)
{
    isl_union_map *order = pg_scop_order(f->scop);
    bool ok = isl_union_map_foreach_map(order, &keeps, f) == isl_stat_ok;
    bool carried = false; // from step to step

    isl_union_map_free(order);
    for (unsigned s = 0; ok && s < f->reach->n_stmt; s++)
        ok = !pg_reach_has(f->reach, s) || find_reads(f, s);
    ok = ok &&
         isl_union_map_foreach_map(f->scop->raw, &add_edge, f) == isl_stat_ok;
    for (unsigned i = 0; i < f->flow.n; i++)
        carried |= largest(f->flow.edge[i].distance, 0, 1, 0) > 0;
    for (unsigned d = 0; ok && d < f->reach->n_dim; d++)
        ok = find_growth(f, d, true) && find_growth(f, d, false);
    if (ok && f->planes)
        find_behind(f);
    return ok && carried;
}

/* Stop at a dependence within the time loop. */
static isl_stat is_inside(__isl_take isl_map *order, void *user)
{
    const struct finding *f = user;
    int from, to;
    bool some = ends(f, order, &from, &to) && both_inside(f, from, to);

    isl_map_free(order);
    return some ? isl_stat_error : isl_stat_ok;
}

/* Does an instance in the time loop use what another one there computes? */
static bool has_flow(struct finding *f)
{
    return isl_union_map_foreach_map(f->scop->raw, &is_inside, f) !=
           isl_stat_ok;
}

/* Is part "number" of the SCoP a time loop with bounded distances? */
static bool find_in_part(struct finding *f, unsigned number)
{
    isl_union_pw_aff *time = take_part(f, number);
    unsigned n = 0;
    bool ok;

    for (unsigned s = 0; s < f->reach->n_stmt; s++)
        n += pg_reach_has(f->reach, s);
    ok = time && n <= MAX_STMTS && has_flow(f) && (time = from_zero(f, time)) &&
         find_places(f, time) && are_regular(f) && find_distances(f);
    isl_union_pw_aff_free(time);
    clear_edges(&f->flow);
    clear_edges(&f->order);
    return ok;
}

/* Find the first loop of the SCoP, which has its dependences, that is a time
 * loop with bounded distances; false if there is none.  "planes": also how far
 * these have to be behind each other.  To be cleared whatever comes out.
 */
bool pg_reach_find(struct pg_reach *reach, const struct pg_scop *scop,
                   bool planes)
{
    unsigned n = count_parts(scop);
    bool found = false;

    memset(reach, 0, sizeof(*reach));
    for (unsigned i = 0; !found && i < n; i++) {
        struct finding f = {.reach = reach, .scop = scop, .planes = planes};

        pg_reach_clear(reach);
        reach->n_stmt = scop->n_stmt;
        reach->behind = planes ? 0 : -1;
        reach->stmt = pg_alloc(scop->n_stmt, sizeof(*reach->stmt));
        reach->written = pg_alloc(scop->n_array, sizeof(*reach->written));
        found = find_in_part(&f, i);
    }
    return found;
}

/* How much more than its own part a block uses in dimension "dim" that computes
 * so many steps.
 */
struct pg_sides pg_reach_box(const struct pg_reach *reach, unsigned dim,
                             long steps)
{
    struct pg_sides most = {0, 0};

    for (unsigned s = 0; s < reach->n_stmt; s++) {
        const struct pg_reach_stmt *stmt = &reach->stmt[s];
        long below = stmt->more[dim].below + stmt->reads[dim].below;
        long above = stmt->more[dim].above + stmt->reads[dim].above;

        most.below = below > most.below ? below : most.below;
        most.above = above > most.above ? above : most.above;
    }
    most.below += (steps - 1) * reach->step[dim].below;
    most.above += (steps - 1) * reach->step[dim].above;
    return most;
}

/* Where a launch of so many steps has the planes x0 of "array", which the loop
 * writes, if they come one after the other.
 */
struct pg_planes pg_reach_planes(const struct pg_reach *reach,
                                 const struct pg_scop *scop, unsigned array,
                                 long steps)
{
    struct pg_planes p = {NO_BOUND, 0, 0};
    long last = 0, further = reach->behind * (steps - 1);

    for (unsigned s = 0; s < reach->n_stmt; s++) {
        const struct pg_reach_stmt *own = &reach->stmt[s];

        for (unsigned a = 0;
             pg_reach_has(reach, s) && a < scop->stmts[s].n_access; a++) {
            const struct pg_access *access = &scop->stmts[s].accesses[a];
            long below = access->write ? 0 : own->reads[0].below;
            long above = access->write ? 0 : own->reads[0].above;

            if (access->array != array)
                continue;
            if (own->behind - above < p.load)
                p.load = own->behind - above;
            if (access->write && own->behind + further > p.store)
                p.store = own->behind + further;
            if (own->behind + below + further > last)
                last = own->behind + below + further;
        }
    }
    p.n = last - p.load + 1;
    return p;
}

/* Free what "reach" holds; it is empty then. */
void pg_reach_clear(struct pg_reach *reach)
{
    for (unsigned s = 0; s < reach->n_stmt; s++)
        isl_map_free(reach->stmt[s].at);
    free(reach->stmt);
    free(reach->written);
    isl_pw_aff_free(reach->last);
    memset(reach, 0, sizeof(*reach));
}
