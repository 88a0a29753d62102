/* full.h - tiles without anything missing, apart from the others.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef POLYGPU_PROMOTE_FULL_H
#define POLYGPU_PROMOTE_FULL_H

#include "polygpu/polyhedral.h"

struct pg_levels;
struct pg_parts;
struct pg_placed;

__isl_give isl_set *pg_full_tiles(const struct pg_parts *parts, unsigned p,
                                  const struct pg_levels *levels);
__isl_give isl_set *pg_full_outer(const struct pg_levels *levels,
                                  __isl_keep isl_set *tiles);
__isl_give isl_set *pg_full_used(const struct pg_parts *parts);
__isl_give isl_set *pg_full_find(const struct pg_parts *parts, unsigned p,
                                 const struct pg_levels *levels,
                                 __isl_keep isl_set *tiles,
                                 __isl_keep isl_set *used, const bool *beyond);
__isl_give isl_set *
pg_full_instances(const struct pg_parts *parts, const struct pg_placed *placed,
                  const struct pg_levels *levels, __isl_keep isl_set *tiles,
                  __isl_keep isl_set *used, bool full, bool beyond);

#endif
