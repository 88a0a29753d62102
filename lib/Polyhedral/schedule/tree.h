/* tree.h - schedule trees: build them anew, compare them with dependences.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef POLYGPU_SCHEDULE_TREE_H
#define POLYGPU_SCHEDULE_TREE_H

#include "polygpu/polyhedral.h"

#include <isl/aff.h>
#include <isl/schedule_node.h>

__isl_give isl_multi_union_pw_aff *
pg_tree_join(__isl_take isl_union_pw_aff_list *members);
__isl_give isl_union_pw_aff_list *
pg_tree_some(__isl_keep isl_union_pw_aff_list *list, unsigned first,
             unsigned n);
__isl_give isl_union_pw_aff_list *
pg_tree_skewed(__isl_take isl_union_pw_aff_list *members);
__isl_give isl_union_pw_aff *pg_mod(__isl_take isl_union_pw_aff *value,
                                    long long size);
__isl_give isl_schedule_node *
pg_tree_insert_band(__isl_take isl_schedule_node *node,
                    __isl_take isl_union_pw_aff_list *members, bool permutable,
                    const bool *coincident);
__isl_give isl_schedule *pg_tree_band(__isl_take isl_schedule *body,
                                      __isl_take isl_union_pw_aff_list *members,
                                      bool permutable, const bool *coincident);
__isl_give isl_schedule *pg_tree_subtree(__isl_keep isl_schedule_node *node,
                                         __isl_take isl_union_set *domain);
__isl_give isl_schedule *pg_tree_ordered(__isl_keep isl_schedule_node *node,
                                         __isl_take isl_union_set *domain);
__isl_give isl_schedule *pg_tree_annotate(__isl_keep isl_schedule_node *node,
                                          __isl_take isl_union_set *domain,
                                          __isl_take isl_union_map *order);
__isl_give isl_union_pw_aff_list *
pg_tree_members(__isl_keep isl_schedule_node *band);
__isl_give isl_schedule_node *
pg_tree_child_with(__isl_keep isl_schedule_node *node,
                   __isl_keep isl_union_set *stmts);
isl_bool pg_tree_is_legal(__isl_keep isl_schedule_node *node,
                          __isl_take isl_union_map *order);
isl_bool pg_tree_is_compact(__isl_keep isl_schedule *schedule, long limit);
__isl_give isl_union_pw_aff *
pg_tree_outer_loop(__isl_keep isl_schedule_node *band);
int pg_tree_parallel(__isl_keep isl_schedule_node *node);
bool pg_tree_is_wave(__isl_keep isl_schedule_node *band);
bool pg_tree_all_nested(__isl_keep isl_schedule_node *node);
int pg_tree_nested(__isl_keep isl_schedule_node *node);
char *pg_tree_to_str(__isl_keep isl_schedule *tree);
__isl_give isl_schedule *pg_tree_scan(__isl_take isl_set *set);
__isl_give isl_union_map *
pg_equal_at(__isl_take isl_union_map *relation,
            __isl_keep isl_union_pw_aff_list *members);

#endif
