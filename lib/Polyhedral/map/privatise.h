/* privatise.h - scalars and temporaries that a thread can keep to itself.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef POLYGPU_MAP_PRIVATISE_H
#define POLYGPU_MAP_PRIVATISE_H

#include "polygpu/polyhedral.h"

struct pg_phase;

void pg_privatise(struct pg_plan *plan, struct pg_phase *phase, bool arrays);

#endif
