/* loops.h - the depth of a kernel's loop, which its iterator carries.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef POLYGPU_GENERATE_LOOPS_H
#define POLYGPU_GENERATE_LOOPS_H

#include "polygpu/polyhedral.h"

__isl_give isl_id *pg_loop_id(char kind, unsigned depth,
                              __isl_keep isl_set *context);
__isl_give isl_id_list *pg_loop_ids(__isl_keep isl_schedule *schedule,
                                    unsigned first,
                                    __isl_keep isl_set *context);

#endif
