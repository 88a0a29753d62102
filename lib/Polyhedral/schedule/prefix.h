/* prefix.h - what a variable is in each iteration that updates it, in parallel.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef POLYGPU_SCHEDULE_PREFIX_H
#define POLYGPU_SCHEDULE_PREFIX_H

#include "polygpu/polyhedral.h"

struct pg_scop *pg_scop_prefix(const struct pg_scop *scop, const bool *chosen,
                               const char *sizes);

#endif
