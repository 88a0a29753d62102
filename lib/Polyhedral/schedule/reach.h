/* reach.h - how far the values of a time loop come from in some steps.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef POLYGPU_SCHEDULE_REACH_H
#define POLYGPU_SCHEDULE_REACH_H

#include "polygpu/polyhedral.h"

#include <isl/aff.h>

enum { PG_REACH_DIMS = 3 };

/* A distance towards smaller and towards larger subscripts. */
struct pg_sides {
    long below, above;
};

/* Where a statement stands. */
enum pg_side { PG_BEFORE, PG_INSIDE, PG_BEHIND };

/* A statement of the SCoP; all but "side" is of those in the time loop. */
struct pg_reach_stmt {
    enum pg_side side;
    isl_map *at; /* { S[i] -> [t, x] }: the step, from zero on, and the element
                    that it writes; one to one */
    struct pg_sides more[PG_REACH_DIMS];  /* than "step" times the steps left */
    struct pg_sides reads[PG_REACH_DIMS]; /* of elements around x */
    long behind;                          /* see pg_reach */
};

/* A loop over time around sweeps, on the outside of a SCoP.  A block that wants
 * elements o to o + n - 1 after h steps computes in step s the elements that a
 * statement writes from o - r below them to o + n - 1 + r above, with r = step
 * * (h - 1 - s) + more.
 *
 * Where planes x0 come one after the other, step s of a statement is as many
 * planes behind the foremost one as the loop is "behind" for each step, times
 * s, and the statement itself: then all that an instance depends on was at that
 * plane or at an earlier one. */
struct pg_reach {
    unsigned n_dim;             /* of all arrays that are written */
    isl_pw_aff *last;           /* the last step, [n] -> { [l] } */
    struct pg_reach_stmt *stmt; /* by number */
    unsigned n_stmt;
    bool *written; /* in the loop, by array */
    struct pg_sides step[PG_REACH_DIMS];
    long behind; /* -1: they cannot come so, or it was not asked for */
};

/* How far behind the foremost plane those of an array are that a block loads,
 * and that it stores, and how many planes it needs at a time. */
struct pg_planes {
    long load, store, n;
};

bool pg_reach_find(struct pg_reach *reach, const struct pg_scop *scop,
                   bool planes);
bool pg_reach_has(const struct pg_reach *reach, unsigned stmt);
struct pg_sides pg_reach_box(const struct pg_reach *reach, unsigned dim,
                             long steps);
struct pg_planes pg_reach_planes(const struct pg_reach *reach,
                                 const struct pg_scop *scop, unsigned array,
                                 long steps);
void pg_reach_clear(struct pg_reach *reach);

#endif
