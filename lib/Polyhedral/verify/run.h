/* run.h - execute a plan in small and compare it with the source's order.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef POLYGPU_VERIFY_RUN_H
#define POLYGPU_VERIFY_RUN_H

#include "verify/model.h"
#include "verify/result.h"

/* A plan, ready to run. */
struct runner;

/* "source" is the SCoP that the plan's was made from, with its arrays and
 * statements in front; NULL: the plan's own.  NULL and *fault if the plan
 * cannot be looked at.
 */
struct runner *pg_runner_alloc(const struct pg_plan *plan,
                               const struct pg_scop *source,
                               struct pg_fault *fault);
void pg_runner_free(struct runner *runner);

/* Run with the parameters "values"; *work goes down with what there is to do.
 * A difference is a fault that is not "cannot".
 */
void pg_runner_run(struct runner *runner, const long long *values,
                   const struct run_options *options, long *work,
                   struct run_result *result, struct pg_fault *fault);

/* An upper bound of the number of instances, or LLONG_MAX. */
long long pg_runner_most(const struct runner *runner, const long long *values);

/* How many threads all launches have together, or a very large number. */
long long pg_runner_threads(const struct runner *runner,
                            const long long *values, long *work);

#endif
