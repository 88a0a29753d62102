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

/* The variant for a run with these parameters: the first one behind 0 whose
 * ranges hold, else 0; that is also what a run without parameters has. */
uint32_t polygpu_variant_of(const struct polygpu_scop *scop,
                            const int64_t *params);

/* One more than the number of the last variant. */
uint32_t polygpu_variants(const struct polygpu_scop *scop);

/* "scop" as if it had one of its variants alone: the numbers of its kernels and
 * images are the same, those of plans are not. */
struct polygpu_scop polygpu_variant_alone(const struct polygpu_scop *scop,
                                          uint32_t variant);

/* What "variant" is for, like "p0>=512,p1<64"; nothing for variant 0. */
void polygpu_variant_text(const struct polygpu_scop *scop, uint32_t variant,
                          char *text, size_t size);

/* The number of the plan for a device of "arch", or of any with 0, and for runs
 * of "variant": the newest one that is not too new, else the oldest. */
uint32_t polygpu_plan_of(const struct polygpu_scop *scop, unsigned arch,
                         uint32_t variant);
/* The same of the variant that comes first. */
uint32_t polygpu_plan_number(const struct polygpu_scop *scop, unsigned arch);

/* A plan of "scop", which may be the only one and have no entry. */
struct polygpu_plan polygpu_plan_get(const struct polygpu_scop *scop,
                                     uint32_t number);

/* The plan that has kernel "kernel". */
uint32_t polygpu_plan_with(const struct polygpu_scop *scop, uint32_t kernel);

#endif
