/* distribute.h - pass: the components of a kernel one after the other, with
 * copies.
 *
 * The state is the struct pg_building.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef POLYGPU_PROMOTE_DISTRIBUTE_H
#define POLYGPU_PROMOTE_DISTRIBUTE_H

#include "polygpu/polyhedral.h"

__isl_give isl_schedule *pg_pass_distribute(__isl_take isl_schedule *tree,
                                            void *state);

#endif
