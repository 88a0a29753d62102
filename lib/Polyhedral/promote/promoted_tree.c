/* promoted_tree.c - the schedule tree of a kernel with buffers.
 *
 * The kernel's tree is built anew.  For a component with a sequential loop k:
 *
 *   blocks                                   filter: b0, b1, b2
 *   tiles of the parallel loops              floor(p / tile)
 *     loads of registers
 *     each component after the other:
 *       its other sequential loops
 *       tiles of k                           floor(k / k_tile)
 *         barrier, copies to shared memory, barrier
 *         full tiles, then partial ones:
 *           threads                          filter: t0, t1, t2
 *           k mod k_tile                     unrolled in full tiles
 *             points of the thread           unrolled
 *     stores of registers
 *
 * Passes make it: distribute.c, tile.c, points.c.  This is the mapping of
 * section 5 of Verdoolaege et al., TACO 9(4), 2013, with tiles of threads below
 * those of blocks.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "promote/promoted_tree.h"
#include "map/passes.h"
#include "polygpu/polyhedral.h"
#include "promote/building.h"
#include "promote/distribute.h"
#include "promote/points.h"
#include "promote/tile.h"
#include "promote/work.h"
#include "schedule/tree.h"

#include <stdlib.h>

/* Does "tree" keep the order that is to be kept? */
static bool is_legal(const struct pg_building *b, __isl_keep isl_schedule *tree)
{
    isl_schedule_node *root = isl_schedule_get_root(tree);
    isl_bool legal = pg_tree_is_legal(root, isl_union_map_copy(b->what->order));

    isl_schedule_node_free(root);
    return legal == isl_bool_true;
}

/* The kernel's tree; NULL if it cannot be. */
__isl_give isl_schedule *pg_promote_tree(struct pg_building *b)
{
    static const struct pg_pass passes[] = {
        {PG_PASS_DISTRIBUTE, &pg_pass_distribute},
        {PG_PASS_TILE, &pg_pass_promoted_tile},
        {PG_PASS_GRID, &pg_pass_promoted_grid},
        {PG_PASS_POINTS, &pg_pass_points},
        {PG_PASS_THREADS, &pg_pass_promoted_threads},
        {PG_PASS_UNROLL, &pg_pass_unroll},
        {PG_PASS_PIPELINE, &pg_pass_pipeline}};
    isl_schedule *tree =
        isl_schedule_from_domain(isl_union_set_copy(b->what->kernel->domain));

    tree = pg_passes_run(passes, sizeof(passes) / sizeof(*passes), tree, b,
                         b->what->options, b->what->kernel->name,
                         PG_MAPPING_PROMOTED);
    if (tree && !is_legal(b, tree))
        tree = isl_schedule_free(tree);
    pg_work_clear(&b->work);
    for (unsigned i = 0; i < b->n_point; i++)
        pg_work_clear(&b->point[i].work);
    for (unsigned i = 0; i < b->n_step; i++)
        isl_union_pw_aff_list_free(b->step[i].loops);
    free(b->point);
    free(b->step);
    return tree;
}
