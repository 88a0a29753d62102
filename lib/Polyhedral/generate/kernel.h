/* kernel.h - the loops of one kernel, mapped in one way.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef POLYGPU_GENERATE_KERNEL_H
#define POLYGPU_GENERATE_KERNEL_H

#include "polygpu/polyhedral.h"

const char *pg_kernel_generate(const struct pg_scop *scop,
                               struct pg_kernel *kernel);

#endif
