/* points.h - sets and functions of integers, taken out of isl once and then
 * evaluated without it.
 *
 * A point has columns: the constant 1, the parameters, and its own dimensions.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef POLYGPU_VERIFY_POINTS_H
#define POLYGPU_VERIFY_POINTS_H

#include "verify/expr.h"

#include <isl/aff.h>
#include <isl/set.h>
#include <stdbool.h>

/* No coordinate that is tried is larger than 2^PG_TRIED_BITS. */
enum { MAX_COLUMNS = 64, PG_TRIED_BITS = 40 };

/* A set { [x] } of "n_dim" dimensions. */
struct points;

/* Those of "set", whose parameters are the first ones of "params"; NULL and
 * *fault if isl fails, or a number is too large.
 */
struct points *pg_points_take(__isl_take isl_set *set,
                              __isl_keep isl_space *params,
                              struct pg_fault *fault);
void pg_points_free(struct points *points);

/* Is "x" in it, for "values" of the parameters? */
bool pg_points_have(const struct points *points, const long long *values,
                    const long long *x);

/* Call "each" for all points from "low" to "high" (NULL: all), in no certain
 * order but each once, until it returns false; *work goes down with every step,
 * and the end comes with 0.  False if not all were seen.
 */
bool pg_points_scan(const struct points *points, const long long *values,
                    const long long *low, const long long *high, long *work,
                    bool (*each)(const long long *x, void *user), void *user);

/* Set "low" and "high" to bounds of all points, by dimension; false if there
 * are none, or no bounds.  A set that is empty has any bounds.
 */
bool pg_points_box(const struct points *points, const long long *values,
                   long long *low, long long *high);

/* Set "x" to a point that is close to "wish"; false if none was found.  The set
 * has no parameters.
 */
bool pg_points_near(const struct points *points, const long long *wish,
                    long long *x);

/* A function from points to "n_out" integers, defined on some. */
struct function;

struct function *pg_function_take(__isl_take isl_pw_multi_aff *pma,
                                  __isl_keep isl_space *params,
                                  struct pg_fault *fault);
void pg_function_free(struct function *function);

/* Set "y" to the values at "x"; false if there are none, which is only known of
 * functions of several pieces.
 */
bool pg_function_at(const struct function *function, const long long *values,
                    const long long *x, long long *y);
/* Set "least" and "most" to bounds of the values at all points from "low" to
 * "high".
 */
void pg_function_range(const struct function *function, const long long *values,
                       const long long *low, const long long *high,
                       long long *least, long long *most);
unsigned pg_function_n_out(const struct function *function);

#endif
