/* copies.c - copies to shared memory, and the barriers around them.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "promote/copies.h"
#include "map/buffers.h"
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
            schedule, kind == PG_USER_BARRIER ? PG_MARK_BARRIER : PG_MARK_COPY);
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

/* Is shared buffer number "i" copied by component "p", for each tile of its
 * innermost loop if "inner", else for each of the parallel loops?
 */
static bool is_copied(const struct pg_building *b, unsigned i, unsigned p,
                      bool inner)
{
    return b->group[i]->component == p && b->group[i]->inner == inner;
}

/* Copies to buffers of component "p" that are "written", or to the others, at
 * "tiles"; NULL if there are none.
 */
static __isl_give isl_schedule *fill(struct pg_building *b,
                                     struct pg_work *work, unsigned p,
                                     bool inner, bool written,
                                     __isl_keep isl_set *tiles)
{
    isl_schedule *all = NULL;

    for (unsigned i = 0; i < b->n_shared; i++)
        if (is_copied(b, i, p, inner) && b->group[i]->written == written &&
            (!written || b->promotion->home[i].in))
            all = pg_building_then(
                b, all,
                at_tiles(b, work, PG_USER_COPY, i, isl_set_copy(tiles)));
    return all;
}

/* The copies of component "p" with a barrier on both sides: those of each tile
 * of the innermost loop if "inner", else those of a tile of the parallel loops.
 * "after": is the barrier behind them needed?  "*ahead" tells whether there are
 * copies that may be made before the tile before has ended: those of arrays
 * that are only read, which come first.
 */
__isl_give isl_schedule *
pg_copies_build(struct pg_building *b, struct pg_work *work, unsigned p,
                bool inner, bool after, __isl_keep isl_set *tiles,
                __isl_keep isl_set *of_part, bool *ahead)
{
    isl_bool empty = isl_set_is_empty(tiles);
    isl_schedule *all, *copies;
    bool any = false, before = false;

    *ahead = false;
    for (unsigned i = 0; i < b->n_shared; i++) {
        any |= is_copied(b, i, p, inner);
        before |= is_copied(b, i, p, inner) && b->group[i]->written &&
                  b->group[i]->before;
    }
    b->ok &= empty >= 0;
    if (!any || empty != isl_bool_false)
        return NULL;
    all = at_tiles(b, work, PG_USER_BARRIER, b->n_barrier++,
                   before ? isl_set_copy(tiles) : not_first(b, tiles, of_part));
    copies = fill(b, work, p, inner, false, tiles);
    *ahead = copies != NULL;
    copies = pg_building_then(b, copies, fill(b, work, p, inner, true, tiles));
    if (after && copies)
        copies =
            pg_building_then(b, copies,
                             at_tiles(b, work, PG_USER_BARRIER, b->n_barrier++,
                                      isl_set_copy(tiles)));
    return pg_building_then(b, all, copies);
}

/* What component "p" has written to buffers goes to memory, behind a barrier.
 */
__isl_give isl_schedule *pg_copies_bring_back(struct pg_building *b,
                                              struct pg_work *work, unsigned p,
                                              bool inner,
                                              __isl_keep isl_set *tiles)
{
    isl_bool empty = isl_set_is_empty(tiles);
    isl_schedule *all = NULL;

    b->ok &= empty >= 0;
    for (unsigned i = 0; empty == isl_bool_false && i < b->n_shared; i++) {
        if (!is_copied(b, i, p, inner) || !b->group[i]->written)
            continue;
        if (!all)
            all = at_tiles(b, work, PG_USER_BARRIER, b->n_barrier++,
                           isl_set_copy(tiles));
        all = pg_building_then(
            b, all, at_tiles(b, work, PG_USER_BACK, i, isl_set_copy(tiles)));
    }
    return all;
}

/* A barrier at "tiles", behind component "p", if later ones access what it has
 * brought back.
 */
__isl_give isl_schedule *pg_copies_end(struct pg_building *b,
                                       struct pg_work *work, unsigned p,
                                       __isl_keep isl_set *tiles)
{
    bool behind = false;

    for (unsigned i = 0; i < b->n_shared; i++)
        behind |= b->group[i]->component == p && b->group[i]->written &&
                  b->group[i]->behind;
    return behind ? at_tiles(b, work, PG_USER_BARRIER, b->n_barrier++,
                             isl_set_copy(tiles))
                  : NULL;
}
