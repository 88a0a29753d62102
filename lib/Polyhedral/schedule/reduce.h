/* reduce.h - reductions: partial results, which are combined.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef POLYGPU_SCHEDULE_REDUCE_H
#define POLYGPU_SCHEDULE_REDUCE_H

#include "polygpu/polyhedral.h"

struct pg_scop *pg_scop_reduce(const struct pg_scop *scop, const bool *chosen,
                               const struct pg_scop *relaxed,
                               const char *sizes);

#endif
