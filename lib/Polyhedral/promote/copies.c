/* copies.c - copies to shared memory, and the barriers around them.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "promote/copies.h"
#include "map/marks.h"
#include "polygpu/polyhedral.h"
#include "promote/building.h"
#include "promote/groups.h"
#include "promote/work.h"
#include "support/coalesce.h"

#include <isl/space.h>

/* A tuple without points to run at each of "tiles", { [c] }, as a schedule;
 * NULL if there is none.
 */
static __isl_give isl_schedule *
at_tiles(struct pg_building *b, struct pg_work *work, enum pg_user_kind kind,
         unsigned number, __isl_take isl_set *tiles)
{
    isl_set *set = pg_building_tuple(b, kind, number, tiles);
    isl_map *point = isl_map_reset_tuple_id(
        isl_set_identity(isl_set_universe(isl_set_get_space(set))),
        isl_dim_out);
    unsigned before = work->n;
    isl_schedule *schedule = NULL;

    b->ok &= pg_work_add(&b->context, work, isl_set_copy(set), point, true);
    if (work->n > before) {
        schedule = isl_schedule_from_domain(
            isl_union_set_from_set(isl_set_copy(work->item[before].domain)));
        schedule = pg_mark_tree(
            schedule, kind == PG_USER_COPY ? PG_MARK_COPY : PG_MARK_BARRIER);
        b->ok &= schedule != NULL;
    }
    isl_set_free(set);
    return schedule;
}

/* Is no number of a tile of the parallel loops negative in "tiles"? */
static isl_bool is_natural(const struct pg_building *b,
                           __isl_keep isl_set *tiles)
{
    isl_set *natural = isl_set_copy(tiles);
    isl_bool result;

    for (unsigned d = 0; d < b->sizes.n; d++)
        natural = isl_set_lower_bound_si(natural, isl_dim_set, d, 0);
    result = isl_set_is_subset(tiles, natural);
    isl_set_free(natural);
    return result;
}

/* Those of "tiles" before which threads of the block may still read what the
 * last copies brought: the first one of "all" tiles of the component in a block
 * is not among them, unless a component before it used shared memory.  Tiles
 * from number sizes.grid on are not the first ones of their blocks if numbers
 * start at zero; otherwise nobody knows.
 */
static __isl_give isl_set *not_first(struct pg_building *b,
                                     __isl_keep isl_set *tiles,
                                     __isl_keep isl_set *all)
{
    unsigned n = b->sizes.n;
    isl_size dims = isl_set_dim(tiles, isl_dim_set);
    isl_set *wrapped, *later;
    isl_bool natural;
    isl_map *first;

    if (b->shared_before || dims < 0)
        return isl_set_copy(tiles);
    natural = is_natural(b, all);
    b->ok &= natural >= 0;
    if (natural != isl_bool_true)
        return isl_set_copy(tiles);
    wrapped = isl_set_empty(isl_set_get_space(tiles));
    for (unsigned d = 0; d < n && b->sizes.grid != PG_GRID_ALL; d++)
        wrapped = isl_set_union(
            wrapped, isl_set_lower_bound_si(isl_set_copy(tiles), isl_dim_set, d,
                                            (int)b->sizes.grid));
    if ((unsigned)dims == n)
        return pg_coalesce(wrapped);
    first = isl_map_from_range(isl_set_copy(all));
    first = isl_map_move_dims(first, isl_dim_in, 0, isl_dim_out, 0, n);
    first = isl_map_lexmin(first);
    first = isl_map_move_dims(first, isl_dim_out, 0, isl_dim_in, 0, n);
    later = isl_set_subtract(isl_set_copy(tiles), isl_map_range(first));
    return pg_coalesce(isl_set_union(wrapped, later));
}

/* The copies of component "p" with a barrier on both sides: those of each tile
 * of the innermost loop if "inner", else those of a tile of the parallel loops.
 * "after": is the barrier behind them needed?
 */
__isl_give isl_schedule *pg_copies_build(struct pg_building *b,
                                         struct pg_work *work, unsigned p,
                                         bool inner, bool after,
                                         __isl_keep isl_set *tiles,
                                         __isl_keep isl_set *of_part)
{
    isl_bool empty = isl_set_is_empty(tiles);
    isl_schedule *all = NULL;
    bool any = false;

    for (unsigned i = 0; i < b->n_shared; i++)
        any |= b->group[i]->component == p && b->group[i]->inner == inner;
    b->ok &= empty >= 0;
    if (!any || empty != isl_bool_false)
        return NULL;
    all = at_tiles(b, work, PG_USER_BARRIER, b->n_barrier++,
                   not_first(b, tiles, of_part));
    for (unsigned i = 0; i < b->n_shared; i++)
        if (b->group[i]->component == p && b->group[i]->inner == inner)
            all = pg_building_then(
                b, all,
                at_tiles(b, work, PG_USER_COPY, i, isl_set_copy(tiles)));
    if (after)
        all = pg_building_then(b, all,
                               at_tiles(b, work, PG_USER_BARRIER,
                                        b->n_barrier++, isl_set_copy(tiles)));
    return all;
}
