/* join.h - loops that do not depend on each other and read the same arrays.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef POLYGPU_SCHEDULE_JOIN_H
#define POLYGPU_SCHEDULE_JOIN_H

#include "polygpu/polyhedral.h"

#include <isl/schedule_node.h>

__isl_give isl_schedule *pg_join(const struct pg_scop *scop,
                                 __isl_keep isl_schedule *schedule);
__isl_give isl_schedule *
pg_join_next(const struct pg_scop *scop, __isl_keep isl_schedule_node *node,
             int from, int to, __isl_keep isl_union_set *instances, int *end);

#endif
