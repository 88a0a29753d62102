/* grid.c - how many blocks and threads a mapping has.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "map/grid.h"
#include "map/instances.h"
#include "map/shape.h"
#include "polygpu/polyhedral.h"
#include "support/values.h"

#include <isl/val.h>

/* How many blocks the member "i" needs, { kernel[h] -> [n] }: one more than
 * the largest number of a tile, but at most as many as the grid has.
 */
static __isl_give isl_pw_aff *count_blocks(const struct pg_gridded *m,
                                           unsigned i)
{
    isl_ctx *ctx = isl_union_pw_aff_list_get_ctx(m->members);
    isl_union_pw_aff *member =
        isl_union_pw_aff_list_get_union_pw_aff(m->members, (int)i);
    isl_set *set = pg_values(m->kernel->domain, member);
    isl_bool natural = pg_is_natural(set);
    isl_val *grid = isl_val_int_from_si(ctx, (long)m->shape->grid[i]);
    isl_pw_aff *count, *limit;
    isl_pw_multi_aff *most;
    isl_map *map;

    isl_union_pw_aff_free(member);
    count = isl_pw_aff_coalesce(isl_set_dim_max(set, 0));
    map = isl_map_from_range(isl_set_from_pw_aff(count));
    map = pg_host_to_input(m->kernel, m->number, map);
    most = isl_pw_multi_aff_from_map(map);
    count = isl_pw_multi_aff_get_pw_aff(most, 0);
    isl_pw_multi_aff_free(most);
    limit = isl_pw_aff_val_on_domain(isl_pw_aff_domain(isl_pw_aff_copy(count)),
                                     grid);
    if (natural != isl_bool_true) {
        isl_pw_aff_free(count);
        return natural < 0 ? isl_pw_aff_free(limit) : limit;
    }
    count = isl_pw_aff_scale_down_val(
        count, isl_val_int_from_si(ctx, (long)m->shape->tile[i]));
    count = isl_pw_aff_floor(count);
    count = isl_pw_aff_add(count, isl_pw_aff_val_on_domain(
                                      isl_pw_aff_domain(isl_pw_aff_copy(count)),
                                      isl_val_one(ctx)));
    return isl_pw_aff_coalesce(isl_pw_aff_min(count, limit));
}

/* The largest value of "blocks", but at most "limit". */
static unsigned tighten(__isl_keep isl_pw_aff *blocks, long long limit)
{
    isl_map *map = isl_map_from_pw_aff(isl_pw_aff_copy(blocks));
    isl_val *most = pg_largest_value(isl_map_range(map));

    if (isl_val_is_int(most) == isl_bool_true &&
        isl_val_cmp_si(most, (long)limit) < 0 && isl_val_cmp_si(most, 1) >= 0)
        limit = isl_val_get_num_si(most);
    isl_val_free(most);
    return (unsigned)limit;
}

/* Fill in what the mapping says of its grid and block. */
isl_stat pg_grid_describe(const struct pg_gridded *m,
                          struct pg_mapping *mapping)
{
    const struct pg_shape *shape = m->shape;

    for (unsigned i = 0; i < 3; i++)
        mapping->block[i] = mapping->grid_limit[i] = 1;
    if (!m->kernel->parallel)
        return isl_stat_ok;
    mapping->n_grid = shape->n_grid;
    mapping->n_block = shape->n_block;
    for (unsigned i = 0; i < shape->n_grid; i++) {
        unsigned d = shape->n_grid - 1 - i;

        mapping->blocks[d] = count_blocks(m, i);
        mapping->tiling.member[d] =
            isl_union_pw_aff_list_get_union_pw_aff(m->members, (int)i);
        mapping->tiling.tile[d] = shape->tile[i];
        mapping->tiling.grid[d] = shape->grid[i];
        mapping->grid_limit[d] = tighten(mapping->blocks[d], shape->grid[i]);
        if (!mapping->blocks[d])
            return isl_stat_error;
    }
    for (unsigned i = 0; i < shape->n_block; i++)
        mapping->block[shape->n_block - 1 - i] = (unsigned)shape->block[i];
    if (shape->n_inner) {
        mapping->n_block = 1;
        mapping->block[0] = (unsigned)shape->n_inner;
    }
    return isl_stat_ok;
}
