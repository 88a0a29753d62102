/* tile.h - passes: tiles of a kernel with buffers.
 *
 * The state is the struct pg_building.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef POLYGPU_PROMOTE_TILE_H
#define POLYGPU_PROMOTE_TILE_H

#include "polygpu/polyhedral.h"

__isl_give isl_schedule *pg_pass_promoted_tile(__isl_take isl_schedule *tree,
                                               void *state);
__isl_give isl_schedule *pg_pass_promoted_grid(__isl_take isl_schedule *tree,
                                               void *state);
__isl_give isl_schedule *pg_pass_pipeline(__isl_take isl_schedule *tree,
                                          void *state);

#endif
