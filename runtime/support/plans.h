/* plans.h - which kernels of a SCoP a device gets.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef POLYGPU_PLANS_H
#define POLYGPU_PLANS_H

#include "support/device.h"

/* The compute capability (major * 10 + minor) that code is chosen for on a
 * device of "arch", or of any with 0: at most POLYGPU_ARCH.  UINT_MAX: any. */
unsigned polygpu_arch_limit(unsigned arch);

/* The number of the plan for a device of "arch", or of any with 0: the newest
 * one that is not too new, else the oldest. */
uint32_t polygpu_plan_number(const struct polygpu_scop *scop, unsigned arch);

/* A plan of "scop", which may be the only one and have no entry. */
struct polygpu_plan polygpu_plan_get(const struct polygpu_scop *scop,
                                     uint32_t number);

/* The plan that has kernel "kernel". */
uint32_t polygpu_plan_with(const struct polygpu_scop *scop, uint32_t kernel);

#endif
