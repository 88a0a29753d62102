/* bounds.h - for which parameters does the loops' arithmetic not overflow?.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef POLYGPU_GENERATE_BOUNDS_H
#define POLYGPU_GENERATE_BOUNDS_H

#include "polygpu/polyhedral.h"

struct pg_phase;

isl_stat pg_bounds(struct pg_plan *plan, struct pg_phase *phase);

#endif
