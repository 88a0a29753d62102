/* overlap_parts.h - what overlapping tiles are made of.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef POLYGPU_SCHEDULE_OVERLAP_PARTS_H
#define POLYGPU_SCHEDULE_OVERLAP_PARTS_H

#include "polygpu/polyhedral.h"
#include "schedule/overlap_tiles.h"
#include "schedule/reach.h"

/* Even and odd launches; what copies back behind them; other statements. */
enum { PG_LAUNCHES = 2, PG_BACK = PG_LAUNCHES, PG_OUTSIDE };

/* An array that the time loop writes. */
struct pg_involved {
    unsigned array;
    isl_set *read;    /* { [x] } from before the launch, */
    isl_set *written; /* and in each step */
    bool carried;     /* of some elements both */
    int other;        /* the array's second copy, or -1 */
    unsigned tile[PG_LAUNCHES];
};

/* A statement of the variant. */
struct pg_role {
    unsigned part;  /* even or odd launches, or PG_BACK, or PG_OUTSIDE */
    unsigned first; /* iterator: the pair of launches, and then the tile's */
    int source;     /* a statement of the source, or -1: a copy, */
    long behind;    /* so many planes behind the foremost one */
};

struct pg_overlapping {
    const struct pg_scop *scop;
    struct pg_scop *made;
    struct pg_reach reach;
    struct pg_overlap_tiles tiles;
    unsigned n_involved;
    struct pg_involved *involved;
    struct pg_role *roles;       /* by statement of what is made */
    isl_set *pairs[PG_LAUNCHES]; /* { [u] } with such a launch */
    isl_set *last[PG_LAUNCHES];  /* that is the last one of all */
    isl_set *blocks;             /* { [b] } */
    bool ok;
};

__isl_give isl_map *pg_overlap_iterators(__isl_keep isl_set *domain,
                                         unsigned first, unsigned n);
__isl_give isl_map *pg_overlap_source(const struct pg_overlapping *m,
                                      unsigned s);
__isl_give isl_map *pg_overlap_place(const struct pg_overlapping *m,
                                     __isl_take isl_map *element, unsigned s);
__isl_give isl_map *pg_overlap_in_launch(const struct pg_overlapping *m,
                                         const struct pg_reach_stmt *stmt,
                                         unsigned part);
__isl_give isl_map *pg_overlap_in_tile(const struct pg_overlapping *m,
                                       bool border);
__isl_give isl_set *pg_overlap_pairs(const struct pg_overlapping *m,
                                     unsigned part, bool last);

#endif
