/* hand_on.h - values that iterations hand on to the next one.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef POLYGPU_SCHEDULE_HAND_ON_H
#define POLYGPU_SCHEDULE_HAND_ON_H

#include "polygpu/polyhedral.h"

bool pg_scop_may_hand_on(const struct pg_scop *scop);
struct pg_scop *pg_scop_hand_on(const struct pg_scop *scop);

#endif
