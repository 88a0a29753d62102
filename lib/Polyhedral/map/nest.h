/* nest.h - threads for the loops inside of a kernel's one parallel loop, or of
 * one block.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef POLYGPU_MAP_NEST_H
#define POLYGPU_MAP_NEST_H

#include "polygpu/polyhedral.h"
#include "schedule/sizes.h"

#include <isl/aff.h>

enum { PG_MAX_SHARES = 2 };

/* A parallel loop of a tile, which threads of one dimension of the block share.
 */
struct pg_share {
    isl_union_pw_aff *value; /* { S[i] -> [v] } */
    long long length;        /* or PG_UNKNOWN */
    int point;               /* the number of the tiled member that it is, or */
                             /* negative */
};

/* A parallel loop below the one that goes to blocks, with all in it; or what
 * one thread of a block runs.
 */
struct pg_nest {
    isl_union_set *domain;       /* its instances */
    isl_union_pw_aff *thread;    /* { S[i] -> [v] }: the parallel loop */
    isl_union_pw_aff_list *time; /* the loops and positions outside of it */
    isl_union_pw_aff_list *wide; /* the parallel loop, and others beside it */
    isl_union_pw_aff_list *slow; /* loops in these, of one thread */
    bool barrier;                /* one is needed in front of it */
    /* Of a tile: the loops that threads in x and y share; the others are each
     * thread's own. */
    unsigned n_share;
    struct pg_share share[PG_MAX_SHARES];
};

/* The members of a band, and how many values of each a tile has. */
struct pg_band_tiles {
    isl_union_pw_aff_list *points;
    long long sizes[PG_MAX_SIZES];
};

struct pg_nests {
    unsigned n;
    struct pg_nest *nest;
    bool whole; /* there is one block: it runs what is not parallel, too */
    const struct pg_band_tiles *tiled; /* "whole", and a block runs a tile */
    bool shared; /* threads share two loops of a nest, as those of tiles do */
    bool open;   /* a tile has a shared loop of unknown length */
    bool folded; /* planes of shared memory are used again for others, */
    unsigned planes; /* and this loop of pg_nest.time is over them */
    bool complete;   /* every instance is in one of them */
    int score;       /* as of pg_shape_rate, of all together */
};

__isl_give isl_schedule *pg_nests_find(struct pg_nests *nests,
                                       const struct pg_scop *scop,
                                       __isl_take isl_schedule *tree,
                                       __isl_keep isl_union_pw_aff_list *time);
__isl_give isl_union_pw_aff *pg_nests_thread(const struct pg_nests *nests);
__isl_give isl_multi_union_pw_aff *pg_nests_time(const struct pg_nests *nests);
isl_bool pg_nests_separate(struct pg_nests *nests,
                           __isl_take isl_union_map *order);
__isl_give isl_union_set *pg_nests_steps(const struct pg_nests *nests,
                                         __isl_keep isl_set *params);
void pg_nests_block(const struct pg_nests *nests, long long *block);
void pg_nests_clear(struct pg_nests *nests);

#endif
