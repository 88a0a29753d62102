/* matrix_vector.c - the strategy for matrix-vector products.
 *
 * One parallel loop around a sequential one: each row (or column) of a matrix
 * is summed in the source's order, so that there are as few threads to compute
 * as there are rows.  A block has a warp of them, and several times as many
 * threads that fetch the next tiles of the matrix meanwhile.
 *
 * Measured on an H200 (float, 8000 x 8000, GB/s of the matrix, the same bits as
 * the sequential sum): a row for each thread straight from memory 345; 32 rows
 * a block, 256 threads that copy tiles of 32 x 128 with cp.async in four stages
 * 3497; 16 rows, 128 threads, tiles of 16 x 256, six stages 3021, and 2336
 * instead of 2157 at 4000 x 4000, where the former leave multiprocessors
 * without a block.  By columns: 388 and 2942 (128 x 32).  What this strategy
 * makes of mvt: 3573 by rows, 3098 by columns (cuBLAS 2452 and 3241, cold).
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "promote/strategy.h"

enum {
    ROWS = 32,              /* of a block, one for each lane of a warp */
    TILE_BYTES = 16 * 1024, /* that are copied at a time: 32 x 128 floats */
    COPYING = 8,            /* warps that copy, for one that computes */
    BLOCKS = 3,             /* on a multiprocessor, by registers: ptxas finds */
                            /* them without spills; others not measured */
    LARGE_ELEMENT = 64,     /* bytes; what is larger has few of a tile */
    LARGE_STEP = 8          /* then */
};

static bool recognise(const struct pg_sizing *sizing)
{
    return sizing->components->n_parallel == 1 && pg_sizing_has_loop(sizing);
}

/* Blocks of a full warp of rows, or of half of one where there are few rows. */
static void candidates(const struct pg_sizing *sizing,
                       const struct pg_tile_sizes *start,
                       struct pg_candidates *list)
{
    long long extent = pg_sizing_extent(sizing, 0);
    unsigned size = sizing->elem_size;

    list->known = extent != 0;
    for (unsigned rows = ROWS / 2; rows <= ROWS; rows *= 2) {
        struct pg_tile_sizes sizes = *start;

        sizes.tile[0] = sizes.threads[0] = rows;
        sizes.more = COPYING;
        sizes.blocks = sizing->measured ? BLOCKS : BLOCKS - 1;
        sizes.k_tile =
            size < LARGE_ELEMENT ? TILE_BYTES / rows / size : LARGE_STEP;
        pg_candidates_add(list, &sizes,
                          pg_cost_of_spread(sizing->machine, &sizes, &extent));
    }
}

const struct pg_strategy pg_matrix_vector_product = {
    .name = "matrix-vector product",
    .recognise = recognise,
    .candidates = candidates,
    .copies_streams = true};
