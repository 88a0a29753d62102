/* point_set.h - sets and relations of isl at given points, computed without
 * isl.
 *
 * The constraints of each piece, with the definitions of its remainders, are
 * copied once into tables of integers; what is asked afterwards is answered by
 * arithmetic in 128 bits.  So answers share nothing with isl's simplification
 * of sets, whose results are to be checked with them.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef POLYGPU_POINT_SET_H
#define POLYGPU_POINT_SET_H

#include <isl/map.h>
#include <isl/set.h>
#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct pg_point_set pg_point_set;

/* The points of "set", with its parameters in their order.  NULL if numbers
 * are too large for the tables, or there are too many columns. */
pg_point_set *pg_point_set_from_set(__isl_keep isl_set *set);

/* The pairs of "map": { S[i] -> A[x] } as points (i, x). */
pg_point_set *pg_point_set_from_map(__isl_keep isl_map *map);

void pg_point_set_free(pg_point_set *points);

unsigned pg_point_set_n_dim(const pg_point_set *points);

/* Is "point" one of "points" for these parameters?  isl_bool_error if 128 bits
 * are not enough to tell. */
isl_bool pg_point_set_contain(const pg_point_set *points, const int64_t *params,
                              const int64_t *point);

/* Called for a point; false ends the enumeration. */
typedef bool pg_point_set_visitor(const int64_t *point, void *user);

enum pg_point_set_end {
    PG_POINT_SET_ALL,     /* all points were visited, each once */
    PG_POINT_SET_STOPPED, /* the visitor wanted no more */
    PG_POINT_SET_UNKNOWN  /* unbounded, more steps than "limit", or an overflow
                           */
};

/* Visit the points that begin with the "n_fixed" numbers "fixed". */
enum pg_point_set_end
pg_point_set_each(const pg_point_set *points, const int64_t *params,
                  unsigned n_fixed, const int64_t *fixed, unsigned long limit,
                  pg_point_set_visitor *visit, void *user);

#ifdef __cplusplus
}
#endif

#endif
