/* full_tiles.c - tiles without anything missing, apart from the others.
 *
 * A tile of a component is full if code without conditions can run it: each
 * statement has all instances of the box, or can run the ones that are missing
 * as well.  It can do that if it is total, reads from buffers only, and writes
 * only to registers of points that nothing in the kernel uses: a point of the
 * parallel loops without any instance.  So a tile at the border of the
 * parallel loops is still full; one at the end of a sequential loop is not,
 * since the sum there must not take anything else in.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "promote/full_tiles.h"
#include "promote/components.h"
#include "promote/tiles.h"
#include "support/coalesce.h"

#include <isl/space.h>

enum { MAX_PIECES = 4 };

/* The box of all points of the tiles "tiles", { [c] -> V }. */
static __isl_give isl_map *boxes(const struct pg_tile_sizes *sizes,
                                 __isl_keep isl_set *tiles, unsigned n_loop)
{
    return isl_map_intersect_domain(
        pg_tiles_of(sizes, isl_set_get_space(tiles), n_loop),
        isl_set_copy(tiles));
}

/* The points { V } of the instances of "placed". */
static __isl_give isl_set *points(const struct pg_placed *placed)
{
    return isl_set_apply(isl_set_copy(placed->domain),
                         isl_map_copy(placed->point));
}

/* The tiles { [c] } that have instances of component "p". */
__isl_give isl_set *pg_component_tiles(const struct pg_components *components,
                                       unsigned p,
                                       const struct pg_tile_sizes *sizes)
{
    isl_set *all = NULL;

    for (unsigned i = 0; i < components->n_placed; i++) {
        isl_set *one;

        if (components->placed[i].component != p)
            continue;
        one = points(&components->placed[i]);
        one = isl_set_apply(
            one, isl_map_reverse(pg_tiles_of(sizes, isl_set_get_space(one),
                                             components->component[p].n_loop)));
        all = all ? isl_set_union(all, one) : one;
    }
    return pg_coalesce(all);
}

/* The tiles { [c] } of the parallel loops of "tiles" of a component. */
__isl_give isl_set *pg_outer_tiles(const struct pg_tile_sizes *sizes,
                                   __isl_keep isl_set *tiles)
{
    isl_size n = isl_set_dim(tiles, isl_dim_set);

    return pg_coalesce(isl_set_project_out(isl_set_copy(tiles), isl_dim_set,
                                           sizes->n,
                                           n < 0 ? 0 : (unsigned)n - sizes->n));
}

/* The points { [p] } of the parallel loops with any instance. */
__isl_give isl_set *pg_full_tiles_used(const struct pg_components *components)
{
    isl_set *all = NULL;

    for (unsigned i = 0; i < components->n_placed; i++) {
        isl_set *one = points(&components->placed[i]);
        isl_size n = isl_set_dim(one, isl_dim_set);

        one = isl_set_project_out(one, isl_dim_set, components->n_parallel,
                                  n < 0 ? 0
                                        : (unsigned)n - components->n_parallel);
        all = all ? isl_set_union(all, one) : one;
    }
    return pg_coalesce(all);
}

/* "used", { [p] }, with the "n" dimensions of sequential loops added. */
static __isl_give isl_set *extend(__isl_keep isl_set *used, unsigned n)
{
    return isl_set_add_dims(isl_set_copy(used), isl_dim_set, n);
}

/* The full ones of "tiles", { [c] }, of component "p"; overruns[i] says whether
 * statement number i can run what is missing at points not in "used".  Empty
 * if that is too complicated.
 */
__isl_give isl_set *
pg_full_tiles_find(const struct pg_components *components, unsigned p,
                   const struct pg_tile_sizes *sizes, __isl_keep isl_set *tiles,
                   __isl_keep isl_set *used, const bool *overruns)
{
    unsigned n_loop = components->component[p].n_loop;
    isl_set *full = isl_set_copy(tiles);

    for (unsigned i = 0; i < components->n_placed; i++) {
        const struct pg_placed *placed = &components->placed[i];
        isl_map *missing;

        if (placed->component != p)
            continue;
        if (!placed->free) {
            isl_space *space = isl_set_get_space(full);

            isl_set_free(full);
            full = isl_set_empty(space);
            continue;
        }
        missing = boxes(sizes, tiles, n_loop);
        missing = isl_map_subtract_range(missing, points(placed));
        if (overruns[i])
            missing = isl_map_intersect_range(missing, extend(used, n_loop));
        full = isl_set_subtract(full, isl_map_domain(missing));
    }
    full = isl_set_remove_redundancies(pg_coalesce(full));
    if (isl_set_n_basic_set(full) > MAX_PIECES) {
        isl_space *space = isl_set_get_space(full);

        isl_set_free(full);
        full = isl_set_empty(space);
    }
    return full;
}

/* What of "placed" runs in the tiles "tiles": in full ones all of their boxes,
 * in others the instances, and besides all points not in "used" if the
 * sequential loops are the same for all that are ("overruns").
 */
__isl_give isl_set *pg_full_tiles_instances(
    const struct pg_components *components, const struct pg_placed *placed,
    const struct pg_tile_sizes *sizes, __isl_keep isl_set *tiles,
    __isl_keep isl_set *used, bool full, bool overruns)
{
    unsigned n_loop = components->component[placed->component].n_loop;
    isl_set *box = isl_map_range(boxes(sizes, tiles, n_loop));
    isl_set *all = points(placed), *loops, *both;
    isl_bool same;

    if (full) {
        isl_set_free(all);
        all = box;
    } else if (overruns && placed->free) {
        loops = isl_set_project_out(isl_set_copy(all), isl_dim_set, 0,
                                    components->n_parallel);
        loops =
            isl_set_insert_dims(loops, isl_dim_set, 0, components->n_parallel);
        loops = isl_set_intersect(loops, box);
        both = isl_set_intersect(isl_set_copy(loops), extend(used, n_loop));
        same = isl_set_is_subset(both, all);
        isl_set_free(both);
        if (same != isl_bool_false) {
            isl_set_free(all);
            all = same < 0 ? isl_set_free(loops) : loops;
        } else {
            isl_set_free(loops);
            all = isl_set_intersect(all,
                                    isl_map_range(boxes(sizes, tiles, n_loop)));
        }
    } else {
        all = isl_set_intersect(all, box);
    }
    return pg_coalesce(
        isl_set_apply(all, isl_map_reverse(isl_map_copy(placed->point))));
}
