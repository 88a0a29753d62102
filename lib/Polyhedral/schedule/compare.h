/* compare.h - how parallel schedules are.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef POLYGPU_SCHEDULE_COMPARE_H
#define POLYGPU_SCHEDULE_COMPARE_H

#include "polygpu/polyhedral.h"

int pg_parallel_of(const struct pg_scop *scop, const struct pg_stmt *stmt);
bool pg_has_sequential(const struct pg_scop *scop, int n);
int pg_bends_of(const struct pg_scop *scop);
bool pg_is_better(const struct pg_scop *variant, const struct pg_scop *scop);

#endif
