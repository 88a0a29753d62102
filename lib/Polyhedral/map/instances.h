/* instances.h - a kernel's instances, and the values of members at them.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef POLYGPU_MAP_INSTANCES_H
#define POLYGPU_MAP_INSTANCES_H

#include "polygpu/polyhedral.h"

#include <isl/aff.h>

/* What leads from the root to a kernel: loops of the host and positions in
 * sequences.  Lives on the stack of the walk; "outer" is one level up. */
struct pg_prefix {
    const struct pg_prefix *outer;
    isl_union_pw_aff *value; /* NULL: the constant "position" */
    long position;
};

__isl_give isl_union_set *pg_instances_in(__isl_take isl_union_set *domain,
                                          const struct pg_prefix *prefix);
void pg_instances_take(struct pg_kernel *kernel, const struct pg_prefix *prefix,
                       __isl_keep isl_union_set *domain);
isl_stat pg_instances_when(struct pg_kernel *kernel, unsigned number,
                           const struct pg_prefix *prefix,
                           __isl_take isl_set *when);
__isl_give isl_map *pg_host_to_input(const struct pg_kernel *kernel,
                                     unsigned number, __isl_take isl_map *map);
__isl_give isl_set *pg_values(__isl_keep isl_union_set *domain,
                              __isl_keep isl_union_pw_aff *member);
isl_bool pg_is_natural(__isl_keep isl_set *set);
__isl_give isl_union_pw_aff *pg_shift(__isl_keep isl_union_set *instances,
                                      __isl_take isl_union_pw_aff *member);
long long pg_largest_member(__isl_keep isl_union_set *domain,
                            __isl_keep isl_union_pw_aff *member);

/* The length of a loop that depends on parameters. */
#define PG_UNKNOWN (-1LL)

__isl_give isl_set *pg_differences(__isl_keep isl_union_set *domain,
                                   __isl_take isl_union_pw_aff_list *outer,
                                   __isl_take isl_union_pw_aff_list *members);
long long pg_length(__isl_keep isl_set *differences);

/* Of parameters, where there is no other limit. */
#define PG_LARGEST_LIMIT (1LL << 31)

long long pg_limit_below(__isl_take isl_set *values, long long most);

#endif
