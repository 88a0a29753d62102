/* distribute.c - pass: the parts of a kernel one after the other, with copies.
 *
 * Each part has its copies to shared memory with barriers around them, and then
 * its full and its partial tiles.  Copies, barriers, loads and stores are
 * tuples of their own in the domain of the tree, so that they are placed here
 * and not by a pass of their own: isl lets a later pass add to a tree only what
 * is below an extension node, and makes other loops of that.
 *
 * All dependences connect equal values of the parallel loops, so that nothing
 * but the order of the sequential loops at each value is to be kept; and that
 * tree keeps it.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "promote/distribute.h"
#include "map/buffers.h"
#include "map/marks.h"
#include "map/user.h"
#include "polygpu/polyhedral.h"
#include "promote/building.h"
#include "promote/full.h"
#include "promote/parts.h"
#include "promote/registers.h"
#include "promote/tiles.h"
#include "schedule/tree.h"
#include "support/coalesce.h"
#include "support/text.h"

#include <isl/space.h>
#include <stdlib.h>
#include <string.h>

/* A tuple that is a point of tiles or of parallel loops, not a statement. */
static __isl_give isl_set *special(struct pg_building *b,
                                   enum pg_user_kind kind, unsigned number,
                                   __isl_take isl_set *points)
{
    return isl_set_set_tuple_id(points, pg_user_id(b->ctx, kind, number));
}

/* The node below the root of "schedule". */
static __isl_give isl_schedule_node *top(__isl_take isl_schedule *schedule)
{
    isl_schedule_node *root = isl_schedule_get_root(schedule);

    isl_schedule_free(schedule);
    return isl_schedule_node_child(root, 0);
}

/* The schedule that "node" is in. */
static __isl_give isl_schedule *whole(__isl_take isl_schedule_node *node)
{
    isl_schedule *schedule = isl_schedule_node_get_schedule(node);

    isl_schedule_node_free(node);
    return schedule;
}

/* "body" below the mark "name". */
static __isl_give isl_schedule *mark(__isl_take isl_schedule *body,
                                     const char *name)
{
    return body ? whole(pg_mark_insert(top(body), name)) : NULL;
}

/* "rest", which is inside of the loops over points, below the marks "kind" and
 * point, with "work" and the innermost sequential loop "k" for the passes.
 */
static __isl_give isl_schedule *points_of(struct pg_building *b,
                                          const struct pg_work *work,
                                          __isl_take isl_schedule *rest, int k,
                                          const char *kind)
{
    b->point = pg_grow(b->point, b->n_point, sizeof(*b->point));
    b->point[b->n_point].work = pg_work_copy(work);
    b->point[b->n_point].k = k;
    b->point[b->n_point++].full = !strcmp(kind, PG_MARK_FULL);
    b->ok &= rest != NULL;
    return mark(mark(rest, PG_MARK_POINT), kind);
}

/* "first" and then "second", which may both be NULL: nothing. */
static __isl_give isl_schedule *then(struct pg_building *b,
                                     __isl_take isl_schedule *first,
                                     __isl_take isl_schedule *second)
{
    isl_schedule *both;

    if (!first || !second)
        return first ? first : second;
    both = isl_schedule_sequence(first, second);
    b->ok &= both != NULL;
    return both;
}

/* A tuple without points to run at each of "tiles", { [c] }, as a schedule;
 * NULL if there is none.
 */
static __isl_give isl_schedule *
at_tiles(struct pg_building *b, struct pg_work *work, enum pg_user_kind kind,
         unsigned number, __isl_take isl_set *tiles)
{
    isl_set *set = special(b, kind, number, tiles);
    isl_map *point = isl_map_reset_tuple_id(
        isl_set_identity(isl_set_universe(isl_set_get_space(set))),
        isl_dim_out);
    unsigned before = work->n;
    isl_schedule *schedule = NULL;

    b->ok &= pg_work_add(&b->context, work, isl_set_copy(set), point, true);
    if (work->n > before) {
        schedule = isl_schedule_from_domain(
            isl_union_set_from_set(isl_set_copy(work->item[before].domain)));
        schedule = mark(schedule,
                        kind == PG_USER_COPY ? PG_MARK_COPY : PG_MARK_BARRIER);
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

    for (unsigned d = 0; d < b->levels.n; d++)
        natural = isl_set_lower_bound_si(natural, isl_dim_set, d, 0);
    result = isl_set_is_subset(tiles, natural);
    isl_set_free(natural);
    return result;
}

/* Those of "tiles" before which threads of the block may still read what the
 * last copies brought: the first one of "all" tiles of the part in a block is
 * not among them, unless a part before it used shared memory.  Tiles from
 * number levels.grid on are not the first ones of their blocks if numbers
 * start at zero; otherwise nobody knows.
 */
static __isl_give isl_set *not_first(struct pg_building *b,
                                     __isl_keep isl_set *tiles,
                                     __isl_keep isl_set *all)
{
    unsigned n = b->levels.n;
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
    for (unsigned d = 0; d < n; d++)
        wrapped = isl_set_union(
            wrapped, isl_set_lower_bound_si(isl_set_copy(tiles), isl_dim_set, d,
                                            (int)b->levels.grid));
    if ((unsigned)dims == n)
        return pg_coalesce(wrapped);
    first = isl_map_from_range(isl_set_copy(all));
    first = isl_map_move_dims(first, isl_dim_in, 0, isl_dim_out, 0, n);
    first = isl_map_lexmin(first);
    first = isl_map_move_dims(first, isl_dim_out, 0, isl_dim_in, 0, n);
    later = isl_set_subtract(isl_set_copy(tiles), isl_map_range(first));
    return pg_coalesce(isl_set_union(wrapped, later));
}

/* The copies of part "p" with a barrier on both sides: those of each tile of
 * the innermost loop if "inner", else those of a tile of the parallel loops.
 * "after": is the barrier behind them needed?
 */
static __isl_give isl_schedule *
copies(struct pg_building *b, struct pg_work *work, unsigned p, bool inner,
       bool after, __isl_keep isl_set *tiles, __isl_keep isl_set *of_part)
{
    isl_bool empty = isl_set_is_empty(tiles);
    isl_schedule *all = NULL;
    bool any = false;

    for (unsigned i = 0; i < b->n_shared; i++)
        any |= b->group[i]->part == p && b->group[i]->inner == inner;
    b->ok &= empty >= 0;
    if (!any || empty != isl_bool_false)
        return NULL;
    all = at_tiles(b, work, PG_USER_BARRIER, b->n_barrier++,
                   not_first(b, tiles, of_part));
    for (unsigned i = 0; i < b->n_shared; i++)
        if (b->group[i]->part == p && b->group[i]->inner == inner)
            all = then(b, all,
                       at_tiles(b, work, PG_USER_COPY, i, isl_set_copy(tiles)));
    if (after)
        all = then(b, all,
                   at_tiles(b, work, PG_USER_BARRIER, b->n_barrier++,
                            isl_set_copy(tiles)));
    return all;
}

/* The statements of part "p" in the tiles "tiles", without conditions if
 * "full".  NULL if there is none.
 */
static __isl_give isl_schedule *compute(struct pg_building *b,
                                        struct pg_work *work, unsigned p,
                                        __isl_keep isl_set *tiles, bool full)
{
    const struct pg_part *part = &b->parts.part[p];
    int k = part->n_loop ? (int)(b->levels.n + part->n_loop - 1) : -1;
    struct pg_work mine = {0};
    isl_schedule_node *node;
    isl_schedule *rest;
    isl_union_set *domain, *kept;

    for (unsigned i = 0; i < b->parts.n_placed; i++)
        if (b->parts.placed[i].part == p)
            b->ok &= pg_work_add(
                &b->context, &mine,
                pg_full_instances(&b->parts, &b->parts.placed[i], &b->levels,
                                  tiles, b->used, full, b->beyond[i]),
                isl_map_copy(b->parts.placed[i].point), false);
    if (mine.n == 0 || !b->ok) {
        pg_work_clear(&mine);
        return NULL;
    }
    domain = pg_work_domain(&mine, isl_set_get_space(b->what->scop->context));
    node = top(isl_schedule_copy(part->rest));
    rest = pg_tree_ordered(node, isl_union_set_copy(domain));
    isl_schedule_node_free(node);
    kept = isl_schedule_get_domain(rest);
    b->ok &= isl_union_set_is_equal(domain, kept) == isl_bool_true;
    isl_union_set_free(domain);
    isl_union_set_free(kept);
    rest = points_of(b, &mine, rest, k, full ? PG_MARK_FULL : PG_MARK_PARTIAL);
    pg_work_join(work, &mine);
    return rest;
}

/* The loops over the tiles "tiles" of part "p", of which "full" need no
 * conditions and "partial" do.  "all" are the tiles of the part.
 */
static __isl_give isl_schedule *build_loops(struct pg_building *b,
                                            struct pg_work *work, unsigned p,
                                            __isl_keep isl_set *all,
                                            __isl_take isl_set *full,
                                            __isl_take isl_set *partial)
{
    const struct pg_part *part = &b->parts.part[p];
    isl_set *tiles =
        pg_coalesce(isl_set_union(isl_set_copy(full), isl_set_copy(partial)));
    isl_union_pw_aff_list *loops = isl_union_pw_aff_list_alloc(b->ctx, 0);
    isl_bool whole_only = isl_set_is_empty(partial);
    struct pg_work inner = {0};
    isl_schedule *body = copies(b, &inner, p, true, true, tiles, all);
    bool copied = body != NULL;

    b->ok &= whole_only >= 0;
    body = then(b, body, compute(b, &inner, p, full, true));
    body = then(b, body, compute(b, &inner, p, partial, false));
    for (unsigned l = 0; body && l < part->n_loop; l++)
        loops = isl_union_pw_aff_list_add(
            loops,
            pg_work_member(&inner, b->levels.n + l, 0,
                           l + 1 == part->n_loop ? b->levels.k_tile : 1));
    if (body && part->n_loop) {
        b->step = pg_grow(b->step, b->n_step, sizeof(*b->step));
        b->step[b->n_step].loops = loops;
        b->step[b->n_step].copies = copied;
        b->step[b->n_step++].partial = whole_only != isl_bool_true;
        body = mark(body, PG_MARK_STEP);
        b->ok &= body != NULL;
    } else {
        isl_union_pw_aff_list_free(loops);
    }
    pg_work_join(work, &inner);
    isl_set_free(tiles);
    isl_set_free(full);
    isl_set_free(partial);
    return body;
}

/* Those of "tiles" with one of "others" of the same parallel loops that runs
 * later ("sign" 1) or earlier (-1).
 */
static __isl_give isl_set *ordered_with(const struct pg_building *b,
                                        __isl_keep isl_set *tiles,
                                        __isl_keep isl_set *others, int sign)
{
    isl_space *space = isl_set_get_space(tiles);
    isl_map *order = sign > 0 ? isl_map_lex_lt(space) : isl_map_lex_gt(space);

    for (unsigned d = 0; d < b->levels.n; d++)
        order = isl_map_equate(order, isl_dim_in, (int)d, isl_dim_out, (int)d);
    order = isl_map_intersect_domain(order, isl_set_copy(tiles));
    order = isl_map_intersect_range(order, isl_set_copy(others));
    return pg_coalesce(isl_map_domain(order));
}

/* Part number "p": the partial tiles before the full ones, these, and the
 * partial tiles behind them in loops of their own if they come in this order.
 */
static __isl_give isl_schedule *build_part(struct pg_building *b,
                                           struct pg_work *work, unsigned p)
{
    isl_set *tiles = pg_full_tiles(&b->parts, p, &b->levels);
    isl_set *full =
        pg_full_find(&b->parts, p, &b->levels, tiles, b->used, b->beyond);
    isl_set *partial =
        pg_coalesce(isl_set_subtract(isl_set_copy(tiles), isl_set_copy(full)));
    isl_set *outer = pg_full_outer(&b->levels, tiles);
    isl_set *none = isl_set_empty(isl_set_get_space(tiles));
    isl_set *early = ordered_with(b, partial, full, 1), *late, *both;
    isl_schedule *body;
    isl_bool in_order;
    bool any = false;

    for (unsigned i = 0; i < b->n_shared; i++)
        any |= b->group[i]->part == p && b->group[i]->inner;
    late = pg_coalesce(
        isl_set_subtract(isl_set_copy(partial), isl_set_copy(early)));
    both = ordered_with(b, early, full, -1);
    in_order = isl_set_is_empty(both);
    b->ok &= in_order >= 0;
    body = copies(b, work, p, false, !any, outer, outer);
    if (b->parts.part[p].n_loop && in_order == isl_bool_true) {
        body = then(b, body,
                    build_loops(b, work, p, tiles, isl_set_copy(none), early));
        body = then(b, body,
                    build_loops(b, work, p, tiles, full, isl_set_copy(none)));
        body = then(b, body, build_loops(b, work, p, tiles, none, late));
        isl_set_free(partial);
    } else {
        body = then(b, body, build_loops(b, work, p, tiles, full, partial));
        isl_set_free(early);
        isl_set_free(late);
        isl_set_free(none);
    }
    for (unsigned i = 0; i < b->n_shared; i++)
        b->shared_before |= b->group[i]->part == p;
    isl_set_free(both);
    isl_set_free(tiles);
    isl_set_free(outer);
    return body;
}

/* Loads or stores of registers: full tiles without conditions, then the
 * others.
 */
static __isl_give isl_schedule *
moves(struct pg_building *b, struct pg_work *work, enum pg_user_kind kind)
{
    isl_schedule *all = NULL;

    for (unsigned i = 0; i < b->registers.n; i++) {
        const struct pg_register *reg = &b->registers.reg[i];
        isl_set *points, *missing, *tiles, *full;
        isl_map *boxes;
        isl_bool none;

        points = kind == PG_USER_LOAD ? reg->loaded : reg->stored;
        none = isl_set_is_empty(points);
        b->ok &= none >= 0;
        if (none != isl_bool_false)
            continue;
        points = isl_set_intersect(isl_map_domain(isl_map_copy(reg->element)),
                                   isl_set_copy(points));
        boxes = pg_levels_tiles(&b->levels, isl_set_get_space(points), 0);
        tiles = isl_set_apply(isl_set_copy(points),
                              isl_map_reverse(isl_map_copy(boxes)));
        tiles = pg_coalesce(tiles);
        missing = isl_map_domain(isl_map_subtract_range(
            isl_map_intersect_domain(isl_map_copy(boxes), isl_set_copy(tiles)),
            isl_set_copy(points)));
        full = pg_coalesce(isl_set_subtract(isl_set_copy(tiles), missing));
        tiles = pg_coalesce(isl_set_subtract(tiles, isl_set_copy(full)));
        for (int pass = 0; pass < 2; pass++) {
            isl_set *set = isl_set_apply(isl_set_copy(pass ? tiles : full),
                                         isl_map_copy(boxes));
            struct pg_work mine = {0};
            isl_map *point;

            set = isl_set_intersect(set, isl_set_copy(points));
            set = special(b, kind, b->n_shared + i, pg_coalesce(set));
            point = isl_map_reset_tuple_id(
                isl_set_identity(isl_set_universe(isl_set_get_space(set))),
                isl_dim_out);
            b->ok &= pg_work_add(&b->context, &mine, isl_set_copy(set), point,
                                 false);
            if (mine.n) {
                isl_schedule *one = isl_schedule_from_domain(
                    isl_union_set_from_set(isl_set_copy(mine.item[0].domain)));

                all = then(b, all,
                           points_of(b, &mine, one, -1,
                                     kind == PG_USER_LOAD ? PG_MARK_LOAD
                                                          : PG_MARK_STORE));
            }
            isl_set_free(set);
            pg_work_join(work, &mine);
        }
        isl_set_free(points);
        isl_set_free(tiles);
        isl_set_free(full);
        isl_map_free(boxes);
    }
    return all;
}

/* Can statement number "i" run at points where nothing uses what it writes? */
static bool runs_beyond(const struct pg_building *b, unsigned i)
{
    const struct pg_placed *placed = &b->parts.placed[i];
    const struct pg_stmt *stmt = &b->what->scop->stmts[placed->stmt];
    const int *buffer = b->promotion->buffer[placed->stmt];
    bool ok = stmt->total && placed->free;

    for (unsigned a = 0; ok && a < stmt->n_access; a++) {
        const struct pg_access *access = &stmt->accesses[a];

        if (access->write)
            ok = buffer[a] >= (int)b->n_shared;
        else
            ok = buffer[a] >= 0 ||
                 b->what->scop->arrays[access->array].n_dim == 0;
    }
    return ok;
}

/* distribute: what parts.c has taken apart, one part after the other, between
 * the loads and the stores of registers; the loops come in later passes.  The
 * tree that was is not looked at.
 */
__isl_give isl_schedule *pg_pass_distribute(__isl_take isl_schedule *tree,
                                            void *state)
{
    struct pg_building *b = state;

    isl_schedule_free(tree);
    b->used = pg_full_used(&b->parts);
    b->beyond = pg_alloc(b->parts.n_placed, sizeof(*b->beyond));
    for (unsigned i = 0; i < b->parts.n_placed; i++)
        b->beyond[i] = runs_beyond(b, i);
    tree = moves(b, &b->work, PG_USER_LOAD);
    for (unsigned p = 0; b->ok && p < b->parts.n; p++)
        tree = then(b, tree, build_part(b, &b->work, p));
    tree = then(b, tree, moves(b, &b->work, PG_USER_STORE));
    isl_set_free(b->used);
    free(b->beyond);
    return b->ok ? tree : isl_schedule_free(tree);
}
