/* boxed_tree.h - pass: copies of boxes that blocks work on, and back.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef POLYGPU_PROMOTE_BOXED_TREE_H
#define POLYGPU_PROMOTE_BOXED_TREE_H

#include <isl/schedule.h>

__isl_give isl_schedule *pg_pass_boxes(__isl_take isl_schedule *tree,
                                       void *state);

#endif
