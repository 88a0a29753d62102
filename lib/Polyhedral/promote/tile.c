/* tile.c - passes: tiles of a kernel with buffers, for blocks and in pipelines.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "promote/tile.h"
#include "map/mapping.h"
#include "map/marks.h"
#include "polygpu/polyhedral.h"
#include "promote/building.h"
#include "promote/tiles.h"
#include "promote/work.h"
#include "schedule/tree.h"

#include <isl/ast_type.h>

/* Say that loops over the members of "band" must not be split. */
static __isl_give isl_schedule_node *
keep_loops(__isl_take isl_schedule_node *band)
{
    isl_size n = isl_schedule_node_band_n_member(band);

    for (int i = 0; i < n; i++)
        band = isl_schedule_node_band_member_set_ast_loop_type(
            band, i, isl_ast_loop_atomic);
    return band;
}

/* The loops over the tiles of a component at its mark, number "i". */
static __isl_give isl_schedule_node *
insert_steps(__isl_take isl_schedule_node *node, unsigned i, void *state)
{
    struct pg_building *b = state;

    node = isl_schedule_node_child(node, 0);
    return keep_loops(pg_tree_insert_band(
        node, isl_union_pw_aff_list_copy(b->step[i].loops), false, NULL));
}

/* tile: loops over the tiles of the parallel loops above everything, and over
 * those of each component's sequential loops.
 */
__isl_give isl_schedule *pg_pass_promoted_tile(__isl_take isl_schedule *tree,
                                               void *state)
{
    struct pg_building *b = state;
    const struct pg_tile_sizes *sizes = &b->sizes;
    isl_union_pw_aff_list *tiles = isl_union_pw_aff_list_alloc(b->ctx, 0);
    bool coincident[PG_MAX_MAPPED] = {true, true, true};
    isl_schedule_node *node;

    tree = pg_marks_each(tree, PG_MARK_STEP, &insert_steps, b);
    for (unsigned d = 0; d < sizes->n; d++)
        tiles = isl_union_pw_aff_list_add(
            tiles, pg_work_member(&b->work, d, 0, sizes->tile[d]));
    node = isl_schedule_node_child(isl_schedule_get_root(tree), 0);
    isl_schedule_free(tree);
    node = keep_loops(pg_tree_insert_band(node, tiles, true, coincident));
    node = pg_mark_insert(node, PG_MARK_TILE);
    tree = isl_schedule_node_get_schedule(node);
    isl_schedule_node_free(node);
    return tree;
}

/* A filter above the mark of the loops over tiles. */
static __isl_give isl_schedule_node *
filter_blocks(__isl_take isl_schedule_node *node, unsigned i, void *state)
{
    struct pg_building *b = state;
    const struct pg_tile_sizes *sizes = &b->sizes;
    isl_union_set *mine =
        pg_work_to_filter(&b->work, isl_set_get_space(b->what->scop->context));

    (void)i;
    for (unsigned d = 0; d < sizes->n; d++) {
        isl_union_pw_aff *number =
            pg_work_member(&b->work, d, 0, sizes->tile[d]);

        if (sizes->grid != PG_GRID_ALL)
            number = pg_mod(number, sizes->grid);
        mine = pg_give_to(mine, number, 'b', sizes->n - 1 - d);
    }
    return pg_mark_insert_filter(node, PG_MARK_GRID, mine);
}

/* grid: each block runs its tiles. */
__isl_give isl_schedule *pg_pass_promoted_grid(__isl_take isl_schedule *tree,
                                               void *state)
{
    return pg_marks_each(tree, PG_MARK_TILE, &filter_blocks, state);
}

/* A mark of its own above the loop over a component's tiles if its copies may
 * run ahead: all tiles are full, and there is one loop.
 */
static __isl_give isl_schedule_node *
mark_pipeline(__isl_take isl_schedule_node *node, unsigned i, void *state)
{
    const struct pg_step *step = &((const struct pg_building *)state)->step[i];

    if (!step->copies || step->partial ||
        isl_union_pw_aff_list_n_union_pw_aff(step->loops) != 1)
        return node;
    return pg_mark_insert(isl_schedule_node_child(node, 0), PG_MARK_PIPELINE);
}

/* pipeline: mark loops over full tiles whose copies may run ahead. */
__isl_give isl_schedule *pg_pass_pipeline(__isl_take isl_schedule *tree,
                                          void *state)
{
    return pg_marks_each(tree, PG_MARK_STEP, &mark_pipeline, state);
}
