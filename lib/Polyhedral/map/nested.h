/* nested.h - passes: barriers and threads for nests inside of a kernel.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef POLYGPU_MAP_NESTED_H
#define POLYGPU_MAP_NESTED_H

#include "polygpu/polyhedral.h"

__isl_give isl_schedule *pg_pass_nest_tiles(__isl_take isl_schedule *tree,
                                            void *state);
__isl_give isl_schedule *pg_pass_nest_blocks(__isl_take isl_schedule *tree,
                                             void *state);
__isl_give isl_schedule *pg_pass_nest_barriers(__isl_take isl_schedule *tree,
                                               void *state);
__isl_give isl_schedule *pg_pass_nest_threads(__isl_take isl_schedule *tree,
                                              void *state);

#endif
