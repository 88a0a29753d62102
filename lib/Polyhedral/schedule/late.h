/* late.h - what one thread does, put off until one thread is needed anyway.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef POLYGPU_SCHEDULE_LATE_H
#define POLYGPU_SCHEDULE_LATE_H

#include "polygpu/polyhedral.h"

__isl_give isl_schedule *pg_late(const struct pg_scop *scop,
                                 __isl_keep isl_schedule *schedule);

#endif
