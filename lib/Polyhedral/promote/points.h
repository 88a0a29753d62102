/* points.h - passes: the points of tiles of a kernel with buffers.
 *
 * The state is the struct pg_building.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef POLYGPU_PROMOTE_POINTS_H
#define POLYGPU_PROMOTE_POINTS_H

#include "polygpu/polyhedral.h"

__isl_give isl_schedule *pg_pass_points(__isl_take isl_schedule *tree,
                                        void *state);
__isl_give isl_schedule *pg_pass_promoted_threads(__isl_take isl_schedule *tree,
                                                  void *state);
__isl_give isl_schedule *pg_pass_unroll(__isl_take isl_schedule *tree,
                                        void *state);

#endif
