/* promoted_tree.h - the schedule tree of a kernel with buffers.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef POLYGPU_PROMOTE_PROMOTED_TREE_H
#define POLYGPU_PROMOTE_PROMOTED_TREE_H

#include "polygpu/polyhedral.h"

struct pg_building;

__isl_give isl_schedule *pg_promote_tree(struct pg_building *b);

#endif
