/* cover.h - does a schedule tree execute every statement instance once?.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef POLYGPU_SCHEDULE_COVER_H
#define POLYGPU_SCHEDULE_COVER_H

#include "polygpu/polyhedral.h"

isl_bool pg_schedule_covers(const struct pg_scop *scop,
                            __isl_keep isl_schedule *schedule, char **gap);
char *pg_schedule_difference(const struct pg_scop *scop,
                             __isl_keep isl_schedule *schedule);

#endif
