/* nested.c - passes: barriers and threads for nests inside of a kernel.
 *
 * The marks of the nests (nest.c) are in the order of pg_nests.nest.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "map/nested.h"
#include "map/mapping.h"
#include "map/marks.h"
#include "map/nest.h"
#include "map/tiled.h"
#include "map/user.h"
#include "map/waves.h"
#include "polygpu/polyhedral.h"
#include "schedule/tree.h"
#include "support/coalesce.h"

#include <isl/space.h>
#include <isl/val.h>

/* A filter above all of "tree": what is left of its instances in "mine". */
static __isl_give isl_schedule *filter_all(__isl_take isl_schedule *tree,
                                           __isl_take isl_union_set *mine)
{
    isl_schedule_node *node = isl_schedule_get_root(tree);

    mine = isl_union_set_gist(mine, isl_schedule_get_domain(tree));
    isl_schedule_free(tree);
    node = pg_mark_insert_filter(isl_schedule_node_child(node, 0), PG_MARK_GRID,
                                 mine);
    tree = isl_schedule_node_get_schedule(node);
    isl_schedule_node_free(node);
    return tree;
}

/* grid: each block runs a tile. */
__isl_give isl_schedule *pg_pass_nest_tiles(__isl_take isl_schedule *tree,
                                            void *state)
{
    const struct pg_tiled *t = state;

    return filter_all(tree, pg_waves_tile(t->nests->tiled, t->wave,
                                          isl_schedule_get_domain(tree)));
}

/* grid: the numbers of a block are the values of the members. */
__isl_give isl_schedule *pg_pass_nest_blocks(__isl_take isl_schedule *tree,
                                             void *state)
{
    const struct pg_tiled *t = state;
    isl_union_set *mine = isl_schedule_get_domain(tree);

    for (unsigned d = 0; d < t->shape->n_grid; d++)
        mine = pg_give_to(
            mine, isl_union_pw_aff_list_get_union_pw_aff(t->members, (int)d),
            'b', t->shape->n_grid - 1 - d);
    return filter_all(tree, mine);
}

/* Add a hull of "set" to "*user". */
static isl_stat add_hull(__isl_take isl_set *set, void *user)
{
    isl_union_set **all = user;

    set = isl_set_from_basic_set(isl_set_simple_hull(isl_set_remove_divs(set)));
    *all = isl_union_set_add_set(*all, set);
    return isl_stat_ok;
}

/* Hulls of "points", with simple bounds. */
static __isl_give isl_union_set *hulls_of(__isl_take isl_union_set *points)
{
    isl_union_set *all = isl_union_set_empty(isl_union_set_get_space(points));

    if (isl_union_set_foreach_set(points, &add_hull, &all) != isl_stat_ok)
        all = isl_union_set_free(all);
    isl_union_set_free(points);
    return all;
}

/* One barrier at each point of the loops outside of "node": the extension
 * { [outer] -> barrier[] } with that number.  "some": and at points beside
 * them, to which all threads of a block come as well.
 */
static __isl_give isl_union_map *
barrier_outside(__isl_keep isl_schedule_node *node, unsigned number, bool some)
{
    isl_ctx *ctx = isl_schedule_node_get_ctx(node);
    isl_union_map *outer =
        isl_schedule_node_get_prefix_schedule_union_map(node);
    isl_space *space = isl_space_set_alloc(ctx, 0, 0);
    isl_union_set *points;

    outer = isl_union_map_intersect_domain(outer,
                                           isl_schedule_node_get_domain(node));
    points = isl_union_map_range(outer);
    points = some ? hulls_of(points) : pg_coalesce_union(points);
    space =
        isl_space_set_tuple_id(space, isl_dim_set, pg_barrier_id(ctx, number));
    return isl_union_map_from_domain_and_range(
        points, isl_union_set_from_set(isl_set_universe(space)));
}

/* A barrier in front of nest "i" if it needs one. */
static __isl_give isl_schedule_node *
insert_barrier(__isl_take isl_schedule_node *node, unsigned i, void *state)
{
    const struct pg_nests *nests = ((const struct pg_tiled *)state)->nests;
    const struct pg_nest *nest = nests->nest;
    unsigned number = 0;

    if (!nest[i].barrier)
        return node;
    for (unsigned k = 0; k < i; k++)
        number += nest[k].barrier;
    return isl_schedule_node_graft_before(
        node, isl_schedule_node_from_extension(barrier_outside(
                  node, number, nests->tiled || nests->shared)));
}

/* A barrier in each iteration of the outermost loop of "tree", behind those in
 * front of "nests": there planes take the place of others.
 */
static __isl_give isl_schedule *separate_planes(__isl_take isl_schedule *tree,
                                                const struct pg_nests *nests)
{
    isl_schedule_node *node = isl_schedule_get_root(tree);
    unsigned number = 0;

    isl_schedule_free(tree);
    for (unsigned k = 0; k < nests->n; k++)
        number += nests->nest[k].barrier;
    while (node && isl_schedule_node_get_type(node) != isl_schedule_node_band &&
           isl_schedule_node_has_children(node) == isl_bool_true)
        node = isl_schedule_node_child(node, 0);
    node = isl_schedule_node_child(node, 0);
    node = isl_schedule_node_graft_before(
        node,
        isl_schedule_node_from_extension(barrier_outside(node, number, true)));
    tree = isl_schedule_node_get_schedule(node);
    isl_schedule_node_free(node);
    return tree;
}

/* barriers: in front of nests that depend on what other threads did, inside of
 * all loops around them, so that every thread of a block comes to it.
 */
__isl_give isl_schedule *pg_pass_nest_barriers(__isl_take isl_schedule *tree,
                                               void *state)
{
    const struct pg_nests *nests = ((const struct pg_tiled *)state)->nests;

    tree = pg_marks_each(tree, PG_MARK_NEST, &insert_barrier, state);
    return nests->folded ? separate_planes(tree, nests) : tree;
}

/* Which threads of a dimension with so many "threads" share the loop: { S[i] ->
 * [t] } at the statements of "domain".
 */
static __isl_give isl_union_pw_aff *thread_in(const struct pg_tiled *t,
                                              const struct pg_share *share,
                                              long long threads,
                                              __isl_keep isl_union_set *domain)
{
    const struct pg_band_tiles *tiles = t->nests->tiled;

    if (tiles && share->point >= 0 && tiles->sizes[share->point] <= threads)
        return pg_waves_in_tile(tiles, t->wave, domain, share->point);
    return pg_mod(isl_union_pw_aff_copy(share->value), threads);
}

/* The instances of a tile's nest that thread t0, t1 runs. */
static __isl_give isl_union_set *shares_of(const struct pg_nest *nest,
                                           const struct pg_tiled *t)
{
    isl_union_set *mine = isl_union_set_copy(nest->domain);

    for (unsigned d = 0; d < t->shape->n_block; d++) {
        long long threads = t->shape->block[t->shape->n_block - 1 - d];
        isl_union_pw_aff *value;

        if (d < nest->n_share)
            value = thread_in(t, &nest->share[d], threads, mine);
        else
            value = isl_union_pw_aff_val_on_domain(
                isl_union_set_universe(isl_union_set_copy(mine)),
                isl_val_zero(isl_union_set_get_ctx(mine)));
        mine = pg_give_to(mine, value, 't', d);
    }
    return mine;
}

/* A filter below the mark of nest "i", and so of any barrier's. */
static __isl_give isl_schedule_node *
filter_nest(__isl_take isl_schedule_node *node, unsigned i, void *state)
{
    const struct pg_tiled *t = state;
    const struct pg_nest *one = &t->nests->nest[i];
    isl_union_set *nest = one->domain, *mine;

    mine = t->nests->tiled || t->nests->shared
               ? shares_of(one, t)
               : pg_fix_to_parameter(isl_union_set_copy(nest),
                                     isl_union_pw_aff_copy(t->thread), "t0");
    mine = isl_union_set_gist(mine, isl_union_set_copy(nest));
    return pg_mark_insert_filter(isl_schedule_node_child(node, 0),
                                 PG_MARK_THREADS, mine);
}

/* threads: each thread of a block runs its part of each nest. */
__isl_give isl_schedule *pg_pass_nest_threads(__isl_take isl_schedule *tree,
                                              void *state)
{
    return pg_marks_each(tree, PG_MARK_NEST, &filter_nest, state);
}
