/* range.h - do the indices fit into the bits that the plan claims?
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef POLYGPU_VERIFY_RANGE_H
#define POLYGPU_VERIFY_RANGE_H

#include "verify/expr.h"

#include <polygpu/polyhedral.h>

/* Evaluate all expressions of "plan" in 128 bits with the parameters "values",
 * none of which is above the plan's limit: in the first and last iterations of
 * all loops, for the first and last thread of the first and last block.  *fault
 * if an intermediate value needs more bits than the plan says.
 */
void pg_range_check(const struct pg_plan *plan, const long long *values,
                    long *work, struct pg_fault *fault);

#endif
