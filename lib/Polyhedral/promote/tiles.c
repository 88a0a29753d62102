/* tiles.c - tiles of blocks and of threads, as sizes and as sets.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "promote/tiles.h"

#include <isl/constraint.h>
#include <isl/local_space.h>
#include <isl/space.h>

/* The tiles, { [c] -> V }, of the space V of a component with "n_loop"
 * sequential loops: tile[d] values of a parallel member, one of the outer
 * sequential loops, k_tile of the innermost.
 */
__isl_give isl_map *pg_tiles_of(const struct pg_tile_sizes *sizes,
                                __isl_take isl_space *space, unsigned n_loop)
{
    isl_map *tiles = isl_map_universe(isl_space_map_from_set(space));

    for (unsigned d = 0; d < sizes->n + n_loop; d++) {
        long long size = d < sizes->n                ? sizes->tile[d]
                         : d + 1 < sizes->n + n_loop ? 1
                                                     : sizes->k_tile;
        isl_local_space *ls =
            isl_local_space_from_space(isl_map_get_space(tiles));
        isl_constraint *c =
            isl_constraint_alloc_inequality(isl_local_space_copy(ls));

        c = isl_constraint_set_coefficient_si(c, isl_dim_out, (int)d, 1);
        c = isl_constraint_set_coefficient_si(c, isl_dim_in, (int)d,
                                              (int)-size);
        tiles = isl_map_add_constraint(tiles, c);
        c = isl_constraint_alloc_inequality(ls);
        c = isl_constraint_set_coefficient_si(c, isl_dim_out, (int)d, -1);
        c = isl_constraint_set_coefficient_si(c, isl_dim_in, (int)d, (int)size);
        c = isl_constraint_set_constant_si(c, (int)size - 1);
        tiles = isl_map_add_constraint(tiles, c);
    }
    return tiles;
}
