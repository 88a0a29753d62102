/* tiles.h - tiles of blocks and of threads, as sizes and as sets.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef POLYGPU_PROMOTE_TILES_H
#define POLYGPU_PROMOTE_TILES_H

#include "polygpu/polyhedral.h"
#include "schedule/sizes.h"

struct pg_strategy;

/* Member d of the parallel loops: a block has tile[d] values of it, a thread
 * vector[d] that are next to each other, as often as the block's threads[d]
 * threads times that go into the tile.  The last one is the x direction. */
struct pg_tile_sizes {
    unsigned n;
    long long tile[PG_MAX_MAPPED], vector[PG_MAX_MAPPED],
        threads[PG_MAX_MAPPED];
    long long more;   /* times as many threads copy as compute */
    long long k_tile; /* of the innermost sequential loop */
    long long grid;   /* blocks at most in each dimension; 0: not chosen yet */
    long long stages; /* copies of a box in shared memory, if there is room */
    bool async;       /* the device can copy asynchronously */
    unsigned long shared; /* bytes of a block at most */
    unsigned blocks;      /* that shall be on a multiprocessor, by registers */
    bool reuse;           /* points of a thread share what they read */
    bool scarce;          /* a thread has fewer points for want of registers */
    bool small;           /* the same, for want of tiles */
    const struct pg_strategy *strategy; /* whose sizes they are */
    bool given; /* the points of a thread are the user's choice */
};

__isl_give isl_map *pg_tiles_of(const struct pg_tile_sizes *sizes,
                                __isl_take isl_space *space, unsigned n_loop);

#endif
