/* collapsed_point.c - the one point that stands for all of a thread, and what
 * is known of it and of single ones (collapse.c).
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "generate/collapsed_point.h"
#include "generate/loops.h"
#include "map/mapping.h"
#include "map/marks.h"
#include "polygpu/polyhedral.h"
#include "support/text.h"

#include <isl/constraint.h>
#include <isl/local_space.h>
#include <isl/schedule_node.h>
#include <isl/space.h>
#include <isl/val.h>
#include <stdlib.h>
#include <string.h>

/* Loop number "d" of the points is one of these of "points". */
unsigned pg_collapse_extent(const struct pg_thread_points *points, unsigned d)
{
    const struct pg_unroll *unroll = &points->unroll;

    return unroll->extent[unroll->n - 2 * points->n + d];
}

/* Is "id" that of a mark above points? */
bool pg_collapse_is_mark(__isl_keep isl_id *id)
{
    return id && !strcmp(isl_id_get_name(id), PG_MARK_UNROLL);
}

/* "space" of parameters with "id" as the last one. */
__isl_give isl_space *pg_collapse_param(__isl_take isl_space *space,
                                        __isl_take isl_id *id)
{
    isl_size n = isl_space_dim(space, isl_dim_param);

    space = isl_space_add_dims(space, isl_dim_param, 1);
    return isl_space_set_dim_id(space, isl_dim_param, (unsigned)n, id);
}

__isl_give isl_space *pg_collapse_named(__isl_take isl_space *space, char kind,
                                        unsigned number)
{
    char *name = pg_format("%c%u", kind, number);
    isl_id *id = isl_id_alloc(isl_space_get_ctx(space), name, NULL);

    free(name);
    return pg_collapse_param(space, id);
}

/* Is "c" about the parameter "id"? */
bool pg_collapse_involves(__isl_keep isl_constraint *c, __isl_keep isl_id *id)
{
    isl_space *space = isl_constraint_get_space(c);
    int at = isl_space_find_dim_by_id(space, isl_dim_param, id);

    isl_space_free(space);
    return at >= 0 && isl_constraint_involves_dims(
                          c, isl_dim_param, (unsigned)at, 1) != isl_bool_false;
}

/* Does the band over the points of "points" come below "mark", after one over
 * steps at most, with nothing below it?
 */
static bool has_points(__isl_keep isl_schedule_node *mark,
                       const struct pg_thread_points *points)
{
    isl_schedule_node *at =
        isl_schedule_node_child(isl_schedule_node_copy(mark), 0);
    bool found;

    if (points->unroll.n > 2 * points->n)
        at = isl_schedule_node_child(at, 0);
    found = isl_schedule_node_get_type(at) == isl_schedule_node_band &&
            isl_schedule_node_band_n_member(at) == (isl_size)(2 * points->n);
    if (found) {
        at = isl_schedule_node_child(at, 0);
        found = isl_schedule_node_get_type(at) == isl_schedule_node_leaf;
    }
    isl_schedule_node_free(at);
    return found;
}

/* "c" with "factor" times the parameter that "id" or, if that is NULL,
 * "<kind><number>" names.
 */
static __isl_give isl_constraint *add_term(__isl_take isl_constraint *c,
                                           isl_id *id, char kind,
                                           unsigned number, long long factor)
{
    isl_space *space = isl_constraint_get_space(c);
    char *name = pg_format("%c%u", kind, number);
    int at = id ? isl_space_find_dim_by_id(space, isl_dim_param, id)
                : isl_space_find_dim_by_name(space, isl_dim_param, name);

    free(name);
    isl_space_free(space);
    return at < 0 ? isl_constraint_free(c)
                  : isl_constraint_set_coefficient_si(c, isl_dim_param, at,
                                                      (int)factor);
}

/* { [p..., ...] } of "n" loops: the point that the parameters name. */
static __isl_give isl_set *one_point(isl_ctx *ctx, unsigned n,
                                     const struct pg_collapsed_item *item)
{
    const struct pg_thread_points *points = item->points;
    isl_space *space = isl_space_params_alloc(ctx, 0);
    isl_local_space *local;
    isl_set *set;

    for (unsigned d = 0; d < points->n; d++) {
        space = pg_collapse_named(space, 'b', points->n - 1 - d);
        if (points->threads[d] > 1)
            space = pg_collapse_named(space, 't', points->n - 1 - d);
    }
    for (unsigned d = 0; d < item->n_loop; d++)
        if (item->loop[d])
            space = pg_collapse_param(space, isl_id_copy(item->loop[d]));
    space =
        isl_space_add_dims(isl_space_set_from_params(space), isl_dim_set, n);
    set = isl_set_universe(isl_space_copy(space));
    local = isl_local_space_from_space(space);
    for (unsigned d = 0; d < points->n; d++) {
        isl_constraint *c =
            isl_constraint_alloc_equality(isl_local_space_copy(local));
        isl_id *q = item->loop[d], *v = item->loop[points->n + d];
        long long vector = points->vector[d];

        c = isl_constraint_set_coefficient_si(c, isl_dim_set, (int)d, -1);
        c = add_term(c, NULL, 'b', points->n - 1 - d, points->tile[d]);
        if (points->threads[d] > 1)
            c = add_term(c, NULL, 't', points->n - 1 - d, vector);
        if (q)
            c = add_term(c, q, 0, 0, vector * points->threads[d]);
        if (v)
            c = add_term(c, v, 0, 0, 1);
        set = isl_set_add_constraint(set, c);
    }
    isl_local_space_free(local);
    return set;
}

/* "params" with the bounds of the loops of "item". */
static __isl_give isl_set *bound_loops(__isl_take isl_set *params,
                                       const struct pg_collapsed_item *item)
{
    for (unsigned d = 0; params && d < item->n_loop; d++) {
        isl_space *space;
        isl_set *bound;

        if (!item->loop[d])
            continue;
        space = isl_space_params_alloc(isl_set_get_ctx(params), 0);
        space = pg_collapse_param(space, isl_id_copy(item->loop[d]));
        bound = isl_set_universe(space);
        bound = isl_set_lower_bound_si(bound, isl_dim_param, 0, 0);
        bound = isl_set_upper_bound_si(
            bound, isl_dim_param, 0,
            (int)pg_collapse_extent(item->points, d) - 1);
        params = isl_set_intersect(bound, params);
    }
    return params;
}

/* "set" for threads of which number "n" is 0. */
static __isl_give isl_set *only_first(__isl_take isl_set *set, unsigned n)
{
    isl_space *space = pg_collapse_named(
        isl_space_params_alloc(isl_set_get_ctx(set), 0), 't', n);
    isl_set *first =
        isl_set_fix_si(isl_set_universe(space), isl_dim_param, 0, 0);

    return isl_set_intersect_params(set, first);
}

/* What is known of the points "all", { [p..., ...] }, of a tile for some of
 * those in the first "n" loops.
 */
static __isl_give isl_set *condition_of_tile(__isl_keep isl_set *all,
                                             unsigned n,
                                             __isl_keep isl_set *context)
{
    isl_set *tile =
        isl_set_intersect_params(isl_set_copy(all), isl_set_copy(context));

    tile =
        isl_set_eliminate(isl_set_detect_equalities(tile), isl_dim_set, 0, n);
    return isl_set_gist_params(isl_set_coalesce(tile), isl_set_copy(context));
}

/* { S[i] -> [p..., ...] } of "points" for the instances "domain". */
static __isl_give isl_map *point_of(const struct pg_thread_points *points,
                                    __isl_keep isl_set *domain)
{
    isl_set *all = isl_set_universe(isl_set_get_space(domain));

    return isl_map_from_union_map(isl_union_map_intersect_domain(
        isl_union_map_copy(points->point), isl_union_set_from_set(all)));
}

/* The conditions of a set: those that depend on the point, and others. */
struct parts {
    const struct pg_collapsed_item *item;
    isl_basic_set *guard, *rest;
};

/* Does "c", of { [p..., ...] }, depend on the point? */
static bool depends_on_point(__isl_keep isl_constraint *c,
                             const struct pg_collapsed_item *item)
{
    for (unsigned d = 0; d < item->n_loop; d++)
        if (item->loop[d] && pg_collapse_involves(c, item->loop[d]))
            return true;
    return isl_constraint_involves_dims(c, isl_dim_set, 0, item->points->n) !=
           isl_bool_false;
}

static isl_stat add_to_part(__isl_take isl_constraint *c, void *user)
{
    struct parts *parts = user;

    if (depends_on_point(c, parts->item))
        parts->guard = isl_basic_set_add_constraint(parts->guard, c);
    else
        parts->rest = isl_basic_set_add_constraint(parts->rest, c);
    return parts->guard && parts->rest ? isl_stat_ok : isl_stat_error;
}

/* The conditions of all of "set", at the point "one", that depend on the point,
 * beyond "known"; others become conditions of "*tile".  They are taken in front
 * of "one": of what is known to be equal then there would be one of several
 * forms, which is not that of the next piece.
 */
static __isl_give isl_set *
conditions_of_point(__isl_keep isl_set *set, __isl_keep isl_set *one,
                    __isl_keep isl_set *known,
                    const struct pg_collapsed_item *item, isl_set **tile)
{
    isl_space *space = isl_set_get_space(known);
    isl_set *all =
        isl_set_intersect(isl_set_from_basic_set(
                              isl_set_unshifted_simple_hull(isl_set_copy(set))),
                          isl_set_copy(one));
    isl_basic_set *hull =
        isl_set_simple_hull(isl_set_gist(all, isl_set_copy(known)));
    struct parts parts = {item, isl_basic_set_universe(isl_space_copy(space)),
                          isl_basic_set_universe(space)};

    if (isl_basic_set_foreach_constraint(hull, &add_to_part, &parts) !=
        isl_stat_ok)
        parts.guard = isl_basic_set_free(parts.guard);
    isl_basic_set_free(hull);
    *tile = isl_set_intersect(*tile, isl_set_from_basic_set(parts.rest));
    return isl_set_from_basic_set(parts.guard);
}

/* Is "domain" what of "tile", at the point "one", is known and in "guard"? */
static isl_bool is_parted(__isl_keep isl_set *domain, __isl_keep isl_set *tile,
                          __isl_keep isl_set *one, __isl_keep isl_set *known,
                          __isl_keep isl_set *guard)
{
    isl_set *both = isl_set_intersect(isl_set_copy(tile), isl_set_copy(guard));
    isl_bool same;

    both = isl_set_intersect(both, isl_set_copy(one));
    both = isl_set_intersect_params(both, isl_set_copy(known));
    same = isl_set_is_equal(both, domain);
    isl_set_free(both);
    return same;
}

enum { MAX_PIECES = 3 }; /* of a condition on points */

struct taking {
    const struct pg_mapping *mapping;
    isl_set *context; /* of blocks and threads */
    struct pg_collapsed *collapsed;
    struct pg_collapsed_item *item;
    isl_union_set *left; /* { S[i] }: all of what cannot be taken somewhere */
};

/* Part "all", { [p..., ...] }, at the point "one", which the parameters name,
 * into what is known of "*tile" and "*guard".
 */
static bool part(const struct taking *t, __isl_keep isl_set *all,
                 __isl_keep isl_set *one, isl_set **tile, isl_set **guard)
{
    isl_set *known = bound_loops(isl_set_copy(t->context), t->item);
    isl_set *there = isl_set_intersect_params(
        isl_set_intersect(isl_set_copy(*tile), isl_set_copy(one)),
        isl_set_copy(known));
    isl_set *here = isl_set_intersect(isl_set_copy(all), isl_set_copy(one));
    isl_bool parted;

    here = isl_set_intersect_params(here, isl_set_copy(known));
    here = isl_set_detect_equalities(here);
    *guard = conditions_of_point(all, one, there, t->item, tile);
    parted = is_parted(here, *tile, one, known, *guard);
    if (parted == isl_bool_false) {
        isl_set_free(*guard);
        *guard = isl_set_gist(isl_set_copy(here), isl_set_copy(there));
        parted = isl_bool_ok(isl_set_n_basic_set(*guard) <= MAX_PIECES);
    }
    isl_set_free(there);
    isl_set_free(here);
    isl_set_free(known);
    return parted == isl_bool_true;
}

/* The instances at the points "points", by "point". */
static __isl_give isl_union_set *instances(__isl_keep isl_map *point,
                                           __isl_take isl_set *points)
{
    return isl_union_set_from_set(
        isl_map_domain(isl_map_intersect_range(isl_map_copy(point), points)));
}

/* "points", { [p..., ...] }, with zeros in the first "n" loops. */
static __isl_give isl_set *first_point(__isl_take isl_set *points, unsigned n)
{
    for (unsigned d = 0; d < n; d++)
        points = isl_set_fix_si(points, isl_dim_set, d, 0);
    return points;
}

/* { S[i] -> S[i'] } from any point in the first "n" loops to the point "one".
 */
static __isl_give isl_map *to_point(__isl_keep isl_map *point,
                                    __isl_take isl_set *one, unsigned n)
{
    isl_map *move = isl_map_from_domain_and_range(
        isl_set_universe(isl_set_get_space(one)), isl_set_copy(one));
    isl_size all = isl_set_dim(one, isl_dim_set);

    isl_set_free(one);
    for (int d = (int)n; d < all; d++)
        move = isl_map_equate(move, isl_dim_in, d, isl_dim_out, d);
    move = isl_map_apply_range(isl_map_copy(point), move);
    return isl_map_apply_range(move, isl_map_reverse(isl_map_copy(point)));
}

/* Does each point have one instance in "point", { S[i] -> [p..., ...] }, so
 * that conditions on points are the same on instances?
 */
static bool has_all_points(__isl_keep isl_map *point)
{
    isl_set *reached = isl_map_range(isl_map_copy(point));
    bool all = isl_set_plain_is_universe(reached) == isl_bool_true &&
               isl_map_is_bijective(point) == isl_bool_true;

    isl_set_free(reached);
    return all;
}

/* Take one point of "domain", { S[i] } in front of the filter of threads; an
 * error if that cannot be.
 */
static isl_stat take_one(__isl_take isl_set *domain, void *user)
{
    struct taking *t = user;
    struct pg_collapsed_item *item = t->item;
    const struct pg_thread_points *points = item->points;
    isl_map *point = point_of(points, domain);
    isl_set *all = isl_set_apply(domain, isl_map_copy(point));
    isl_set *one, *tile, *guard;
    isl_bool always, never;
    bool parted;

    if (!all) {
        isl_map_free(point);
        return isl_stat_error;
    }
    one = one_point(isl_set_get_ctx(all),
                    (unsigned)isl_set_dim(all, isl_dim_set), item);
    if (points->more)
        all = only_first(all, points->n);
    tile = condition_of_tile(all, points->n, t->context);
    parted = part(t, all, one, &tile, &guard);
    isl_set_free(all);
    always = isl_set_plain_is_universe(guard);
    // A union has no room for what is empty, where "guard" says "never".
    never = isl_set_is_empty(guard);
    parted &= has_all_points(point);
    item->domain = isl_union_set_union(
        item->domain, instances(point, first_point(tile, points->n)));
    item->to_point =
        isl_union_map_add_map(item->to_point, to_point(point, one, points->n));
    if (always == isl_bool_false)
        item->guard = isl_union_set_union(item->guard, instances(point, guard));
    else
        isl_set_free(guard);
    isl_map_free(point);
    return always >= 0 && parted && never == isl_bool_false ? isl_stat_ok
                                                            : isl_stat_error;
}

void pg_collapsed_clear_item(struct pg_collapsed_item *item)
{
    for (unsigned d = 0; d < item->n_loop; d++)
        isl_id_free(item->loop[d]);
    free(item->loop);
    isl_id_free(item->mark);
    isl_union_set_free(item->domain);
    isl_union_set_free(item->guard);
    isl_union_map_free(item->to_point);
}

/* The loops over "points", with their depths. */
static void make_loops(struct pg_collapsed_item *item,
                       __isl_keep isl_set *context)
{
    const struct pg_unroll *unroll = &item->points->unroll;

    item->n_loop = 2 * item->points->n;
    item->loop = pg_alloc(item->n_loop, sizeof(*item->loop));
    for (unsigned d = 0; d < item->n_loop; d++) {
        unsigned depth = unroll->first + unroll->n - item->n_loop + d;

        if (pg_collapse_extent(item->points, d) > 1)
            item->loop[d] = pg_loop_id('u', depth, context);
    }
}

/* All of what runs at "node", in front of the filter of threads above it. */
static __isl_give isl_union_set *
domain_of_block(__isl_keep isl_schedule_node *node)
{
    isl_schedule_node *filter =
        isl_schedule_node_parent(isl_schedule_node_copy(node));
    isl_union_set *all, *mine;

    while (filter &&
           isl_schedule_node_get_type(filter) != isl_schedule_node_filter)
        filter = isl_schedule_node_parent(filter);
    mine = isl_schedule_node_filter_get_filter(filter);
    all = isl_union_set_intersect(isl_schedule_node_get_domain(filter),
                                  isl_union_set_universe(mine));
    isl_schedule_node_free(filter);
    return all;
}

/* Take the points below the mark "node", if that can be. */
static isl_bool take_points(__isl_keep isl_schedule_node *node, void *user)
{
    struct taking *t = user;
    struct pg_collapsed_item item = {0};
    isl_union_set *all;
    bool taken;

    if (isl_schedule_node_get_type(node) != isl_schedule_node_mark)
        return isl_bool_true;
    item.mark = isl_schedule_node_mark_get_id(node);
    if (!pg_collapse_is_mark(item.mark)) {
        isl_id_free(item.mark);
        return isl_bool_true;
    }
    item.points = isl_id_get_user(item.mark);
    make_loops(&item, t->context);
    item.domain = isl_union_set_empty(isl_set_get_space(t->context));
    item.guard = isl_union_set_copy(item.domain);
    item.to_point = isl_union_map_empty(isl_set_get_space(t->context));
    t->item = &item;
    all = domain_of_block(node);
    taken = item.points->n == t->mapping->n_grid &&
            has_points(node, item.points) &&
            isl_union_set_foreach_set(all, &take_one, t) == isl_stat_ok;
    if (taken) {
        t->collapsed->item = pg_grow(t->collapsed->item, t->collapsed->n,
                                     sizeof(*t->collapsed->item));
        t->collapsed->item[t->collapsed->n++] = item;
        isl_union_set_free(all);
        return isl_bool_true;
    }
    pg_collapsed_clear_item(&item);
    t->left = isl_union_set_union(t->left, isl_union_set_universe(all));
    return isl_bool_true;
}

/* Leave number "i" of what is taken. */
static void leave(struct taking *t, unsigned i)
{
    struct pg_collapsed *collapsed = t->collapsed;
    struct pg_collapsed_item *item = &collapsed->item[i];

    t->left = isl_union_set_union(
        t->left, isl_union_set_universe(isl_union_set_copy(item->domain)));
    pg_collapsed_clear_item(item);
    collapsed->n--;
    memmove(item, item + 1, (collapsed->n - i) * sizeof(*item));
}

/* Of each statement, load and store all points are taken, or none: the filters
 * above have conditions that are only for those that are not.
 */
static bool leave_some(struct taking *t)
{
    for (unsigned i = 0; i < t->collapsed->n; i++) {
        isl_bool apart =
            isl_union_set_is_disjoint(t->collapsed->item[i].domain, t->left);

        if (apart < 0)
            return false;
        if (apart)
            continue;
        leave(t, i);
        return true;
    }
    return false;
}

/* Take the points of "tree" of "mapping" of which that can be, as
 * "collapsed"; "context" is what is known of blocks and threads.
 */
void pg_collapse_take(__isl_keep isl_schedule *tree,
                      const struct pg_mapping *mapping,
                      __isl_keep isl_set *context,
                      struct pg_collapsed *collapsed)
{
    struct taking t = {.mapping = mapping,
                       .context = context,
                       .collapsed = collapsed,
                       .left = isl_union_set_empty(isl_set_get_space(context))};

    isl_schedule_foreach_schedule_node_top_down(tree, &take_points, &t);
    while (leave_some(&t))
        ;
    isl_union_set_free(t.left);
}
