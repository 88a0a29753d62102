/* overlap_order.h - the order inside and around overlapping tiles.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef POLYGPU_SCHEDULE_OVERLAP_ORDER_H
#define POLYGPU_SCHEDULE_OVERLAP_ORDER_H

#include "polygpu/polyhedral.h"
#include "schedule/overlap_parts.h"

#include <isl/schedule.h>

__isl_give isl_schedule *pg_overlap_sweeps(const struct pg_overlapping *m,
                                           unsigned from, unsigned to);
__isl_give isl_schedule *pg_overlap_then(__isl_take isl_schedule *first,
                                         __isl_take isl_schedule *second);
__isl_give isl_schedule *pg_overlap_around_steps(const struct pg_overlapping *m,
                                                 __isl_take isl_schedule *tree,
                                                 unsigned from, unsigned to);
__isl_give isl_schedule *
pg_overlap_around_planes(const struct pg_overlapping *m,
                         __isl_take isl_schedule *tree, unsigned part);
__isl_give isl_schedule *pg_overlap_around(const struct pg_overlapping *m,
                                           __isl_take isl_schedule *tree,
                                           unsigned part, unsigned skip,
                                           unsigned n);
__isl_give isl_schedule *pg_overlap_around_tiles(const struct pg_overlapping *m,
                                                 __isl_take isl_schedule *tree,
                                                 unsigned part);
__isl_give isl_schedule *pg_overlap_beside(const struct pg_overlapping *m,
                                           enum pg_side side);

#endif
