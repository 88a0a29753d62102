/* budget.h - what the work on some loops, a function or a file may take.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef POLYGPU_SUPPORT_BUDGET_H
#define POLYGPU_SUPPORT_BUDGET_H

#include "polygpu/polyhedral.h"

/* budget.c */
double pg_budget_seconds(const struct pg_budget *budget, double most);
void pg_budget_is_late(struct pg_budget *budget);

#endif
