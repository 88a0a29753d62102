/* full_tiles.h - tiles without anything missing, apart from the others.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef POLYGPU_PROMOTE_FULL_TILES_H
#define POLYGPU_PROMOTE_FULL_TILES_H

#include "polygpu/polyhedral.h"

struct pg_tile_sizes;
struct pg_components;
struct pg_placed;

__isl_give isl_set *pg_component_tiles(const struct pg_components *components,
                                       unsigned p,
                                       const struct pg_tile_sizes *sizes);
__isl_give isl_set *pg_outer_tiles(const struct pg_tile_sizes *sizes,
                                   __isl_keep isl_set *tiles);
__isl_give isl_set *pg_full_tiles_used(const struct pg_components *components);
__isl_give isl_set *
pg_full_tiles_find(const struct pg_components *components, unsigned p,
                   const struct pg_tile_sizes *sizes, __isl_keep isl_set *tiles,
                   __isl_keep isl_set *used, const bool *overruns);
__isl_give isl_set *pg_full_tiles_instances(
    const struct pg_components *components, const struct pg_placed *placed,
    const struct pg_tile_sizes *sizes, __isl_keep isl_set *tiles,
    __isl_keep isl_set *used, bool full, bool overruns);

#endif
