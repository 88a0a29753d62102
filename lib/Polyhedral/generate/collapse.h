/* collapse.h - loops over the points of a thread, which isl does not make.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef POLYGPU_GENERATE_COLLAPSE_H
#define POLYGPU_GENERATE_COLLAPSE_H

#include "generate/collapsed_point.h"
#include "polygpu/polyhedral.h"

#include <isl/aff.h>
#include <isl/ast_build.h>
#include <isl/schedule.h>

__isl_give isl_schedule *pg_collapse_points(__isl_take isl_schedule *tree,
                                            const struct pg_mapping *mapping,
                                            __isl_keep isl_set *context,
                                            struct pg_collapsed *collapsed);
__isl_give isl_ast_build *pg_collapse_watch(__isl_take isl_ast_build *build,
                                            struct pg_collapsed *collapsed);
__isl_give isl_map *pg_collapse_schedule(const struct pg_collapsed_item *at,
                                         __isl_take isl_map *schedule);
__isl_give isl_pw_multi_aff *
pg_collapse_tile(const struct pg_collapsed_item *at, __isl_take isl_set *loops);
unsigned pg_collapse_dims(const struct pg_collapsed_item *at);
isl_ast_expr **pg_collapse_numbers(const struct pg_collapsed_item *at);
__isl_give isl_ast_node *pg_collapse_loops(__isl_take isl_ast_node *node,
                                           __isl_keep isl_ast_build *build,
                                           const struct pg_collapsed_item *at,
                                           __isl_keep isl_map *schedule);
void pg_collapsed_clear(struct pg_collapsed *collapsed);

#endif
