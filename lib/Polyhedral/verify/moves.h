/* moves.h - copies between host and device that are too large to be executed.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef POLYGPU_VERIFY_MOVES_H
#define POLYGPU_VERIFY_MOVES_H

#include "verify/run.h"

/* Who accesses a given element, of one plan. */
struct moves;

/* NULL and *fault if that cannot be said. */
struct moves *pg_moves_take(const struct runner *runner,
                            struct pg_fault *fault);
void pg_moves_free(struct moves *moves);

/* Are some elements, at the corners of their arrays and around, copied in and
 * out just if they have to be, with the parameters "values"?  *fault if not, or
 * if there is too much to do; how many were looked at.
 */
unsigned pg_moves_check(const struct moves *moves, const long long *values,
                        long *work, struct pg_fault *fault);

#endif
