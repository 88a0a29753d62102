/* walk.h - the instances of a SCoP in the order of the source, and the elements
 * that they access, for given parameters and without isl.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef POLYGPU_WALK_H
#define POLYGPU_WALK_H

#include "polygpu/polyhedral.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct pg_walk pg_walk;

/* A walk through "scop", which has to stay; the schedule does not matter.  NULL
 * if there is something in it that cannot be evaluated. */
pg_walk *pg_walk_alloc(const struct pg_scop *scop);
void pg_walk_free(pg_walk *walk);

/* Called for instance "args" of statement number "stmt"; false ends the walk.
 */
typedef bool pg_walk_visitor(unsigned stmt, const long long *args, void *user);

/* Visit all instances for "params", which are those of the SCoP in its order.
 * *work goes down with what is done.  False if they cannot be put in order, or
 * there are too many for *work; they are not visited then. */
bool pg_walk_each(pg_walk *walk, const long long *params, long *work,
                  pg_walk_visitor *visit, void *user);

/* The dimensions that arrays and statements may have at most. */
enum { PG_WALK_MAX_DIM = 8 };

/* Visit "n" instances, number i of which is one of statement stmts[i] with the
 * arguments args[i], as far as they are instances, in the order of the source.
 * False as for pg_walk_each. */
bool pg_walk_some(pg_walk *walk, const long long *params, size_t n,
                  const unsigned *stmts,
                  const long long (*args)[PG_WALK_MAX_DIM], long *work,
                  pg_walk_visitor *visit, void *user);

enum pg_walk_access {
    PG_WALK_HAPPENS,
    PG_WALK_ABSENT, /* the instance does not do it */
    PG_WALK_UNKNOWN
};

/* Set "x" to the subscripts of access number "access" of an instance. */
enum pg_walk_access pg_walk_subscripts(const pg_walk *walk,
                                       const long long *params, unsigned stmt,
                                       unsigned access, const long long *args,
                                       long long *x);

/* The extent of dimension "d" of array number "array", 1 for the first; false
 * if it has none for "params". */
bool pg_walk_extent(const pg_walk *walk, const long long *params,
                    unsigned array, unsigned d, long long *extent);

#ifdef __cplusplus
}
#endif

#endif
