/* sizes.h - the user's sizes of tiles, grids and blocks.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef POLYGPU_SCHEDULE_SIZES_H
#define POLYGPU_SCHEDULE_SIZES_H

enum {
    PG_MAX_SIZES = 16,
    PG_MAX_GRID = 3,
    PG_MAX_BLOCK = 3,
    PG_MAX_MAPPED = 3,
    PG_GRID_LIMIT = 32768 /* blocks in a dimension where tiles share them */
};

struct pg_size_list {
    unsigned n; /* 0: the user gave none */
    long long v[PG_MAX_SIZES];
};

struct pg_kernel_sizes {
    struct pg_size_list tile, grid, block, vector, stages, time, stream,
        partial;
};

char *pg_sizes_get(const char *sizes, unsigned kernel,
                   struct pg_kernel_sizes *result);

#endif
