/* deep.h - the deepest permutable band that isl finds, and its tiles.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef POLYGPU_SCHEDULE_DEEP_H
#define POLYGPU_SCHEDULE_DEEP_H

#include "polygpu/polyhedral.h"

#include <isl/aff.h>
#include <isl/schedule_node.h>

__isl_give isl_union_pw_aff_list *
pg_deep_members(const struct pg_scop *scop, __isl_keep isl_union_set *domain,
                __isl_keep isl_union_map *order);
int pg_deep_find(__isl_keep isl_union_pw_aff_list *members,
                 __isl_keep isl_schedule_node *band);
__isl_give isl_union_set *pg_natural(__isl_take isl_union_set *domain,
                                     __isl_take isl_union_pw_aff *value);
__isl_give isl_union_pw_aff *pg_tile_of(__isl_take isl_union_pw_aff *value,
                                        long long size);

#endif
