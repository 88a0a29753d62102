/* tiled.c - passes: members of a band in tiles, for blocks and threads.
 *
 * A parallel member with value v, tile size T, grid limit G and block size B is
 * run by the block floor(v/T) mod G and the thread (v mod T) mod B.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "map/tiled.h"
#include "map/mapping.h"
#include "map/marks.h"
#include "polygpu/polyhedral.h"
#include "schedule/tree.h"

#include <isl/val.h>

/* band: the members that are tiled above the others above "tree". */
__isl_give isl_schedule *pg_pass_band(__isl_take isl_schedule *tree,
                                      void *state)
{
    const struct pg_tiled *t = state;
    isl_size n = isl_union_pw_aff_list_n_union_pw_aff(t->members);
    unsigned n_tile = t->shape->n_tile;
    bool coincident[PG_MAX_SIZES] = {false};

    if (n < 0)
        return isl_schedule_free(tree);
    for (unsigned i = 0; i < n_tile && i < t->n_parallel; i++)
        coincident[i] = true;
    tree = pg_tree_band(tree,
                        pg_tree_some(t->members, n_tile, (unsigned)n - n_tile),
                        t->permutable, NULL);
    return pg_tree_band(tree, pg_tree_some(t->members, 0, n_tile), true,
                        coincident);
}

/* tile: loops over tiles of the band and over their points, unless a tile is
 * one point.
 */
__isl_give isl_schedule *pg_pass_tile(__isl_take isl_schedule *tree,
                                      void *state)
{
    const struct pg_shape *shape = ((const struct pg_tiled *)state)->shape;
    isl_schedule_node *node;
    isl_multi_val *sizes;
    isl_ctx *ctx;

    if (!tree || !shape->n_tile)
        return tree;
    ctx = isl_schedule_get_ctx(tree);
    node = isl_schedule_node_child(isl_schedule_get_root(tree), 0);
    isl_schedule_free(tree);
    if (!shape->n_inner || shape->tile[0] != 1) {
        sizes = isl_multi_val_zero(isl_schedule_node_band_get_space(node));
        for (unsigned i = 0; i < shape->n_tile; i++)
            sizes = isl_multi_val_set_val(
                sizes, (int)i, isl_val_int_from_si(ctx, (long)shape->tile[i]));
        node = isl_schedule_node_band_tile(node, sizes);
        node = isl_schedule_node_child(node, 0);
        node = pg_mark_insert(node, PG_MARK_POINT);
        node = isl_schedule_node_parent(node);
    }
    node = pg_mark_insert(node, PG_MARK_TILE);
    tree = isl_schedule_node_get_schedule(node);
    isl_schedule_node_free(node);
    return tree;
}

/* floor("member" / "tile"), modulo "limit" unless each tile has its block. */
static __isl_give isl_union_pw_aff *
block_of(__isl_take isl_union_pw_aff *member, long long tile, long long limit)
{
    isl_ctx *ctx = isl_union_pw_aff_get_ctx(member);

    member = isl_union_pw_aff_scale_down_val(
        member, isl_val_int_from_si(ctx, (long)tile));
    member = isl_union_pw_aff_floor(member);
    return limit == PG_GRID_ALL ? member : pg_mod(member, limit);
}

/* ("member" mod "tile") mod "threads". */
static __isl_give isl_union_pw_aff *
thread_of(__isl_take isl_union_pw_aff *member, long long tile,
          long long threads)
{
    member = pg_mod(member, tile);
    return tile == threads ? member : pg_mod(member, threads);
}

/* A filter above the mark of the loops over tiles. */
static __isl_give isl_schedule_node *
filter_blocks(__isl_take isl_schedule_node *node, unsigned number, void *state)
{
    const struct pg_tiled *t = state;
    const struct pg_shape *shape = t->shape;
    isl_union_set *mine = isl_union_set_copy(t->domain);

    (void)number;
    for (unsigned i = 0; i < shape->n_grid; i++) {
        unsigned d = shape->member[i];

        mine = pg_give_to(
            mine,
            block_of(isl_union_pw_aff_list_get_union_pw_aff(t->members, (int)d),
                     shape->tile[d], shape->grid[i]),
            'b', shape->n_grid - 1 - i);
    }
    mine = isl_union_set_gist(mine, isl_union_set_copy(t->domain));
    return pg_mark_insert_filter(node, PG_MARK_GRID, mine);
}

/* grid: each block runs its tiles. */
__isl_give isl_schedule *pg_pass_grid(__isl_take isl_schedule *tree,
                                      void *state)
{
    const struct pg_tiled *t = state;

    if (!t->shape->n_grid)
        return tree;
    return pg_marks_each(tree, PG_MARK_TILE, &filter_blocks, state);
}

/* A filter above the mark of the loops over points. */
static __isl_give isl_schedule_node *
filter_threads(__isl_take isl_schedule_node *node, unsigned i, void *state)
{
    const struct pg_tiled *t = state;
    const struct pg_shape *shape = t->shape;
    isl_union_set *mine = isl_union_set_copy(t->domain);

    (void)i;
    for (unsigned d = 0; d < shape->n_block; d++)
        mine = pg_give_to(
            mine,
            thread_of(isl_union_pw_aff_list_get_union_pw_aff(
                          t->members, (int)(shape->first_thread + d)),
                      shape->tile[shape->first_thread + d], shape->block[d]),
            't', shape->n_block - 1 - d);
    mine = isl_union_set_gist(mine, isl_union_set_copy(t->domain));
    return pg_mark_insert_filter(node, PG_MARK_THREADS, mine);
}

/* threads: each thread of a block runs its points of the tile. */
__isl_give isl_schedule *pg_pass_threads(__isl_take isl_schedule *tree,
                                         void *state)
{
    const struct pg_tiled *t = state;

    if (!t->shape->n_block)
        return tree;
    return pg_marks_each(tree, PG_MARK_POINT, &filter_threads, state);
}
