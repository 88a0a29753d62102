/* coalesce.h - sets and maps in fewer pieces, the same ones.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef POLYGPU_SUPPORT_COALESCE_H
#define POLYGPU_SUPPORT_COALESCE_H

#include "polygpu/polyhedral.h"

void pg_coalesce_forget(isl_ctx *ctx);
__isl_give isl_set *pg_coalesce(__isl_take isl_set *set);
__isl_give isl_map *pg_coalesce_map(__isl_take isl_map *map);
__isl_give isl_union_map *pg_coalesce_union_map(__isl_take isl_union_map *maps);
__isl_give isl_union_set *pg_coalesce_union(__isl_take isl_union_set *sets);

#endif
