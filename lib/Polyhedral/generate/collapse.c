/* collapse.c - loops over the points of a thread, which isl does not make.
 *
 * The innermost loops of a kernel with registers are over the points of a
 * thread.  There are four of them around a statement of a matrix product, and
 * as many around each load and store of its registers, in full tiles and in
 * others; all have known lengths, and isl took most of the time of a kernel's
 * loops to find that out for each of them, with conditions on quotients of
 * tiles and threads.  So isl is given one point only, zero in the parallel
 * loops.  What is known of the instances of a tile, for some point of it, is a
 * condition of that one; what depends on the point is tested inside of the
 * loops, which are made around isl's node (pg_collapse_loops).  In that the
 * numbers of the point are parameters: member d of the parallel loops is
 *
 *   tile b + vector threads q + vector t + v
 *
 * of parameters only, without any quotient (pg_collapse_schedule).  The
 * instances that run are the same: conditions are parted by gist, which says
 * that both together are the domain.
 *
 * That takes a block's tile to be known by its number (without_tiles in
 * kernel.c).
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "generate/collapse.h"
#include "map/mapping.h"
#include "map/marks.h"
#include "polygpu/polyhedral.h"
#include "support/text.h"

#include <isl/constraint.h>
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
        if (pg_collapse_is_mark(found))
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
__isl_give isl_schedule *pg_collapse_points(__isl_take isl_schedule *tree,
                                            const struct pg_mapping *mapping,
                                            __isl_keep isl_set *context,
                                            struct pg_collapsed *collapsed)
{
    isl_schedule *before = isl_schedule_copy(tree);
    isl_schedule_node *root;

    if (!tree || !context) {
        isl_schedule_free(before);
        return tree;
    }
    pg_collapse_take(tree, mapping, context, collapsed);
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
__isl_give isl_ast_build *pg_collapse_watch(__isl_take isl_ast_build *build,
                                            struct pg_collapsed *collapsed)
{
    build = isl_ast_build_set_before_each_mark(build, &before_mark, collapsed);
    return isl_ast_build_set_after_each_mark(build, &after_mark, collapsed);
}

/* "schedule", { S[i] -> [loops] }, of the instance that isl knows of "at": of
 * the point that the parameters name.
 */
__isl_give isl_map *pg_collapse_schedule(const struct pg_collapsed_item *at,
                                         __isl_take isl_map *schedule)
{
    isl_space *stmt = isl_space_domain(isl_map_get_space(schedule));
    isl_space *pair = isl_space_map_from_set(stmt);

    return isl_map_apply_domain(schedule,
                                isl_union_map_extract_map(at->to_point, pair));
}

/* The number of parallel loops. */
unsigned pg_collapse_dims(const struct pg_collapsed_item *at)
{
    return at->points->n;
}

/* The block's tile in the parallel loops, { [loops] -> [b...] }, for "loops",
 * the set of all { [loops] }.
 */
__isl_give isl_pw_multi_aff *
pg_collapse_tile(const struct pg_collapsed_item *at, __isl_take isl_set *loops)
{
    unsigned n = at->points->n;
    isl_map *tile = isl_map_from_domain(loops);

    tile = isl_map_add_dims(tile, isl_dim_out, n);
    for (unsigned d = 0; d < n; d++) {
        isl_space *space = isl_space_params_alloc(isl_id_get_ctx(at->mark), 0);

        // The number of the block is the first parameter then.
        tile = isl_map_align_params(tile,
                                    pg_collapse_named(space, 'b', n - 1 - d));
        tile = isl_map_equate(tile, isl_dim_param, 0, isl_dim_out, (int)d);
    }
    return isl_pw_multi_aff_from_map(tile);
}

static __isl_give isl_ast_expr *number(isl_ctx *ctx, long long value)
{
    return isl_ast_expr_from_val(isl_val_int_from_si(ctx, (long)value));
}

/* The number of the point in each parallel loop, as a row that a NULL ends. */
isl_ast_expr **pg_collapse_numbers(const struct pg_collapsed_item *at)
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

        if (loop && pg_collapse_involves(c, loop))
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
        isl_ast_expr_le(
            isl_ast_expr_from_id(isl_id_copy(at->loop[d])),
            number(ctx, (long long)pg_collapse_extent(at->points, d) - 1)));
    loop = isl_ast_node_for_set_inc(loop, number(ctx, 1));
    return isl_ast_node_for_set_body(loop, body);
}

/* The loops over the points of "at" around "node", which isl made for one, the
 * instance of "schedule", { S[i] -> [loops] }.
 */
__isl_give isl_ast_node *pg_collapse_loops(__isl_take isl_ast_node *node,
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
        pg_collapsed_clear_item(&collapsed->item[i]);
    free(collapsed->item);
    memset(collapsed, 0, sizeof(*collapsed));
}
