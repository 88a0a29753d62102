/* promote.c - a kernel that works on shared memory and registers.
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
#include "internal.h"

#include <isl/ast_type.h>
#include <isl/space.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_UNROLLED = 1024, SHARED_LIMIT = 48 * 1024, MAX_LOOP_DIMS = 8 };

/* The kernel under construction. */
struct building {
    const struct pg_promoting *what;
    isl_ctx *ctx;
    struct pg_parts parts;
    struct pg_groups groups;
    struct pg_registers registers;
    struct pg_levels levels;
    struct pg_promotion *promotion;
    struct pg_buffer *buffers; /* shared ones, then registers */
    struct pg_group **group;   /* of each shared buffer */
    unsigned n_buffer, n_shared, n_barrier;
    isl_set *known;     /* { : } what is known of the parameters */
    isl_set *used;      /* { [p] } with any instance */
    bool *beyond;       /* by placed statement */
    bool shared_before; /* has a part before used shared memory? */
    bool ok;
};

/* A tuple that is a point of tiles or of parallel loops, not a statement. */
static __isl_give isl_set *special(struct building *b, enum pg_user_kind kind,
                                   unsigned number, __isl_take isl_set *points)
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

/* "value" mod "size". */
static __isl_give isl_union_pw_aff *
remainder_of(__isl_take isl_union_pw_aff *value, long long size)
{
    isl_ctx *ctx = isl_union_pw_aff_get_ctx(value);

    return isl_union_pw_aff_mod_val(value,
                                    isl_val_int_from_si(ctx, (long)size));
}

/* Something that is to be run: its instances and their points. */
struct work {
    unsigned n, size;
    struct {
        isl_set *domain; /* { S[i] } */
        isl_map *point;  /* { S[i] -> [p..., ...] } */
        bool is_tile;    /* points are tiles already */
    } *item;
};

/* Add to "work"; empty domains are nothing. */
static void add_work(struct building *b, struct work *work,
                     __isl_take isl_set *domain, __isl_take isl_map *point,
                     bool is_tile)
{
    isl_bool empty;

    isl_set *some =
        isl_set_intersect_params(isl_set_copy(domain), isl_set_copy(b->known));

    // What the context says need not be said in each of many sets.
    domain = isl_set_gist_params(domain, isl_set_copy(b->known));
    empty = isl_set_is_empty(some);
    isl_set_free(some);
    b->ok &= empty >= 0;
    if (empty != isl_bool_false) {
        isl_set_free(domain);
        isl_map_free(point);
        return;
    }
    work->item = pg_grow(work->item, work->n, sizeof(*work->item));
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
static __isl_give isl_union_set *domain_of(struct building *b,
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
static bool is_repeated(const struct work *work, unsigned i)
{
    isl_space *space = isl_set_get_space(work->item[i].domain), *other;
    bool found = false;

    for (unsigned j = 0; !found && j < i; j++) {
        other = isl_set_get_space(work->item[j].domain);
        found = isl_space_has_equal_tuples(space, other) == isl_bool_true;
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
        isl_union_pw_aff *one;

        if (is_repeated(work, i))
            continue;
        one = dimension(work->item[i].point, d);
        if (!work->item[i].is_tile) {
            if (within)
                one = remainder_of(one, within);
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
static __isl_give isl_schedule *mark_unroll(struct building *b,
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
    id = isl_id_set_free_user(id, &free_unroll);
    return whole(isl_schedule_node_insert_mark(top(body), id));
}

/* The filter of "work" for the values that "value" of each dimension has: the
 * parameters "kind"0, ...; the last dimension is 0.
 */
static __isl_give isl_schedule *filter(__isl_take isl_schedule *body,
                                       __isl_take isl_union_set *domain)
{
    return whole(isl_schedule_node_insert_filter(top(body), domain));
}

/* "set" with the parameter "name" zero. */
static __isl_give isl_union_set *zero_parameter(__isl_take isl_union_set *set,
                                                const char *name)
{
    isl_ctx *ctx = isl_union_set_get_ctx(set);
    isl_space *space = isl_space_params_alloc(ctx, 1);
    isl_set *zero;

    space = isl_space_set_dim_id(space, isl_dim_param, 0,
                                 isl_id_alloc(ctx, name, NULL));
    zero = isl_set_fix_si(isl_set_universe(space), isl_dim_param, 0, 0);
    return isl_union_set_intersect_params(set, zero);
}

/* What of "work" the thread t0, t1, t2 runs. */
static __isl_give isl_union_set *threads(struct building *b,
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

        mine = zero_parameter(mine, name);
        free(name);
    }
    return mine;
}

/* Add to promotion->place where the instances of "work" are; "k" is the
 * innermost sequential loop, or negative.
 */
static void remember_places(struct building *b, const struct work *work, int k)
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
static __isl_give isl_schedule *thread_level(struct building *b,
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
static __isl_give isl_schedule *then(struct building *b,
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
static __isl_give isl_schedule *at_tiles(struct building *b, struct work *work,
                                         enum pg_user_kind kind,
                                         unsigned number,
                                         __isl_take isl_set *tiles)
{
    isl_set *set = special(b, kind, number, tiles);
    isl_map *point = isl_map_reset_tuple_id(
        isl_set_identity(isl_set_universe(isl_set_get_space(set))),
        isl_dim_out);
    unsigned before = work->n;
    isl_schedule *schedule = NULL;

    add_work(b, work, isl_set_copy(set), point, true);
    if (work->n > before)
        schedule = isl_schedule_from_domain(
            isl_union_set_from_set(isl_set_copy(work->item[before].domain)));
    isl_set_free(set);
    return schedule;
}

/* Those of "tiles" before which threads of the block may still read what the
 * last copies brought: the first one of "all" tiles of the part in a block is
 * not among them, unless a part before it used shared memory.
 */
static __isl_give isl_set *not_first(struct building *b,
                                     __isl_keep isl_set *tiles,
                                     __isl_keep isl_set *all)
{
    unsigned n = b->levels.n;
    isl_size dims = isl_set_dim(tiles, isl_dim_set);
    isl_set *wrapped, *later;
    isl_map *first;

    if (b->shared_before || dims < 0)
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
static __isl_give isl_schedule *copies(struct building *b, struct work *work,
                                       unsigned p, bool inner, bool after,
                                       __isl_keep isl_set *tiles,
                                       __isl_keep isl_set *of_part)
{
    isl_schedule *all = NULL;
    bool any = false;

    for (unsigned i = 0; i < b->n_shared; i++)
        any |= b->group[i]->part == p && b->group[i]->inner == inner;
    if (!any || isl_set_is_empty(tiles) != isl_bool_false)
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
static __isl_give isl_schedule *compute(struct building *b, struct work *work,
                                        unsigned p, __isl_keep isl_set *tiles,
                                        bool full)
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
    if (mine.n == 0)
        return NULL;
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

/* The tiles { [c] } of the parallel loops of "tiles" of a part. */
static __isl_give isl_set *outer_tiles(const struct building *b,
                                       __isl_keep isl_set *tiles)
{
    isl_size n = isl_set_dim(tiles, isl_dim_set);

    return pg_coalesce(
        isl_set_project_out(isl_set_copy(tiles), isl_dim_set, b->levels.n,
                            n < 0 ? 0 : (unsigned)n - b->levels.n));
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
static __isl_give isl_schedule *build_loops(struct building *b,
                                            struct work *work, unsigned p,
                                            __isl_keep isl_set *all,
                                            __isl_take isl_set *full,
                                            __isl_take isl_set *partial)
{
    const struct pg_part *part = &b->parts.part[p];
    isl_set *tiles =
        pg_coalesce(isl_set_union(isl_set_copy(full), isl_set_copy(partial)));
    isl_union_pw_aff_list *loops = isl_union_pw_aff_list_alloc(b->ctx, 0);
    bool pipeline = isl_set_is_empty(partial) == isl_bool_true;
    struct work inner = {0};
    isl_schedule *body = copies(b, &inner, p, true, true, tiles, all);

    pipeline = pipeline && body && part->n_loop == 1;
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
static __isl_give isl_set *ordered_with(const struct building *b,
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
static __isl_give isl_schedule *build_part(struct building *b,
                                           struct work *work, unsigned p)
{
    isl_set *tiles = pg_full_tiles(&b->parts, p, &b->levels);
    isl_set *full =
        pg_full_find(&b->parts, p, &b->levels, tiles, b->used, b->beyond);
    isl_set *partial =
        pg_coalesce(isl_set_subtract(isl_set_copy(tiles), isl_set_copy(full)));
    isl_set *outer = outer_tiles(b, tiles);
    isl_set *none = isl_set_empty(isl_set_get_space(tiles));
    isl_set *early = ordered_with(b, partial, full, 1), *late, *both;
    isl_schedule *body;
    bool any = false;

    for (unsigned i = 0; i < b->n_shared; i++)
        any |= b->group[i]->part == p && b->group[i]->inner;
    late = pg_coalesce(
        isl_set_subtract(isl_set_copy(partial), isl_set_copy(early)));
    both = ordered_with(b, early, full, -1);
    body = copies(b, work, p, false, !any, outer, outer);
    if (b->parts.part[p].n_loop && isl_set_is_empty(both) == isl_bool_true) {
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
static __isl_give isl_schedule *moves(struct building *b, struct work *work,
                                      enum pg_user_kind kind)
{
    isl_schedule *all = NULL;

    for (unsigned i = 0; i < b->registers.n; i++) {
        const struct pg_register *reg = &b->registers.reg[i];
        isl_set *points, *missing, *tiles, *full;
        isl_map *boxes;

        if (kind == PG_USER_LOAD ? !reg->load : !reg->store)
            continue;
        points = isl_map_domain(isl_map_copy(reg->element));
        points = isl_set_intersect(points, isl_set_copy(reg->points));
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
static __isl_give isl_schedule *block_level(struct building *b,
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
            mine, remainder_of(isl_union_pw_aff_copy(tile), levels->grid),
            name);
        tiles = append(tiles, tile);
        free(name);
    }
    body = keep_loops(pg_tree_band(body, tiles, true, coincident));
    return filter(body, mine);
}

/* Can statement number "i" run at points where nothing uses what it writes? */
static bool runs_beyond(const struct building *b, unsigned i)
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

/* The bytes of "buffer". */
static unsigned long bytes_of(const struct pg_scop *scop,
                              const struct pg_buffer *buffer)
{
    unsigned long n = buffer->extent[buffer->innermost] + buffer->pad;

    for (unsigned d = 0; d < buffer->n_dim; d++)
        if (d != buffer->innermost)
            n *= buffer->extent[d];
    return n * scop->arrays[buffer->array].elem_size *
           (buffer->stages ? buffer->stages : 1);
}

/* Add a buffer for elements of "array". */
static struct pg_buffer *add_buffer(struct building *b, unsigned array,
                                    unsigned n_dim, enum pg_buffer_kind kind)
{
    struct pg_buffer *buffer;

    b->buffers = pg_grow(b->buffers, b->n_buffer, sizeof(*b->buffers));
    b->promotion->home =
        pg_grow(b->promotion->home, b->n_buffer, sizeof(*b->promotion->home));
    buffer = &b->buffers[b->n_buffer++];
    b->promotion->n_buffer = b->n_buffer;
    buffer->kind = kind;
    buffer->array = array;
    buffer->n_dim = n_dim;
    buffer->extent = pg_alloc(n_dim, sizeof(*buffer->extent));
    buffer->name =
        pg_format(kind == PG_BUFFER_SHARED ? "shared%u_%s" : "register%u_%s",
                  b->n_buffer - 1, b->what->scop->arrays[array].name);
    return buffer;
}

/* The elements { A[x] } of "array" that the kernel reads. */
static __isl_give isl_set *readable(const struct building *b, unsigned array)
{
    const struct pg_scop *scop = b->what->scop;
    isl_union_map *reads = pg_scop_accesses_of(scop, array, false);

    reads = isl_union_map_intersect_domain(
        reads, isl_union_set_copy(b->what->kernel->domain));
    return isl_set_gist_params(
        pg_coalesce(isl_set_from_union_set(isl_union_map_range(reads))),
        isl_set_copy(b->known));
}

/* Is the constant or a coefficient "value" a multiple of "n"? */
static bool is_multiple(__isl_take isl_val *value, long n)
{
    isl_val *divisor = isl_val_int_from_si(isl_val_get_ctx(value), n);
    bool multiple = isl_val_is_divisible_by(value, divisor) == isl_bool_true;

    isl_val_free(value);
    isl_val_free(divisor);
    return multiple;
}

/* As many elements as can be copied at once from the boxes of "group", which
 * are of "elem_size" bytes.
 */
static unsigned vector_of(const struct pg_group *group, unsigned elem_size)
{
    static const enum isl_dim_type types[] = {isl_dim_in, isl_dim_param};
    unsigned last = group->n_dim - 1, n = 1;
    isl_aff *low = isl_multi_aff_get_aff(group->offset, (int)last);

    while (2 * n * elem_size <= 16 && group->extent[last] % (2 * n) == 0)
        n *= 2;
    for (bool ok = false; n > 1 && !ok; n = ok ? n : n / 2) {
        ok = is_multiple(isl_aff_get_constant_val(low), (long)n);
        for (int t = 0; t < 2; t++)
            for (int i = 0; i < isl_aff_dim(low, types[t]); i++)
                ok = ok &&
                     is_multiple(isl_aff_get_coefficient_val(low, types[t], i),
                                 (long)n);
    }
    isl_aff_free(low);
    return n;
}

/* A buffer in shared memory for "group". */
static void share(struct building *b, struct pg_group *group)
{
    const struct pg_scop *scop = b->what->scop;
    struct pg_buffer *buffer =
        add_buffer(b, group->array, group->n_dim, PG_BUFFER_SHARED);
    struct pg_home *home = &b->promotion->home[b->n_buffer - 1];
    isl_set *tiles = pg_full_tiles(&b->parts, group->part, &b->levels);
    isl_map *box;

    memcpy(buffer->extent, group->extent,
           group->n_dim * sizeof(*group->extent));
    pg_levels_layout(&b->levels, &b->groups, group,
                     scop->arrays[group->array].elem_size, buffer);
    buffer->vector = vector_of(group, scop->arrays[group->array].elem_size);
    buffer->stages = 1;
    buffer->part = group->part;
    for (unsigned i = 0; i + 1 < b->n_buffer; i++)
        buffer->slot += b->buffers[i].part == group->part;
    b->group = pg_grow(b->group, b->n_shared++, sizeof(*b->group));
    b->group[b->n_shared - 1] = group;
    home->offset = isl_multi_aff_copy(group->offset);
    home->readable = readable(b, group->array);
    if (!group->inner) {
        isl_set *outer = outer_tiles(b, tiles);

        isl_set_free(tiles);
        tiles = outer;
    }
    box = isl_map_universe(isl_space_map_from_domain_and_range(
        isl_set_get_space(tiles), isl_set_get_space(home->readable)));
    for (unsigned e = 0; e < group->n_dim; e++) {
        isl_aff *low = isl_multi_aff_get_aff(group->offset, (int)e), *high;
        isl_map *from, *to;

        high = isl_aff_add_constant_si(isl_aff_copy(low),
                                       (int)group->extent[e] - 1);
        from = isl_map_from_aff(low);
        to = isl_map_from_aff(high);
        from = isl_map_apply_range(
            from, isl_map_read_from_str(b->ctx, "{ [a] -> [b] : b >= a }"));
        to = isl_map_apply_range(
            to, isl_map_read_from_str(b->ctx, "{ [a] -> [b] : b <= a }"));
        from = isl_map_intersect(from, to);
        from = isl_map_insert_dims(from, isl_dim_out, 0, e);
        from = isl_map_add_dims(from, isl_dim_out, group->n_dim - 1 - e);
        from = isl_map_set_tuple_id(from, isl_dim_out,
                                    isl_set_get_tuple_id(home->readable));
        box = isl_map_intersect(box, from);
    }
    box = isl_map_intersect_domain(box, isl_set_copy(tiles));
    box = isl_map_subtract_range(box, isl_set_copy(home->readable));
    home->whole =
        pg_coalesce(isl_set_subtract(isl_set_copy(tiles), isl_map_domain(box)));
    home->whole = isl_set_gist(home->whole, isl_set_copy(tiles));
    home->whole = isl_set_gist_params(home->whole, isl_set_copy(b->known));
    home->always = isl_set_is_subset(tiles, home->whole) == isl_bool_true;
    b->ok &= home->whole != NULL;
    isl_set_free(tiles);
}

/* Redirect the accesses of "group" to buffer number "number". */
static void redirect(struct building *b, const struct pg_group *group,
                     int number)
{
    for (unsigned i = 0; i < group->n_ref; i++) {
        const struct pg_reference *ref = &b->groups.ref[group->ref[i]];
        unsigned s = b->parts.placed[ref->placed].stmt;

        b->promotion->buffer[s][ref->access] = number;
    }
}

/* Decide on all buffers; NULL, or why shared memory has no part in it. */
static const char *choose_buffers(struct building *b)
{
    const struct pg_scop *scop = b->what->scop;
    unsigned long bytes = 0;

    for (unsigned g = 0; b->ok && g < b->groups.n; g++) {
        struct pg_group *group = &b->groups.group[g];

        if (!pg_levels_pays(&b->levels, &b->parts, &b->groups, group))
            continue;
        share(b, group);
        bytes += bytes_of(scop, &b->buffers[b->n_buffer - 1]);
        redirect(b, group, (int)b->n_buffer - 1);
    }
    if (!b->ok)
        return "the boxes of the accesses are too complicated";
    if (b->n_shared == 0)
        return "no array that is only read is read several times, or in "
               "another order than memory's";
    if (bytes > SHARED_LIMIT)
        return "the boxes of a tile do not fit into shared memory";
    for (unsigned i = 0; i < b->n_shared; i++)
        if (2 * bytes <= SHARED_LIMIT && b->group[i]->inner)
            b->buffers[i].stages = 2;
    for (unsigned i = 0; i < b->registers.n; i++) {
        const struct pg_register *reg = &b->registers.reg[i];
        struct pg_buffer *buffer =
            add_buffer(b, reg->array, b->levels.n, PG_BUFFER_REGISTER);

        for (unsigned d = 0; d < b->levels.n; d++)
            buffer->extent[d] =
                (unsigned)(b->levels.tile[d] / b->levels.threads[d]);
        for (unsigned r = 0; r < b->groups.n_ref; r++) {
            const struct pg_reference *ref = &b->groups.ref[r];
            unsigned s = b->parts.placed[ref->placed].stmt;

            if (ref->array == reg->array)
                b->promotion->buffer[s][ref->access] = (int)b->n_buffer - 1;
        }
    }
    return NULL;
}

/* Set promotion->element. */
static void describe_moves(struct building *b)
{
    struct pg_promotion *promotion = b->promotion;

    promotion->element =
        isl_union_map_empty(isl_set_get_space(b->what->scop->context));
    for (unsigned i = 0; i < b->registers.n; i++)
        for (int kind = PG_USER_LOAD; kind <= PG_USER_STORE; kind++)
            promotion->element = isl_union_map_add_map(
                promotion->element,
                isl_map_set_tuple_id(isl_map_copy(b->registers.reg[i].element),
                                     isl_dim_in,
                                     pg_user_id(b->ctx, (enum pg_user_kind)kind,
                                                b->n_shared + i)));
    promotion->n_point = b->levels.n;
}

/* A promotion of no access. */
static struct pg_promotion *promotion_alloc(const struct pg_scop *scop)
{
    struct pg_promotion *promotion = pg_alloc(1, sizeof(*promotion));

    promotion->n_stmt = scop->n_stmt;
    promotion->buffer = pg_alloc(scop->n_stmt, sizeof(*promotion->buffer));
    promotion->place = isl_union_map_empty(isl_set_get_space(scop->context));
    for (unsigned s = 0; s < scop->n_stmt; s++) {
        unsigned n = scop->stmts[s].n_access;

        promotion->buffer[s] = pg_alloc(n, sizeof(int));
        for (unsigned a = 0; a < n; a++)
            promotion->buffer[s][a] = -1;
    }
    return promotion;
}

/* The buffer that an access goes to, or -1. */
int pg_kernel_buffer(const struct pg_plan *plan, unsigned kernel, unsigned stmt,
                     unsigned access)
{
    const struct pg_promotion *promotion =
        ((const struct pg_plan_private *)plan)->launches[kernel].promotion;

    return promotion ? promotion->buffer[stmt][access] : -1;
}

/* Free "promotion". */
void pg_promotion_free(struct pg_promotion *promotion)
{
    if (!promotion)
        return;
    for (unsigned s = 0; s < promotion->n_stmt; s++)
        free(promotion->buffer[s]);
    free(promotion->buffer);
    isl_union_map_free(promotion->place);
    for (unsigned i = 0; i < promotion->n_buffer; i++) {
        isl_multi_aff_free(promotion->home[i].offset);
        isl_set_free(promotion->home[i].whole);
        isl_set_free(promotion->home[i].readable);
    }
    free(promotion->home);
    isl_union_map_free(promotion->element);
    free(promotion);
}

/* Free "n" buffers. */
void pg_buffers_free(struct pg_buffer *buffers, unsigned n)
{
    for (unsigned i = 0; i < n; i++) {
        free(buffers[i].name);
        free(buffers[i].extent);
        isl_ast_expr_free(buffers[i].inside);
    }
    free(buffers);
}

/* The kernel's tree; NULL if it cannot be. */
static __isl_give isl_schedule *build(struct building *b)
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

/* What was chosen, in words. */
static char *describe(const struct building *b)
{
    const struct pg_scop *scop = b->what->scop;
    const struct pg_levels *levels = &b->levels;
    struct pg_text text = {0};

    pg_text_add(&text, "tile ");
    for (unsigned d = 0; d < levels->n; d++)
        pg_text_add(&text, d ? " x %lld" : "%lld", levels->tile[d]);
    if (levels->k_tile > 1)
        pg_text_add(&text, ", steps of %lld", levels->k_tile);
    pg_text_add(&text, ", a thread has ");
    for (unsigned d = 0; d < levels->n; d++)
        pg_text_add(&text, d ? " x %lld" : "%lld",
                    levels->tile[d] / levels->threads[d]);
    if (levels->more > 1)
        pg_text_add(&text, ", %lld times the threads copy", levels->more);
    for (unsigned i = 0; i < b->n_buffer; i++) {
        const struct pg_buffer *buffer = &b->buffers[i];

        if (buffer->kind == PG_BUFFER_SHARED)
            pg_text_add(&text, "; %s in %lu bytes of shared memory",
                        scop->arrays[buffer->array].source_name,
                        bytes_of(scop, buffer));
        else
            pg_text_add(&text, "; %s in registers",
                        scop->arrays[buffer->array].source_name);
    }
    return pg_text_take(&text);
}

/* Fill in how the members are mapped. */
static void fill_shape(const struct building *b, struct pg_shape *shape)
{
    const struct pg_levels *levels = &b->levels;
    unsigned more = levels->more > 1;

    memset(shape, 0, sizeof(*shape));
    shape->n_tile = shape->n_grid = levels->n;
    shape->n_block = levels->n + more;
    if (more)
        shape->block[0] = levels->more;
    for (unsigned d = 0; d < levels->n; d++) {
        shape->tile[d] = levels->tile[d];
        shape->grid[d] = levels->grid;
        shape->block[d + more] = levels->threads[d];
    }
}

/* How many subscripts would depend on fewer parallel loops if loop "d" counted
 * by the sum of itself and loop "e"?
 */
static int rate_sum(const struct pg_groups *groups, unsigned d, unsigned e)
{
    int score = 0;

    for (unsigned r = 0; r < groups->n_ref; r++) {
        const struct pg_reference *ref = &groups->ref[r];

        for (unsigned s = 0; ref->element && s < ref->n_dim; s++) {
            long fd = ref->factor[s][d], fe = ref->factor[s][e];

            score += (fe != 0) - (fe - fd != 0);
        }
    }
    return score;
}

/* "members" with the parallel ones such that subscripts depend on as few of
 * them as possible: where A[i + j] is used with a loop j that starts at 0, it
 * becomes the loop over i + j.  As dependences connect equal values of all
 * parallel members, they connect equal sums of them.
 */
__isl_give isl_union_pw_aff_list *
pg_promote_members(const struct pg_promoting *what)
{
    isl_union_pw_aff_list *members = isl_union_pw_aff_list_copy(what->members);
    unsigned n = what->n_parallel;

    for (unsigned round = 0; round < n; round++) {
        struct pg_parts parts = {0};
        struct pg_groups groups = {0};
        unsigned best_d = n, best_e = n;
        int most = 0;

        if (pg_parts_find(&parts, what->scop, members, n, what->inner,
                          what->kernel->domain,
                          isl_union_map_copy(what->order)) == isl_stat_ok &&
            pg_references_find(&groups, &parts, what->scop) == isl_stat_ok)
            for (unsigned d = 0; d < n; d++)
                for (unsigned e = 0; e < n; e++) {
                    int score = d == e ? 0 : rate_sum(&groups, d, e);

                    if (score > most) {
                        most = score;
                        best_d = d;
                        best_e = e;
                    }
                }
        pg_parts_clear(&parts);
        pg_groups_clear(&groups);
        if (best_d == n)
            break;
        members = isl_union_pw_aff_list_set_union_pw_aff(
            members, (int)best_d,
            isl_union_pw_aff_add(
                isl_union_pw_aff_list_get_union_pw_aff(members, (int)best_d),
                isl_union_pw_aff_list_get_union_pw_aff(members, (int)best_e)));
    }
    return members;
}

/* All that is to be known before the kernel's tree is built; NULL, or why there
 * is nothing to gain.
 */
static const char *prepare(struct building *b, __isl_keep isl_union_set *domain)
{
    const struct pg_promoting *what = b->what;

    if (pg_parts_find(&b->parts, what->scop, what->members, what->n_parallel,
                      what->inner, domain,
                      isl_union_map_copy(what->order)) != isl_stat_ok ||
        pg_references_find(&b->groups, &b->parts, what->scop) != isl_stat_ok ||
        pg_registers_find(&b->registers, &b->parts, &b->groups, what->scop) !=
            isl_stat_ok)
        return "the loops could not be taken apart";
    if (!pg_levels_choose(&b->levels, &b->parts, &b->groups, &b->registers,
                          what->scop, what->options, what->number))
        return "no tile would use an element of an array more than once, or "
               "the given sizes do not fit each other";
    if (pg_groups_find(&b->groups, &b->parts, what->scop, &b->levels) !=
        isl_stat_ok)
        return "the accesses could not be grouped";
    return choose_buffers(b);
}

/* Build the schedule of the kernel anew, with buffers, if that promises to be
 * faster; the shape says how the members are mapped then.
 */
isl_bool pg_promote(const struct pg_promoting *what, struct pg_shape *shape,
                    struct pg_promotion **promotion)
{
    struct building b = {.what = what, .ctx = what->phase->ctx, .ok = true};
    isl_schedule *schedule = NULL;
    isl_union_set *domain;
    const char *why;

    b.promotion = promotion_alloc(what->scop);
    b.known = pg_kernel_params(what->scop, what->kernel);
    domain = isl_union_set_gist_params(isl_union_set_copy(what->kernel->domain),
                                       isl_set_copy(b.known));
    what->kernel->choice = NULL;
    why = prepare(&b, domain);
    if (!why) {
        schedule = build(&b);
        why = schedule ? NULL : "loops over tiles would be too complicated";
    }
    if (schedule) {
        describe_moves(&b);
        fill_shape(&b, shape);
        what->kernel->choice = describe(&b);
        what->kernel->schedule = schedule;
        what->kernel->n_buffer = b.n_buffer;
        what->kernel->buffers = b.buffers;
        *promotion = b.promotion;
    } else {
        what->kernel->choice = pg_format("no buffers: %s", why);
        pg_promotion_free(b.promotion);
        pg_buffers_free(b.buffers, b.n_buffer);
    }
    isl_union_set_free(domain);
    isl_set_free(b.known);
    pg_parts_clear(&b.parts);
    pg_groups_clear(&b.groups);
    pg_registers_clear(&b.registers);
    free(b.group);
    return isl_bool_ok(schedule != NULL);
}
