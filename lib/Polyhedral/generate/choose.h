/* choose.h - which of the ways to map a kernel is taken.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef POLYGPU_GENERATE_CHOOSE_H
#define POLYGPU_GENERATE_CHOOSE_H

#include "polygpu/polyhedral.h"

struct pg_phase;

isl_stat pg_choose_mapping(const struct pg_scop *scop, struct pg_kernel *kernel,
                           struct pg_phase *phase);

#endif
