/* overlap_tiles.h - the sizes of overlapping tiles, and what they cost.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef POLYGPU_SCHEDULE_OVERLAP_TILES_H
#define POLYGPU_SCHEDULE_OVERLAP_TILES_H

#include "polygpu/polyhedral.h"
#include "schedule/reach.h"

struct pg_overlap_tiles {
    unsigned n_dim;
    long steps;                          /* in a launch */
    long own[PG_REACH_DIMS];             /* elements that a block stores */
    struct pg_sides more[PG_REACH_DIMS]; /* that it loads and does not store */
    bool stream; /* planes of the first dimension come one after the other */
};

bool pg_overlap_may_stream(const struct pg_options *options, bool forced);
bool pg_overlap_choose(struct pg_overlap_tiles *tiles,
                       const struct pg_scop *scop, const struct pg_reach *reach,
                       const bool *carried, const struct pg_options *options,
                       bool forced, char **not_taken);
long pg_overlap_width(const struct pg_overlap_tiles *tiles, unsigned dim);

#endif
