/* user.h - what user nodes of ASTs stand for, and tuples of schedules that are
 * no statements.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef POLYGPU_MAP_USER_H
#define POLYGPU_MAP_USER_H

#include "polygpu/polyhedral.h"

struct pg_user *pg_user_alloc(enum pg_user_kind kind, unsigned index,
                              unsigned n);
__isl_give isl_ast_node *pg_user_attach(__isl_take isl_ast_node *node,
                                        struct pg_user *user);
struct pg_user *pg_user_of(__isl_keep isl_ast_node *node);
bool pg_user_arguments(struct pg_user *user, __isl_keep isl_ast_node *node);
__isl_give isl_id *pg_user_id(isl_ctx *ctx, enum pg_user_kind kind,
                              unsigned number);
__isl_give isl_id *pg_barrier_id(isl_ctx *ctx, unsigned number);
enum pg_user_kind pg_user_kind_of(__isl_keep isl_map *schedule,
                                  unsigned *number);

#endif
