/* join.h - loops that do not depend on each other and read the same arrays.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef POLYGPU_SCHEDULE_JOIN_H
#define POLYGPU_SCHEDULE_JOIN_H

#include "polygpu/polyhedral.h"

__isl_give isl_schedule *pg_join(const struct pg_scop *scop,
                                 __isl_keep isl_schedule *schedule);

#endif
