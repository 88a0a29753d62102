/* plan.h - the end of a plan.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef POLYGPU_MAP_PLAN_H
#define POLYGPU_MAP_PLAN_H

#include "polygpu/polyhedral.h"

void pg_kernel_clear(struct pg_kernel *kernel);
void pg_kernel_forget_ast(struct pg_kernel *kernel);
void pg_counts_clear(struct pg_plan *plan);

#endif
