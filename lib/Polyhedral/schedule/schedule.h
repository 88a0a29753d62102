/* schedule.h - a new order of execution for a SCoP as it is.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef POLYGPU_SCHEDULE_SCHEDULE_H
#define POLYGPU_SCHEDULE_SCHEDULE_H

#include "polygpu/polyhedral.h"

/* What a SCoP is told for which there is no line among loaded schedules. */
extern const char pg_none_given[];

bool pg_schedule_simply(struct pg_scop *scop, const struct pg_options *options,
                        bool *spent);
isl_stat pg_schedule_as_is(struct pg_scop *scop,
                           const struct pg_options *options,
                           struct pg_report *report);
isl_stat pg_schedule_gisted(struct pg_scop *scop,
                            const struct pg_options *options,
                            struct pg_report *report);
isl_stat pg_schedule_exact(struct pg_scop *scop,
                           const struct pg_options *options,
                           struct pg_report *report);
__isl_give isl_schedule *pg_annotated(const struct pg_scop *scop,
                                      __isl_keep isl_schedule *schedule);

#endif
