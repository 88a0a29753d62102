/* full.c - tiles without anything missing, apart from the others.
 *
 * A tile of a part is full if code without conditions can run it: each
 * statement has all instances of the box, or can run the ones that are missing
 * as well.  It can do that if it is total, reads from buffers only, and writes
 * only to registers of points that nothing in the kernel uses: a point of the
 * parallel loops without any instance.  So a tile at the border of the
 * parallel loops is still full; one at the end of a sequential loop is not,
 * since the sum there must not take anything else in.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "promote/full.h"
#include "promote/parts.h"
#include "promote/tiles.h"
#include "support/coalesce.h"

#include <isl/space.h>

enum { MAX_PIECES = 4 };

/* The box of all points of the tiles "tiles", { [c] -> V }. */
static __isl_give isl_map *boxes(const struct pg_levels *levels,
                                 __isl_keep isl_set *tiles, unsigned n_loop)
{
    return isl_map_intersect_domain(
        pg_levels_tiles(levels, isl_set_get_space(tiles), n_loop),
        isl_set_copy(tiles));
}

/* The points { V } of the instances of "placed". */
static __isl_give isl_set *points(const struct pg_placed *placed)
{
    return isl_set_apply(isl_set_copy(placed->domain),
                         isl_map_copy(placed->point));
}

/* The tiles { [c] } that have instances of part "p". */
__isl_give isl_set *pg_full_tiles(const struct pg_parts *parts, unsigned p,
                                  const struct pg_levels *levels)
{
    isl_set *all = NULL;

    for (unsigned i = 0; i < parts->n_placed; i++) {
        isl_set *one;

        if (parts->placed[i].part != p)
            continue;
        one = points(&parts->placed[i]);
        one = isl_set_apply(
            one, isl_map_reverse(pg_levels_tiles(levels, isl_set_get_space(one),
                                                 parts->part[p].n_loop)));
        all = all ? isl_set_union(all, one) : one;
    }
    return pg_coalesce(all);
}

/* The tiles { [c] } of the parallel loops of "tiles" of a part. */
__isl_give isl_set *pg_full_outer(const struct pg_levels *levels,
                                  __isl_keep isl_set *tiles)
{
    isl_size n = isl_set_dim(tiles, isl_dim_set);

    return pg_coalesce(
        isl_set_project_out(isl_set_copy(tiles), isl_dim_set, levels->n,
                            n < 0 ? 0 : (unsigned)n - levels->n));
}

/* The points { [p] } of the parallel loops with any instance. */
__isl_give isl_set *pg_full_used(const struct pg_parts *parts)
{
    isl_set *all = NULL;

    for (unsigned i = 0; i < parts->n_placed; i++) {
        isl_set *one = points(&parts->placed[i]);
        isl_size n = isl_set_dim(one, isl_dim_set);

        one = isl_set_project_out(one, isl_dim_set, parts->n_parallel,
                                  n < 0 ? 0 : (unsigned)n - parts->n_parallel);
        all = all ? isl_set_union(all, one) : one;
    }
    return pg_coalesce(all);
}

/* "used", { [p] }, with the "n" dimensions of sequential loops added. */
static __isl_give isl_set *extend(__isl_keep isl_set *used, unsigned n)
{
    return isl_set_add_dims(isl_set_copy(used), isl_dim_set, n);
}

/* The full ones of "tiles", { [c] }, of part "p"; beyond[i] says whether
 * statement number i can run what is missing at points not in "used".  Empty
 * if that is too complicated.
 */
__isl_give isl_set *pg_full_find(const struct pg_parts *parts, unsigned p,
                                 const struct pg_levels *levels,
                                 __isl_keep isl_set *tiles,
                                 __isl_keep isl_set *used, const bool *beyond)
{
    unsigned n_loop = parts->part[p].n_loop;
    isl_set *full = isl_set_copy(tiles);

    for (unsigned i = 0; i < parts->n_placed; i++) {
        const struct pg_placed *placed = &parts->placed[i];
        isl_map *missing;

        if (placed->part != p)
            continue;
        if (!placed->free) {
            isl_space *space = isl_set_get_space(full);

            isl_set_free(full);
            full = isl_set_empty(space);
            continue;
        }
        missing = boxes(levels, tiles, n_loop);
        missing = isl_map_subtract_range(missing, points(placed));
        if (beyond[i])
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
 * in others the instances, and beyond them all points not in "used" if the
 * sequential loops are the same for all that are ("beyond").
 */
__isl_give isl_set *
pg_full_instances(const struct pg_parts *parts, const struct pg_placed *placed,
                  const struct pg_levels *levels, __isl_keep isl_set *tiles,
                  __isl_keep isl_set *used, bool full, bool beyond)
{
    unsigned n_loop = parts->part[placed->part].n_loop;
    isl_set *box = isl_map_range(boxes(levels, tiles, n_loop));
    isl_set *all = points(placed), *loops, *both;
    isl_bool same;

    if (full) {
        isl_set_free(all);
        all = box;
    } else if (beyond && placed->free) {
        loops = isl_set_project_out(isl_set_copy(all), isl_dim_set, 0,
                                    parts->n_parallel);
        loops = isl_set_insert_dims(loops, isl_dim_set, 0, parts->n_parallel);
        loops = isl_set_intersect(loops, box);
        both = isl_set_intersect(isl_set_copy(loops), extend(used, n_loop));
        same = isl_set_is_subset(both, all);
        isl_set_free(both);
        if (same != isl_bool_false) {
            isl_set_free(all);
            all = same < 0 ? isl_set_free(loops) : loops;
        } else {
            isl_set_free(loops);
            all = isl_set_intersect(
                all, isl_map_range(boxes(levels, tiles, n_loop)));
        }
    } else {
        all = isl_set_intersect(all, box);
    }
    return pg_coalesce(
        isl_set_apply(all, isl_map_reverse(isl_map_copy(placed->point))));
}
