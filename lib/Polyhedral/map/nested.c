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
#include "polygpu/polyhedral.h"
#include "support/coalesce.h"

#include <isl/space.h>

/* One barrier at each point of the loops outside of "node": the extension
 * { [outer] -> barrier[] } with that number.
 */
static __isl_give isl_union_map *
barrier_outside(__isl_keep isl_schedule_node *node, unsigned number)
{
    isl_ctx *ctx = isl_schedule_node_get_ctx(node);
    isl_union_map *outer =
        isl_schedule_node_get_prefix_schedule_union_map(node);
    isl_space *space = isl_space_set_alloc(ctx, 0, 0);
    isl_union_set *points;

    outer = isl_union_map_intersect_domain(outer,
                                           isl_schedule_node_get_domain(node));
    points = pg_coalesce_union(isl_union_map_range(outer));
    space =
        isl_space_set_tuple_id(space, isl_dim_set, pg_barrier_id(ctx, number));
    return isl_union_map_from_domain_and_range(
        points, isl_union_set_from_set(isl_set_universe(space)));
}

/* A barrier in front of nest "i" if it needs one. */
static __isl_give isl_schedule_node *
insert_barrier(__isl_take isl_schedule_node *node, unsigned i, void *state)
{
    const struct pg_nest *nest = ((const struct pg_tiled *)state)->nests->nest;
    unsigned number = 0;

    if (!nest[i].barrier)
        return node;
    for (unsigned k = 0; k < i; k++)
        number += nest[k].barrier;
    return isl_schedule_node_graft_before(
        node, isl_schedule_node_from_extension(barrier_outside(node, number)));
}

/* barriers: in front of nests that depend on what other threads did, inside of
 * all loops around them, so that every thread of a block comes to it.
 */
__isl_give isl_schedule *pg_pass_nest_barriers(__isl_take isl_schedule *tree,
                                               void *state)
{
    return pg_marks_each(tree, PG_MARK_NEST, &insert_barrier, state);
}

/* A filter below the mark of nest "i", and so of any barrier's. */
static __isl_give isl_schedule_node *
filter_nest(__isl_take isl_schedule_node *node, unsigned i, void *state)
{
    const struct pg_tiled *t = state;
    isl_union_set *nest = t->nests->nest[i].domain, *mine;

    mine = pg_fix_to_parameter(isl_union_set_copy(nest),
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
