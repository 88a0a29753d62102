/* flatten.h - short parallel loops and those around them as one.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef POLYGPU_MAP_FLATTEN_H
#define POLYGPU_MAP_FLATTEN_H

#include "map/shape.h"

#include <isl/aff.h>
#include <isl/union_set_type.h>

double pg_flatten_busy(const struct pg_shape *shape, unsigned n,
                       const long long *extent);
bool pg_flatten_pays(unsigned n, double busy);
bool pg_flatten_lengths(__isl_keep isl_union_set *domain,
                        __isl_keep isl_union_pw_aff_list *members, unsigned n,
                        const long long *extent, bool *is_known);
__isl_give isl_union_pw_aff_list *
pg_flatten(__isl_take isl_union_pw_aff_list *members, unsigned *n,
           long long *extent, bool *is_known);

#endif
