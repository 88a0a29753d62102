/* promoted_tree.c - the schedule tree of a kernel with buffers.
 *
 * The kernel's tree is built anew.  For a part with a sequential loop k:
 *
 *   blocks                                   filter: b0, b1, b2
 *   tiles of the parallel loops              floor(p / tile)
 *     loads of registers
 *     each part after the other:
 *       its other sequential loops
 *       tiles of k                           floor(k / k_tile)
 *         barrier, copies to shared memory, barrier
 *         full tiles, then partial ones:
 *           threads                          filter: t0, t1, t2
 *           k mod k_tile                     unrolled in full tiles
 *             points of the thread           unrolled
 *     stores of registers
 *
 * All dependences connect equal values of the parallel loops, so that nothing
 * but the order of the sequential loops at each value is to be kept; and that
 * tree keeps it.  This is the mapping of section 5 of Verdoolaege et al., TACO
 * 9(4), 2013, with tiles of threads below those of blocks.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "map/buffers.h"
#include "map/mapping.h"
#include "map/sizes.h"
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

#include <isl/ast_type.h>
#include <isl/space.h>
#include <isl/val.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_UNROLLED = 1024 };

/* A tuple that is a point of tiles or of parallel loops, not a statement. */
static __isl_give isl_set *special(struct pg_building *b,
                                   enum pg_user_kind kind, unsigned number,
                                   __isl_take isl_set *points)
{
    return isl_set_set_tuple_id(points, pg_user_id(b->ctx, kind, number));
}

/* { S[i] -> [v] }: dimension "d" of the points "map". */
static __isl_give isl_union_pw_aff *dimension(__isl_keep isl_map *map,
                                              unsigned d)
{
    isl_pw_multi_aff *all = isl_pw_multi_aff_from_map(isl_map_copy(map));
    isl_pw_aff *one = isl_pw_multi_aff_get_pw_aff(all, (int)d);

    isl_pw_multi_aff_free(all);
    return isl_union_pw_aff_from_pw_aff(one);
}

/* floor("value" / "size"). */
static __isl_give isl_union_pw_aff *quotient(__isl_take isl_union_pw_aff *value,
                                             long long size)
{
    isl_ctx *ctx = isl_union_pw_aff_get_ctx(value);

    if (size == 1)
        return value;
    return isl_union_pw_aff_floor(isl_union_pw_aff_scale_down_val(
        value, isl_val_int_from_si(ctx, (long)size)));
}

/* Something that is to be run: its instances and their points. */
struct work {
    unsigned n;
    struct {
        isl_set *domain; /* { S[i] } */
        isl_map *point;  /* { S[i] -> [p..., ...] } */
        bool is_tile;    /* points are tiles already */
    } *item;
};

/* "domain" without what is known of the parameters, which need not be said in
 * each of many sets; with it if others in the tree have some of its points
 * where that does not hold, since the sets of a tree must not.
 */
static __isl_give isl_set *shorten(struct pg_building *b,
                                   __isl_take isl_set *domain)
{
    isl_set *brief =
        isl_set_gist_params(isl_set_copy(domain), isl_set_copy(b->known));
    isl_set *others =
        isl_union_set_extract_set(b->given, isl_set_get_space(brief));
    isl_bool apart = isl_set_is_disjoint(brief, others);

    isl_set_free(others);
    b->ok &= apart >= 0;
    if (apart != isl_bool_true) {
        isl_set_free(brief);
        brief = isl_set_intersect_params(isl_set_copy(domain),
                                         isl_set_copy(b->known));
    }
    isl_set_free(domain);
    b->given = isl_union_set_union(b->given,
                                   isl_union_set_from_set(isl_set_copy(brief)));
    return brief;
}

/* Add to "work"; empty domains are nothing. */
static void add_work(struct pg_building *b, struct work *work,
                     __isl_take isl_set *domain, __isl_take isl_map *point,
                     bool is_tile)
{
    isl_set *some =
        isl_set_intersect_params(isl_set_copy(domain), isl_set_copy(b->known));
    isl_bool empty = isl_set_is_empty(some);

    isl_set_free(some);
    b->ok &= empty >= 0;
    if (empty != isl_bool_false) {
        isl_set_free(domain);
        isl_map_free(point);
        return;
    }
    work->item = pg_grow(work->item, work->n, sizeof(*work->item));
    domain = shorten(b, domain);
    b->ok &= domain && point;
    work->item[work->n].domain = domain;
    work->item[work->n].point = point;
    work->item[work->n++].is_tile = is_tile;
}

/* Move what is in "from" to "to". */
static void join_work(struct work *to, struct work *from)
{
    for (unsigned i = 0; i < from->n; i++) {
        to->item = pg_grow(to->item, to->n, sizeof(*to->item));
        to->item[to->n++] = from->item[i];
    }
    free(from->item);
    memset(from, 0, sizeof(*from));
}

/* Free what "work" holds. */
static void clear_work(struct work *work)
{
    for (unsigned i = 0; i < work->n; i++) {
        isl_set_free(work->item[i].domain);
        isl_map_free(work->item[i].point);
    }
    free(work->item);
    memset(work, 0, sizeof(*work));
}

/* The instances of "work". */
static __isl_give isl_union_set *domain_of(struct pg_building *b,
                                           const struct work *work)
{
    isl_union_set *all =
        isl_union_set_empty(isl_set_get_space(b->what->scop->context));

    for (unsigned i = 0; i < work->n; i++)
        all = isl_union_set_union(
            all, isl_union_set_from_set(isl_set_copy(work->item[i].domain)));
    return all;
}

/* Has an item of "work" before number "i" the same tuple? */
static isl_bool is_repeated(const struct work *work, unsigned i)
{
    isl_space *space = isl_set_get_space(work->item[i].domain), *other;
    isl_bool found = isl_bool_false;

    for (unsigned j = 0; found == isl_bool_false && j < i; j++) {
        other = isl_set_get_space(work->item[j].domain);
        found = isl_space_has_equal_tuples(space, other);
        isl_space_free(other);
    }
    isl_space_free(space);
    return found;
}

/* Dimension "d" of the points of "work": mod "within" (0: not), divided by
 * "size".  Those of tiles are what they are.
 */
static __isl_give isl_union_pw_aff *member(const struct work *work, unsigned d,
                                           long long within, long long size)
{
    isl_union_pw_aff *all = NULL;

    for (unsigned i = 0; i < work->n; i++) {
        isl_bool repeated = is_repeated(work, i);
        isl_union_pw_aff *one;

        if (repeated < 0)
            return isl_union_pw_aff_free(all);
        if (repeated)
            continue;
        one = dimension(work->item[i].point, d);
        if (!work->item[i].is_tile) {
            if (within)
                one = pg_mod(one, within);
            one = quotient(one, size);
        }
        all = all ? isl_union_pw_aff_union_add(all, one) : one;
    }
    return all;
}

/* "list" with "value" added to the end. */
static __isl_give isl_union_pw_aff_list *
append(__isl_take isl_union_pw_aff_list *list,
       __isl_take isl_union_pw_aff *value)
{
    return isl_union_pw_aff_list_add(list, value);
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

static void free_unroll(void *user)
{
    free(user);
}

/* "body" below a mark that says that its loops, of these extents, are to be
 * unrolled.
 */
static __isl_give isl_schedule *mark_unroll(struct pg_building *b,
                                            __isl_take isl_schedule *body,
                                            const struct pg_unroll *unroll)
{
    struct pg_unroll *copy;
    isl_id *id;

    if (unroll->n == 0)
        return body;
    copy = pg_alloc(1, sizeof(*copy));
    *copy = *unroll;
    id = isl_id_alloc(b->ctx, PG_MARK_UNROLL, copy);
    if (!id)
        free(copy);
    id = isl_id_set_free_user(id, &free_unroll);
    return whole(isl_schedule_node_insert_mark(top(body), id));
}

/* "body" for the instances "domain" only. */
static __isl_give isl_schedule *filter(__isl_take isl_schedule *body,
                                       __isl_take isl_union_set *domain)
{
    return whole(isl_schedule_node_insert_filter(top(body), domain));
}

/* "set" with the parameter "name" zero. */
static __isl_give isl_union_set *
zero_parameter(isl_ctx *ctx, __isl_take isl_union_set *set, const char *name)
{
    isl_space *space = isl_space_params_alloc(ctx, 1);
    isl_set *zero;

    space = isl_space_set_dim_id(space, isl_dim_param, 0,
                                 isl_id_alloc(ctx, name, NULL));
    zero = isl_set_fix_si(isl_set_universe(space), isl_dim_param, 0, 0);
    return isl_union_set_intersect_params(set, zero);
}

/* What of "work" the thread t0, t1, t2 runs. */
static __isl_give isl_union_set *threads(struct pg_building *b,
                                         const struct work *work)
{
    const struct pg_levels *levels = &b->levels;
    isl_union_set *mine = domain_of(b, work);

    for (unsigned d = 0; d < levels->n; d++) {
        long long one = levels->vector[d], all = one * levels->threads[d];
        char *name = pg_format("t%u", levels->n - 1 - d);

        if (levels->threads[d] > 1)
            mine = pg_fix_to_parameter(mine, member(work, d, all, one), name);
        free(name);
    }
    if (levels->more > 1) {
        char *name = pg_format("t%u", levels->n);

        mine = zero_parameter(b->ctx, mine, name);
        free(name);
    }
    return mine;
}

/* Add to promotion->place where the instances of "work" are; "k" is the
 * innermost sequential loop, or negative.
 */
static void remember_places(struct pg_building *b, const struct work *work,
                            int k)
{
    const struct pg_levels *levels = &b->levels;
    unsigned n_c = k < 0 ? levels->n : (unsigned)k + 1;

    for (unsigned i = 0; i < work->n; i++) {
        struct work one = {.n = 1, .item = &work->item[i]};
        isl_union_pw_aff_list *list = isl_union_pw_aff_list_alloc(b->ctx, 0);

        for (unsigned c = 0; c < n_c; c++)
            list = append(list, member(&one, c, 0,
                                       c < levels->n      ? levels->tile[c]
                                       : c == (unsigned)k ? levels->k_tile
                                                          : 1));
        for (unsigned d = 0; d < levels->n; d++) {
            long long vector = levels->vector[d];
            isl_union_pw_aff *at =
                member(&one, d, levels->tile[d], vector * levels->threads[d]);

            at = isl_union_pw_aff_scale_val(
                at, isl_val_int_from_si(b->ctx, (long)vector));
            list = append(list,
                          isl_union_pw_aff_add(at, member(&one, d, vector, 1)));
        }
        b->promotion->place = isl_union_map_union(
            b->promotion->place,
            isl_union_map_from_multi_union_pw_aff(pg_tree_join(list)));
    }
}

/* The points of threads of "work" around "rest": if "k" is not negative, the
 * steps of that dimension first, unrolled if "unroll_k".
 */
static __isl_give isl_schedule *thread_level(struct pg_building *b,
                                             const struct work *work,
                                             __isl_take isl_schedule *rest,
                                             int k, bool unroll_k)
{
    const struct pg_levels *levels = &b->levels;
    isl_union_pw_aff_list *points = isl_union_pw_aff_list_alloc(b->ctx, 0);
    isl_union_pw_aff_list *steps = isl_union_pw_aff_list_alloc(b->ctx, 0);
    struct pg_unroll unroll = {.first = k < 0 ? levels->n
                                              : (unsigned)k + 1 + !unroll_k};

    remember_places(b, work, k);
    if (k >= 0) {
        steps = append(steps, member(work, (unsigned)k, levels->k_tile, 1));
        if (unroll_k) {
            unroll.steps = true;
            unroll.extent[unroll.n++] = (unsigned)levels->k_tile;
        }
    }
    for (unsigned d = 0; d < levels->n; d++) {
        long long all = levels->vector[d] * levels->threads[d];

        points = append(points, member(work, d, levels->tile[d], all));
        unroll.extent[unroll.n++] = (unsigned)(levels->tile[d] / all);
    }
    for (unsigned d = 0; d < levels->n; d++) {
        points = append(points, member(work, d, levels->vector[d], 1));
        unroll.extent[unroll.n++] = (unsigned)levels->vector[d];
    }
    rest = pg_tree_band(rest, points, true, NULL);
    if (k < 0 || !unroll_k)
        rest = mark_unroll(b, rest, &unroll);
    rest = pg_tree_band(rest, steps, true, NULL);
    if (k >= 0 && unroll_k)
        rest = mark_unroll(b, rest, &unroll);
    rest = filter(rest, threads(b, work));
    b->ok &= rest != NULL;
    return rest;
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
at_tiles(struct pg_building *b, struct work *work, enum pg_user_kind kind,
         unsigned number, __isl_take isl_set *tiles)
{
    isl_set *set = special(b, kind, number, tiles);
    isl_map *point = isl_map_reset_tuple_id(
        isl_set_identity(isl_set_universe(isl_set_get_space(set))),
        isl_dim_out);
    unsigned before = work->n;
    isl_schedule *schedule = NULL;

    add_work(b, work, isl_set_copy(set), point, true);
    if (work->n > before) {
        schedule = isl_schedule_from_domain(
            isl_union_set_from_set(isl_set_copy(work->item[before].domain)));
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
static __isl_give isl_schedule *copies(struct pg_building *b, struct work *work,
                                       unsigned p, bool inner, bool after,
                                       __isl_keep isl_set *tiles,
                                       __isl_keep isl_set *of_part)
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

/* The statements of part "p" in the tiles "tiles", as code without conditions
 * if "full".  NULL if there is none.
 */
static __isl_give isl_schedule *compute(struct pg_building *b,
                                        struct work *work, unsigned p,
                                        __isl_keep isl_set *tiles, bool full)
{
    const struct pg_part *part = &b->parts.part[p];
    int k = part->n_loop ? (int)(b->levels.n + part->n_loop - 1) : -1;
    struct work mine = {0};
    isl_schedule_node *node;
    isl_schedule *rest;
    isl_union_set *domain, *kept;
    double unrolled = k >= 0 ? (double)b->levels.k_tile : 1;

    for (unsigned i = 0; i < b->parts.n_placed; i++)
        if (b->parts.placed[i].part == p)
            add_work(b, &mine,
                     pg_full_instances(&b->parts, &b->parts.placed[i],
                                       &b->levels, tiles, b->used, full,
                                       b->beyond[i]),
                     isl_map_copy(b->parts.placed[i].point), false);
    if (mine.n == 0 || !b->ok) {
        clear_work(&mine);
        return NULL;
    }
    for (unsigned d = 0; d < b->levels.n; d++)
        unrolled *= (double)(b->levels.tile[d] / b->levels.threads[d]);
    domain = domain_of(b, &mine);
    node = top(isl_schedule_copy(part->rest));
    rest = pg_tree_ordered(node, isl_union_set_copy(domain));
    isl_schedule_node_free(node);
    kept = isl_schedule_get_domain(rest);
    b->ok &= isl_union_set_is_equal(domain, kept) == isl_bool_true;
    isl_union_set_free(domain);
    isl_union_set_free(kept);
    rest = thread_level(b, &mine, rest, k, full && unrolled <= MAX_UNROLLED);
    join_work(work, &mine);
    return rest;
}

/* Say that loops over the members of the band at the top of "schedule" must
 * not be split.
 */
static __isl_give isl_schedule *keep_loops(__isl_take isl_schedule *schedule)
{
    isl_schedule_node *node = top(schedule);
    isl_size n = isl_schedule_node_band_n_member(node);

    for (int i = 0; i < n; i++)
        node = isl_schedule_node_band_member_set_ast_loop_type(
            node, i, isl_ast_loop_atomic);
    return whole(node);
}

/* The loops over the tiles "tiles" of part "p", of which "full" need no
 * conditions and "partial" do.  "all" are the tiles of the part.
 */
static __isl_give isl_schedule *build_loops(struct pg_building *b,
                                            struct work *work, unsigned p,
                                            __isl_keep isl_set *all,
                                            __isl_take isl_set *full,
                                            __isl_take isl_set *partial)
{
    const struct pg_part *part = &b->parts.part[p];
    isl_set *tiles =
        pg_coalesce(isl_set_union(isl_set_copy(full), isl_set_copy(partial)));
    isl_union_pw_aff_list *loops = isl_union_pw_aff_list_alloc(b->ctx, 0);
    isl_bool whole_only = isl_set_is_empty(partial);
    struct work inner = {0};
    isl_schedule *body = copies(b, &inner, p, true, true, tiles, all);
    bool pipeline = whole_only == isl_bool_true && body && part->n_loop == 1;

    b->ok &= whole_only >= 0;
    body = then(b, body, compute(b, &inner, p, full, true));
    body = then(b, body, compute(b, &inner, p, partial, false));
    for (unsigned l = 0; body && l < part->n_loop; l++)
        loops =
            append(loops, member(&inner, b->levels.n + l, 0,
                                 l + 1 == part->n_loop ? b->levels.k_tile : 1));
    if (body) {
        body = pg_tree_band(body, loops, false, NULL);
        b->ok &= body != NULL;
    } else {
        isl_union_pw_aff_list_free(loops);
    }
    if (body && part->n_loop) {
        body = keep_loops(body);
        if (pipeline)
            body = whole(isl_schedule_node_insert_mark(
                top(body), isl_id_alloc(b->ctx, PG_MARK_PIPELINE, NULL)));
    }
    join_work(work, &inner);
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
                                           struct work *work, unsigned p)
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
static __isl_give isl_schedule *moves(struct pg_building *b, struct work *work,
                                      enum pg_user_kind kind)
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
            struct work mine = {0};
            isl_map *point;

            set = isl_set_intersect(set, isl_set_copy(points));
            set = special(b, kind, b->n_shared + i, pg_coalesce(set));
            point = isl_map_reset_tuple_id(
                isl_set_identity(isl_set_universe(isl_set_get_space(set))),
                isl_dim_out);
            add_work(b, &mine, isl_set_copy(set), point, false);
            if (mine.n) {
                isl_schedule *one = isl_schedule_from_domain(
                    isl_union_set_from_set(isl_set_copy(mine.item[0].domain)));

                all = then(b, all, thread_level(b, &mine, one, -1, false));
            }
            isl_set_free(set);
            join_work(work, &mine);
        }
        isl_set_free(points);
        isl_set_free(tiles);
        isl_set_free(full);
        isl_map_free(boxes);
    }
    return all;
}

/* The whole kernel: "body" below the tiles of the parallel loops, in blocks. */
static __isl_give isl_schedule *block_level(struct pg_building *b,
                                            const struct work *work,
                                            __isl_take isl_schedule *body)
{
    const struct pg_levels *levels = &b->levels;
    isl_union_pw_aff_list *tiles = isl_union_pw_aff_list_alloc(b->ctx, 0);
    bool coincident[PG_MAX_MAPPED] = {true, true, true};
    isl_union_set *mine = domain_of(b, work);

    for (unsigned d = 0; d < levels->n; d++) {
        isl_union_pw_aff *tile = member(work, d, 0, levels->tile[d]);
        char *name = pg_format("b%u", levels->n - 1 - d);

        mine = pg_fix_to_parameter(
            mine, pg_mod(isl_union_pw_aff_copy(tile), levels->grid), name);
        tiles = append(tiles, tile);
        free(name);
    }
    body = keep_loops(pg_tree_band(body, tiles, true, coincident));
    return filter(body, mine);
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

/* The kernel's tree; NULL if it cannot be. */
__isl_give isl_schedule *pg_promote_tree(struct pg_building *b)
{
    struct work work = {0};
    isl_schedule *body;
    isl_bool legal;

    b->used = pg_full_used(&b->parts);
    b->beyond = pg_alloc(b->parts.n_placed, sizeof(*b->beyond));
    for (unsigned i = 0; i < b->parts.n_placed; i++)
        b->beyond[i] = runs_beyond(b, i);
    body = moves(b, &work, PG_USER_LOAD);
    for (unsigned p = 0; b->ok && p < b->parts.n; p++)
        body = then(b, body, build_part(b, &work, p));
    body = then(b, body, moves(b, &work, PG_USER_STORE));
    if (b->ok && body) {
        isl_schedule_node *root;

        body = block_level(b, &work, body);
        root = isl_schedule_get_root(body);
        legal = pg_tree_is_legal(root, isl_union_map_copy(b->what->order));
        isl_schedule_node_free(root);
        b->ok = legal == isl_bool_true;
    }
    clear_work(&work);
    isl_set_free(b->used);
    free(b->beyond);
    if (!b->ok)
        body = isl_schedule_free(body);
    return body;
}
