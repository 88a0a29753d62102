/* points.c - loops over the points of a thread, which isl does not make.
 *
 * The innermost loops of a kernel with registers are over the points of a
 * thread.  There are four of them around a statement of a matrix product, and
 * as many around each load and store of its registers, in full tiles and in
 * others; all have known lengths, and isl took most of the time of a kernel's
 * loops to find that out for each of them, with conditions on quotients of
 * tiles and threads.  So isl is given one point only, zero in the parallel
 * loops.  What is known of the instances of a tile, for some point of it, is a
 * condition of that one; what depends on the point is tested inside of the
 * loops, which are made around isl's node (pg_points_loops).  In that the
 * numbers of the point are parameters: member d of the parallel loops is
 *
 *   tile b + vector threads q + vector t + v
 *
 * of parameters only, without any quotient (pg_points_schedule).  The instances
 * that run are the same: conditions are parted by gist, which says that both
 * together are the domain.
 *
 * That takes a block's tile to be known by its number (without_tiles in
 * kernel.c).
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "generate/points.h"
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

/* isl's functions, as in its own headers, which are not installed. */
__isl_give isl_ast_node *isl_ast_node_alloc_for(__isl_take isl_id *id);
__isl_give isl_ast_node *
isl_ast_node_for_set_init(__isl_take isl_ast_node *node,
                          __isl_take isl_ast_expr *init);
__isl_give isl_ast_node *
isl_ast_node_for_set_cond(__isl_take isl_ast_node *node,
                          __isl_take isl_ast_expr *cond);
__isl_give isl_ast_node *isl_ast_node_for_set_inc(__isl_take isl_ast_node *node,
                                                  __isl_take isl_ast_expr *inc);
__isl_give isl_ast_node *
isl_ast_node_for_set_body(__isl_take isl_ast_node *node,
                          __isl_take isl_ast_node *body);
__isl_give isl_ast_node *isl_ast_node_alloc_if(__isl_take isl_ast_expr *guard);
__isl_give isl_ast_node *
isl_ast_node_if_set_then(__isl_take isl_ast_node *node,
                         __isl_take isl_ast_node *child);

/* ---- which points ------------------------------------------------ */

/* Loop number "d" of the points is one of these of "points". */
static unsigned extent_of(const struct pg_thread_points *points, unsigned d)
{
    const struct pg_unroll *unroll = &points->unroll;

    return unroll->extent[unroll->n - 2 * points->n + d];
}

/* Is "id" that of a mark above points? */
static bool is_unroll(__isl_keep isl_id *id)
{
    return id && !strcmp(isl_id_get_name(id), PG_MARK_UNROLL);
}

/* The mark of points at or below "node", along single children; NULL if there
 * is none.
 */
static __isl_give isl_id *mark_below(__isl_keep isl_schedule_node *node)
{
    isl_schedule_node *at = isl_schedule_node_copy(node);
    isl_id *found = NULL;

    while (at) {
        if (isl_schedule_node_get_type(at) == isl_schedule_node_mark)
            found = isl_schedule_node_mark_get_id(at);
        if (is_unroll(found))
            break;
        found = isl_id_free(found);
        if (isl_schedule_node_n_children(at) != 1)
            break;
        at = isl_schedule_node_child(at, 0);
    }
    isl_schedule_node_free(at);
    return found;
}

static const struct pg_collapsed_item *
find(const struct pg_collapsed *collapsed, __isl_keep isl_id *mark)
{
    for (unsigned i = 0; i < collapsed->n; i++)
        if (collapsed->item[i].mark == mark)
            return &collapsed->item[i];
    return NULL;
}

/* The points of which "node" is the filter of threads, if they are taken. */
static const struct pg_collapsed_item *
taken_at(const struct pg_collapsed *collapsed,
         __isl_keep isl_schedule_node *node)
{
    isl_id *mark = mark_below(node);
    const struct pg_collapsed_item *item = mark ? find(collapsed, mark) : NULL;

    isl_id_free(mark);
    return item;
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

/* ---- the one instance -------------------------------------------- */

/* "space" of parameters with "id" as the last one. */
static __isl_give isl_space *add_param(__isl_take isl_space *space,
                                       __isl_take isl_id *id)
{
    isl_size n = isl_space_dim(space, isl_dim_param);

    space = isl_space_add_dims(space, isl_dim_param, 1);
    return isl_space_set_dim_id(space, isl_dim_param, (unsigned)n, id);
}

static __isl_give isl_space *add_named(__isl_take isl_space *space, char kind,
                                       unsigned number)
{
    char *name = pg_format("%c%u", kind, number);
    isl_id *id = isl_id_alloc(isl_space_get_ctx(space), name, NULL);

    free(name);
    return add_param(space, id);
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
        space = add_named(space, 'b', points->n - 1 - d);
        if (points->threads[d] > 1)
            space = add_named(space, 't', points->n - 1 - d);
    }
    for (unsigned d = 0; d < item->n_loop; d++)
        if (item->loop[d])
            space = add_param(space, isl_id_copy(item->loop[d]));
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
        space = add_param(space, isl_id_copy(item->loop[d]));
        bound = isl_set_universe(space);
        bound = isl_set_lower_bound_si(bound, isl_dim_param, 0, 0);
        bound = isl_set_upper_bound_si(bound, isl_dim_param, 0,
                                       (int)extent_of(item->points, d) - 1);
        params = isl_set_intersect(bound, params);
    }
    return params;
}

/* "set" for threads of which number "n" is 0. */
static __isl_give isl_set *only_first(__isl_take isl_set *set, unsigned n)
{
    isl_space *space =
        add_named(isl_space_params_alloc(isl_set_get_ctx(set), 0), 't', n);
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

/* Is "c" about the parameter "id"? */
static bool involves(__isl_keep isl_constraint *c, __isl_keep isl_id *id)
{
    isl_space *space = isl_constraint_get_space(c);
    int at = isl_space_find_dim_by_id(space, isl_dim_param, id);

    isl_space_free(space);
    return at >= 0 && isl_constraint_involves_dims(
                          c, isl_dim_param, (unsigned)at, 1) != isl_bool_false;
}

/* Does "c", of { [p..., ...] }, depend on the point? */
static bool depends_on_point(__isl_keep isl_constraint *c,
                             const struct pg_collapsed_item *item)
{
    for (unsigned d = 0; d < item->n_loop; d++)
        if (item->loop[d] && involves(c, item->loop[d]))
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

static void clear_item(struct pg_collapsed_item *item)
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

        if (extent_of(item->points, d) > 1)
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
    if (!is_unroll(item.mark)) {
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
    clear_item(&item);
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
    clear_item(item);
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

/* ---- the tree ---------------------------------------------------- */

static __isl_give isl_schedule *rebuild(__isl_keep isl_schedule_node *node,
                                        __isl_take isl_union_set *domain,
                                        const struct pg_collapsed *collapsed);

static __isl_give isl_schedule *
rebuild_child(__isl_keep isl_schedule_node *node, unsigned i,
              __isl_take isl_union_set *domain,
              const struct pg_collapsed *collapsed)
{
    isl_schedule_node *child = isl_schedule_node_get_child(node, (int)i);
    isl_schedule *tree = rebuild(child, domain, collapsed);

    isl_schedule_node_free(child);
    return tree;
}

/* "first" and then "second"; NULL if they have instances in common. */
static __isl_give isl_schedule *then(__isl_take isl_schedule *first,
                                     __isl_take isl_schedule *second)
{
    isl_union_set *a = isl_schedule_get_domain(first);
    isl_union_set *b = isl_schedule_get_domain(second);
    isl_bool apart = isl_union_set_is_disjoint(a, b);

    isl_union_set_free(a);
    isl_union_set_free(b);
    if (apart == isl_bool_true)
        return isl_schedule_sequence(first, second);
    isl_schedule_free(first);
    isl_schedule_free(second);
    return NULL;
}

/* What is below the sequence "node", each with the instances of its filter. */
static __isl_give isl_schedule *
rebuild_sequence(__isl_keep isl_schedule_node *node,
                 __isl_take isl_union_set *domain,
                 const struct pg_collapsed *collapsed)
{
    isl_size n = isl_schedule_node_n_children(node);
    isl_schedule *all = NULL;

    for (int i = 0; i < n; i++) {
        isl_schedule_node *child = isl_schedule_node_get_child(node, i);
        isl_union_set *mine = isl_schedule_node_filter_get_filter(child);
        isl_schedule *one;

        mine = isl_union_set_intersect(isl_union_set_copy(domain), mine);
        one = rebuild_child(child, 0, mine, collapsed);
        all = i > 0 ? then(all, one) : one;
        isl_schedule_node_free(child);
    }
    isl_union_set_free(domain);
    return all;
}

/* "filter" with all instances of what is taken. */
static __isl_give isl_union_set *relax(__isl_take isl_union_set *filter,
                                       const struct pg_collapsed *collapsed)
{
    for (unsigned i = 0; i < collapsed->n; i++) {
        isl_union_set *all = isl_union_set_universe(
            isl_union_set_copy(collapsed->item[i].domain));

        all = isl_union_set_intersect(
            all, isl_union_set_universe(isl_union_set_copy(filter)));
        filter = isl_union_set_union(filter, all);
    }
    return isl_union_set_coalesce(filter);
}

/* Into "node", the top of what is below, insert what "was" is. */
static __isl_give isl_schedule_node *
insert_again(__isl_take isl_schedule_node *node,
             __isl_keep isl_schedule_node *was,
             const struct pg_collapsed *collapsed)
{
    isl_size n;

    switch (isl_schedule_node_get_type(was)) {
    case isl_schedule_node_filter:
        return isl_schedule_node_insert_filter(
            node, relax(isl_schedule_node_filter_get_filter(was), collapsed));
    case isl_schedule_node_guard:
        return isl_schedule_node_insert_guard(
            node, isl_schedule_node_guard_get_guard(was));
    case isl_schedule_node_mark:
        return isl_schedule_node_insert_mark(
            node, isl_schedule_node_mark_get_id(was));
    case isl_schedule_node_band:
        node = isl_schedule_node_insert_partial_schedule(
            node, isl_schedule_node_band_get_partial_schedule(was));
        n = isl_schedule_node_band_n_member(was);
        for (int i = 0; i < n; i++)
            node = isl_schedule_node_band_member_set_coincident(
                node, i, isl_schedule_node_band_member_get_coincident(was, i));
        node = isl_schedule_node_band_set_permutable(
            node, isl_schedule_node_band_get_permutable(was));
        return isl_schedule_node_band_set_ast_build_options(
            node, isl_schedule_node_band_get_ast_build_options(was));
    default:
        return isl_schedule_node_free(node);
    }
}

/* The tree at "node" for "domain", with the points that are taken. */
static __isl_give isl_schedule *rebuild(__isl_keep isl_schedule_node *node,
                                        __isl_take isl_union_set *domain,
                                        const struct pg_collapsed *collapsed)
{
    enum isl_schedule_node_type type = isl_schedule_node_get_type(node);
    const struct pg_collapsed_item *item = NULL;
    isl_schedule_node *at;
    isl_schedule *tree;

    if (type == isl_schedule_node_leaf)
        return isl_schedule_from_domain(domain);
    if (type == isl_schedule_node_error) {
        isl_union_set_free(domain);
        return NULL;
    }
    if (type == isl_schedule_node_domain)
        return rebuild_child(node, 0, domain, collapsed);
    if (type == isl_schedule_node_sequence)
        return rebuild_sequence(node, domain, collapsed);
    if (type == isl_schedule_node_filter)
        item = taken_at(collapsed, node);
    if (item) {
        isl_union_set_free(domain);
        return rebuild_child(node, 0, isl_union_set_copy(item->domain),
                             collapsed);
    }
    tree = rebuild_child(node, 0, domain, collapsed);
    if (!tree)
        return NULL;
    at = isl_schedule_get_root(tree);
    isl_schedule_free(tree);
    at = insert_again(isl_schedule_node_child(at, 0), node, collapsed);
    tree = isl_schedule_node_get_schedule(at);
    isl_schedule_node_free(at);
    return tree;
}

/* Delete the band over points below the mark "node", if they are taken. */
static __isl_give isl_schedule_node *
delete_points(__isl_take isl_schedule_node *node, void *user)
{
    const struct pg_collapsed *collapsed = user;
    const struct pg_collapsed_item *item = NULL;
    isl_schedule_node *at;
    isl_id *id;
    unsigned up = 0;

    if (isl_schedule_node_get_type(node) != isl_schedule_node_band)
        return node;
    at = isl_schedule_node_copy(node);
    while (!item && up < 2) {
        at = isl_schedule_node_parent(at);
        up++;
        if (isl_schedule_node_get_type(at) != isl_schedule_node_mark)
            continue;
        id = isl_schedule_node_mark_get_id(at);
        item = find(collapsed, id);
        isl_id_free(id);
    }
    isl_schedule_node_free(at);
    if (!item || up != item->points->unroll.n - item->n_loop + 1)
        return node;
    return isl_schedule_node_delete(node);
}

/* "tree" of "mapping", whose blocks have one tile each, with one point in place
 * of all of a thread where that can be: these are "collapsed".  "context" is
 * what is known of blocks and threads.
 */
__isl_give isl_schedule *pg_points_collapse(__isl_take isl_schedule *tree,
                                            const struct pg_mapping *mapping,
                                            __isl_keep isl_set *context,
                                            struct pg_collapsed *collapsed)
{
    struct taking t = {.mapping = mapping,
                       .context = context,
                       .collapsed = collapsed,
                       .left = isl_union_set_empty(isl_set_get_space(context))};
    isl_schedule *before = isl_schedule_copy(tree);
    isl_schedule_node *root;

    if (!tree || !context) {
        isl_union_set_free(t.left);
        isl_schedule_free(before);
        return tree;
    }
    isl_schedule_foreach_schedule_node_top_down(tree, &take_points, &t);
    while (leave_some(&t))
        ;
    isl_union_set_free(t.left);
    tree = isl_schedule_map_schedule_node_bottom_up(tree, &delete_points,
                                                    collapsed);
    root = isl_schedule_get_root(tree);
    isl_schedule_free(tree);
    tree = collapsed->n > 0
               ? rebuild(root, isl_schedule_get_domain(before), collapsed)
               : NULL;
    isl_schedule_node_free(root);
    if (!tree) {
        pg_collapsed_clear(collapsed);
        return before;
    }
    isl_schedule_free(before);
    return tree;
}

/* ---- the loops --------------------------------------------------- */

static isl_stat before_mark(__isl_keep isl_id *mark,
                            __isl_keep isl_ast_build *build, void *user)
{
    struct pg_collapsed *collapsed = user;
    const struct pg_collapsed_item *item = find(collapsed, mark);

    (void)build;
    if (item)
        collapsed->current = item;
    return isl_stat_ok;
}

static __isl_give isl_ast_node *after_mark(__isl_take isl_ast_node *node,
                                           __isl_keep isl_ast_build *build,
                                           void *user)
{
    struct pg_collapsed *collapsed = user;
    isl_id *mark = node ? isl_ast_node_mark_get_id(node) : NULL;

    (void)build;
    if (collapsed->current && collapsed->current->mark == mark)
        collapsed->current = NULL;
    isl_id_free(mark);
    return node;
}

/* Have "build" keep collapsed->current. */
__isl_give isl_ast_build *pg_points_watch(__isl_take isl_ast_build *build,
                                          struct pg_collapsed *collapsed)
{
    build = isl_ast_build_set_before_each_mark(build, &before_mark, collapsed);
    return isl_ast_build_set_after_each_mark(build, &after_mark, collapsed);
}

/* "schedule", { S[i] -> [loops] }, of the instance that isl knows of "at": of
 * the point that the parameters name.
 */
__isl_give isl_map *pg_points_schedule(const struct pg_collapsed_item *at,
                                       __isl_take isl_map *schedule)
{
    isl_space *stmt = isl_space_domain(isl_map_get_space(schedule));
    isl_space *pair = isl_space_map_from_set(stmt);

    return isl_map_apply_domain(schedule,
                                isl_union_map_extract_map(at->to_point, pair));
}

/* The number of parallel loops. */
unsigned pg_points_dims(const struct pg_collapsed_item *at)
{
    return at->points->n;
}

/* The block's tile in the parallel loops, { [loops] -> [b...] }, for "loops",
 * the set of all { [loops] }.
 */
__isl_give isl_pw_multi_aff *pg_points_tile(const struct pg_collapsed_item *at,
                                            __isl_take isl_set *loops)
{
    unsigned n = at->points->n;
    isl_map *tile = isl_map_from_domain(loops);

    tile = isl_map_add_dims(tile, isl_dim_out, n);
    for (unsigned d = 0; d < n; d++) {
        isl_space *space = isl_space_params_alloc(isl_id_get_ctx(at->mark), 0);

        // The number of the block is the first parameter then.
        tile = isl_map_align_params(tile, add_named(space, 'b', n - 1 - d));
        tile = isl_map_equate(tile, isl_dim_param, 0, isl_dim_out, (int)d);
    }
    return isl_pw_multi_aff_from_map(tile);
}

static __isl_give isl_ast_expr *number(isl_ctx *ctx, long long value)
{
    return isl_ast_expr_from_val(isl_val_int_from_si(ctx, (long)value));
}

/* The number of the point in each parallel loop, as a row that a NULL ends. */
isl_ast_expr **pg_points_numbers(const struct pg_collapsed_item *at)
{
    unsigned n = at->points->n;
    isl_ctx *ctx = isl_id_get_ctx(at->mark);
    isl_ast_expr **row = pg_alloc(n + 1, sizeof(*row));

    for (unsigned d = 0; d < n; d++) {
        isl_id *q = at->loop[d], *v = at->loop[n + d];

        row[d] = q ? isl_ast_expr_from_id(isl_id_copy(q)) : NULL;
        if (q && at->points->vector[d] > 1)
            row[d] =
                isl_ast_expr_mul(number(ctx, at->points->vector[d]), row[d]);
        if (v && row[d])
            row[d] =
                isl_ast_expr_add(row[d], isl_ast_expr_from_id(isl_id_copy(v)));
        else if (v)
            row[d] = isl_ast_expr_from_id(isl_id_copy(v));
        if (!row[d])
            row[d] = number(ctx, 0);
    }
    return row;
}

/* { [loops] -> S[i] }: the instance that "schedule", { S[i] -> [loops] }, has
 * at loops, as one piece: the loops are known to have it.
 */
static __isl_give isl_pw_multi_aff *instance_of(__isl_keep isl_map *schedule)
{
    isl_basic_map *hull =
        isl_map_affine_hull(isl_map_reverse(isl_map_copy(schedule)));

    return isl_pw_multi_aff_from_map(isl_map_from_basic_map(hull));
}

/* { [loops] } where "guard", { S[i] }, holds for the instance of "schedule", {
 * S[i]
 * -> [loops] }; NULL if it always does, or after an error: "*ok" becomes false.
 */
static __isl_give isl_set *guard_of(__isl_keep isl_union_set *guard,
                                    __isl_keep isl_map *schedule, bool *ok)
{
    isl_space *space = isl_space_domain(isl_map_get_space(schedule));
    isl_set *mine = isl_union_set_extract_set(guard, space);
    isl_bool always = isl_set_is_empty(mine);

    *ok = always >= 0;
    if (always == isl_bool_false)
        return isl_set_preimage_pw_multi_aff(mine, instance_of(schedule));
    isl_set_free(mine);
    return NULL;
}

/* Which of the loops over points comes at "place", from outside: where there
 * are conditions, both loops of a member after each other, so that what is
 * about one member is tested once for all points of the next.
 */
static unsigned loop_at(const struct pg_collapsed_item *at, unsigned place,
                        bool guarded)
{
    return guarded ? place / 2 + place % 2 * at->points->n : place;
}

/* The conditions that can be tested inside of the loop at "place". */
struct tested {
    const struct pg_collapsed_item *item;
    unsigned place;
    isl_basic_set *here;
};

/* Add "c" to those that are tested inside of a loop if that is the innermost
 * one that it is about.
 */
static isl_stat add_if_here(__isl_take isl_constraint *c, void *user)
{
    struct tested *tested = user;
    const struct pg_collapsed_item *item = tested->item;
    unsigned innermost = 0;

    for (unsigned place = 0; place < item->n_loop; place++) {
        isl_id *loop = item->loop[loop_at(item, place, true)];

        if (loop && involves(c, loop))
            innermost = place;
    }
    if (innermost == tested->place)
        tested->here = isl_basic_set_add_constraint(tested->here, c);
    else
        isl_constraint_free(c);
    return tested->here ? isl_stat_ok : isl_stat_error;
}

/* What of "guard", { [loops] }, can be tested inside of the loop of "at" at
 * "place", and not further outside; what is several sets, innermost.
 */
static __isl_give isl_set *tested_at(__isl_keep isl_set *guard,
                                     const struct pg_collapsed_item *at,
                                     unsigned place)
{
    isl_basic_set *all = isl_set_simple_hull(isl_set_copy(guard));
    struct tested tested = {at, place,
                            isl_basic_set_universe(isl_set_get_space(guard))};

    if (isl_set_n_basic_set(guard) > 1) {
        isl_basic_set_free(all);
        if (place + 1 < at->n_loop)
            return isl_set_from_basic_set(tested.here);
        isl_basic_set_free(tested.here);
        return isl_set_copy(guard);
    }
    if (isl_basic_set_foreach_constraint(all, &add_if_here, &tested) !=
        isl_stat_ok)
        tested.here = isl_basic_set_free(tested.here);
    isl_basic_set_free(all);
    return isl_set_from_basic_set(tested.here);
}

/* "body" under the conditions of "guard", { [loops] } or NULL, that are tested
 * inside of the loop of "at" at "place".
 */
static __isl_give isl_ast_node *under_guard(__isl_take isl_ast_node *body,
                                            __isl_keep isl_ast_build *build,
                                            const struct pg_collapsed_item *at,
                                            unsigned place,
                                            __isl_keep isl_set *guard)
{
    isl_set *here = guard ? tested_at(guard, at, place) : NULL;
    isl_bool always = guard ? isl_set_plain_is_universe(here) : isl_bool_true;

    if (always == isl_bool_false)
        return isl_ast_node_if_set_then(
            isl_ast_node_alloc_if(isl_ast_build_expr_from_set(build, here)),
            body);
    isl_set_free(here);
    return always < 0 ? isl_ast_node_free(body) : body;
}

/* The loop number "d" of "at" around "body". */
static __isl_give isl_ast_node *loop_around(__isl_take isl_ast_node *body,
                                            const struct pg_collapsed_item *at,
                                            unsigned d)
{
    isl_ctx *ctx = isl_id_get_ctx(at->mark);
    isl_ast_node *loop = isl_ast_node_alloc_for(isl_id_copy(at->loop[d]));

    loop = isl_ast_node_for_set_init(loop, number(ctx, 0));
    loop = isl_ast_node_for_set_cond(
        loop,
        isl_ast_expr_le(isl_ast_expr_from_id(isl_id_copy(at->loop[d])),
                        number(ctx, (long long)extent_of(at->points, d) - 1)));
    loop = isl_ast_node_for_set_inc(loop, number(ctx, 1));
    return isl_ast_node_for_set_body(loop, body);
}

/* The loops over the points of "at" around "node", which isl made for one, the
 * instance of "schedule", { S[i] -> [loops] }.
 */
__isl_give isl_ast_node *pg_points_loops(__isl_take isl_ast_node *node,
                                         __isl_keep isl_ast_build *build,
                                         const struct pg_collapsed_item *at,
                                         __isl_keep isl_map *schedule)
{
    bool ok;
    isl_set *guard = guard_of(at->guard, schedule, &ok);

    if (!ok)
        node = isl_ast_node_free(node);
    for (unsigned place = at->n_loop; node && place-- > 0;) {
        unsigned d = loop_at(at, place, guard);

        node = under_guard(node, build, at, place, guard);
        if (at->loop[d])
            node = loop_around(node, at, d);
    }
    isl_set_free(guard);
    return node;
}

void pg_collapsed_clear(struct pg_collapsed *collapsed)
{
    for (unsigned i = 0; i < collapsed->n; i++)
        clear_item(&collapsed->item[i]);
    free(collapsed->item);
    memset(collapsed, 0, sizeof(*collapsed));
}
