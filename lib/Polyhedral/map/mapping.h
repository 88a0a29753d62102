/* mapping.h - the ways to map a kernel, and the one that is chosen.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef POLYGPU_MAP_MAPPING_H
#define POLYGPU_MAP_MAPPING_H

#include "polygpu/polyhedral.h"

#include <isl/aff.h>

__isl_give isl_union_set *
pg_fix_to_parameter(__isl_take isl_union_set *domain,
                    __isl_take isl_union_pw_aff *value, const char *name);
__isl_give isl_union_set *pg_give_to(__isl_take isl_union_set *filter,
                                     __isl_take isl_union_pw_aff *value,
                                     char kind, unsigned d);
__isl_give isl_set *pg_kernel_params(const struct pg_scop *scop,
                                     const struct pg_kernel *kernel);
__isl_give isl_multi_pw_aff *pg_tiling_members(const struct pg_tiling *tiling,
                                               unsigned n,
                                               __isl_keep isl_set *set);
void pg_mapping_clear(struct pg_mapping *mapping);
void pg_kernel_prefer(struct pg_kernel *kernel, struct pg_mapping *mapping);
void pg_kernel_reject(struct pg_kernel *kernel, const char *why);

#endif
