/* blocks.h - several steps of an elimination in blocks.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef POLYGPU_SCHEDULE_BLOCKS_H
#define POLYGPU_SCHEDULE_BLOCKS_H

#include "polygpu/polyhedral.h"

#include <isl/aff.h>
#include <isl/schedule_node.h>

__isl_give isl_schedule *pg_schedule_blocks(const struct pg_scop *scop,
                                            isl_union_pw_aff **loop);
bool pg_is_blocks(const struct pg_scop *scop,
                  __isl_keep isl_schedule_node *node);

#endif
