/* points.c - passes: the points of tiles of a kernel with buffers, for threads.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "promote/points.h"
#include "map/buffers.h"
#include "map/mapping.h"
#include "map/marks.h"
#include "polygpu/polyhedral.h"
#include "promote/building.h"
#include "promote/strategy.h"
#include "promote/tiles.h"
#include "promote/work.h"
#include "schedule/tree.h"
#include "scop/scop.h"
#include "support/text.h"

#include <isl/ast_type.h>
#include <isl/id.h>
#include <isl/space.h>
#include <isl/val.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_UNROLLED = 1024 }; /* instances of a statement */

/* Add to promotion->place where the instances of "work" are; "k" is the
 * innermost sequential loop, or negative.
 */
static void remember_places(struct pg_building *b, const struct pg_work *work,
                            int k)
{
    const struct pg_tile_sizes *sizes = &b->sizes;
    unsigned n_c = k < 0 ? sizes->n : (unsigned)k + 1;

    for (unsigned i = 0; i < work->n; i++) {
        struct pg_work one = {.n = 1, .item = &work->item[i]};
        isl_union_pw_aff_list *list = isl_union_pw_aff_list_alloc(b->ctx, 0);

        for (unsigned c = 0; c < n_c; c++)
            list = isl_union_pw_aff_list_add(
                list, pg_work_member(&one, c, 0,
                                     c < sizes->n       ? sizes->tile[c]
                                     : c == (unsigned)k ? sizes->k_tile
                                                        : 1));
        for (unsigned d = 0; d < sizes->n; d++) {
            long long vector = sizes->vector[d];
            isl_union_pw_aff *at = pg_work_member(&one, d, sizes->tile[d],
                                                  vector * sizes->threads[d]);

            at = isl_union_pw_aff_scale_val(
                at, isl_val_int_from_si(b->ctx, (long)vector));
            list = isl_union_pw_aff_list_add(
                list,
                isl_union_pw_aff_add(at, pg_work_member(&one, d, vector, 1)));
        }
        b->promotion->place = isl_union_map_union(
            b->promotion->place,
            isl_union_map_from_multi_union_pw_aff(pg_tree_join(list)));
    }
}

/* The loops at mark "i" of the points of a tile: the steps of its sequential
 * loop, if there is one, around the points of the thread, vectors innermost.
 */
static __isl_give isl_schedule_node *
insert_points(__isl_take isl_schedule_node *node, unsigned i, void *state)
{
    struct pg_building *b = state;
    const struct pg_tile_sizes *sizes = &b->sizes;
    const struct pg_point *at = &b->point[i];
    isl_union_pw_aff_list *points = isl_union_pw_aff_list_alloc(b->ctx, 0);

    remember_places(b, &at->work, at->k);
    for (unsigned d = 0; d < sizes->n; d++)
        points = isl_union_pw_aff_list_add(
            points, pg_work_member(&at->work, d, sizes->tile[d],
                                   sizes->vector[d] * sizes->threads[d]));
    for (unsigned d = 0; d < sizes->n; d++)
        points = isl_union_pw_aff_list_add(
            points, pg_work_member(&at->work, d, sizes->vector[d], 1));
    node = isl_schedule_node_child(node, 0);
    node = pg_tree_insert_band(node, points, true, NULL);
    // A condition for each point reaches further in 32 bits than the number of
    // points that there are, the difference of two large numbers.
    if (sizes->strategy->only_writes && !at->full)
        node = isl_schedule_node_band_member_set_ast_loop_type(
            node, (int)(2 * sizes->n - 1), isl_ast_loop_unroll);
    if (at->k < 0)
        return node;
    return pg_tree_insert_band(
        node,
        isl_union_pw_aff_list_from_union_pw_aff(
            pg_work_member(&at->work, (unsigned)at->k, sizes->k_tile, 1)),
        true, NULL);
}

/* points: loops over the points of each tile. */
__isl_give isl_schedule *pg_pass_points(__isl_take isl_schedule *tree,
                                        void *state)
{
    return pg_marks_each(tree, PG_MARK_POINT, &insert_points, state);
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
static __isl_give isl_union_set *threads(const struct pg_building *b,
                                         const struct pg_work *work)
{
    const struct pg_tile_sizes *sizes = &b->sizes;
    isl_union_set *mine =
        pg_work_to_filter(work, isl_set_get_space(b->what->scop->context));

    for (unsigned d = 0; d < sizes->n; d++) {
        long long one = sizes->vector[d], all = one * sizes->threads[d];

        if (sizes->threads[d] > 1)
            mine = pg_give_to(mine, pg_work_member(work, d, all, one), 't',
                              sizes->n - 1 - d);
    }
    if (sizes->more > 1) {
        char *name = pg_format("t%u", sizes->n);

        mine = zero_parameter(b->ctx, mine, name);
        free(name);
    }
    return mine;
}

/* A filter above mark "i" of the points of a tile. */
static __isl_give isl_schedule_node *
filter_threads(__isl_take isl_schedule_node *node, unsigned i, void *state)
{
    const struct pg_building *b = state;

    return pg_mark_insert_filter(node, PG_MARK_THREADS,
                                 threads(b, &b->point[i].work));
}

/* threads: each thread of a block runs its points of each tile. */
__isl_give isl_schedule *pg_pass_promoted_threads(__isl_take isl_schedule *tree,
                                                  void *state)
{
    return pg_marks_each(tree, PG_MARK_POINT, &filter_threads, state);
}

/* Are the steps around the points of a thread to be unrolled with them?  In
 * full tiles, if that is not too much code.
 */
static bool unrolls_steps(const struct pg_building *b,
                          const struct pg_point *at)
{
    const struct pg_tile_sizes *sizes = &b->sizes;
    double size = (double)sizes->k_tile;

    for (unsigned d = 0; d < sizes->n; d++)
        size *= (double)(sizes->tile[d] / sizes->threads[d]);
    return at->k >= 0 && at->full && size <= MAX_UNROLLED;
}

/* The loops at "at" that are to be unrolled: the points of the thread, and the
 * steps around them if "steps".
 */
static struct pg_unroll unroll_at(const struct pg_building *b,
                                  const struct pg_point *at, bool steps)
{
    const struct pg_tile_sizes *sizes = &b->sizes;
    unsigned first = at->k < 0 ? sizes->n : (unsigned)at->k + 1;
    struct pg_unroll unroll = {.first = first + (at->k >= 0 && !steps),
                               .apart = b->apart};

    if (steps) {
        unroll.steps = true;
        unroll.extent[unroll.n++] = (unsigned)sizes->k_tile;
    }
    for (unsigned d = 0; d < sizes->n; d++)
        unroll.extent[unroll.n++] =
            (unsigned)(sizes->tile[d] / (sizes->vector[d] * sizes->threads[d]));
    for (unsigned d = 0; d < sizes->n; d++)
        unroll.extent[unroll.n++] = (unsigned)sizes->vector[d];
    return unroll;
}

/* { S[i] -> [p..., ...] }: where the instances of "work" are in the loops. */
static __isl_give isl_union_map *all_points(const struct pg_building *b,
                                            const struct pg_work *work)
{
    isl_union_map *all =
        isl_union_map_empty(isl_set_get_space(b->what->scop->context));

    for (unsigned i = 0; i < work->n; i++)
        all = isl_union_map_add_map(all, isl_map_copy(work->item[i].point));
    return all;
}

static void free_points(void *user)
{
    struct pg_thread_points *points = user;

    isl_union_map_free(points->point);
    free(points);
}

/* What the mark above the loops to be unrolled at "at" says. */
static struct pg_thread_points *points_at(const struct pg_building *b,
                                          const struct pg_point *at, bool steps)
{
    const struct pg_tile_sizes *sizes = &b->sizes;
    struct pg_thread_points *points = pg_alloc(1, sizeof(*points));

    points->unroll = unroll_at(b, at, steps);
    points->n = sizes->n;
    memcpy(points->tile, sizes->tile, sizeof(points->tile));
    memcpy(points->vector, sizes->vector, sizeof(points->vector));
    memcpy(points->threads, sizes->threads, sizeof(points->threads));
    points->more = sizes->more > 1;
    points->point = all_points(b, &at->work);
    return points;
}

/* A mark above the loops to be unrolled at mark "i" of the points of a tile. */
static __isl_give isl_schedule_node *
mark_unroll(__isl_take isl_schedule_node *node, unsigned i, void *state)
{
    const struct pg_building *b = state;
    const struct pg_point *at = &b->point[i];
    bool steps = unrolls_steps(b, at);
    struct pg_thread_points *points = points_at(b, at, steps);
    isl_id *id = isl_id_alloc(b->ctx, PG_MARK_UNROLL, points);

    if (!id)
        free_points(points);
    id = isl_id_set_free_user(id, &free_points);
    node = isl_schedule_node_child(node, 0);
    if (at->k >= 0 && !steps)
        node = isl_schedule_node_child(node, 0);
    return isl_schedule_node_insert_mark(node, id);
}

/* { S[i] -> T[j] }: two instances of the kernel of which one may write an
 * element of array "a" that the other accesses.
 */
static __isl_give isl_union_map *conflicts(const struct pg_promoting *what,
                                           unsigned a)
{
    isl_union_map *writes = pg_scop_accesses_of(what->scop, a, true), *all;

    writes = isl_union_map_intersect_domain(
        writes, isl_union_set_copy(what->kernel->domain));
    all = pg_scop_accesses_of(what->scop, a, false);
    all = isl_union_map_intersect_domain(
        all, isl_union_set_copy(what->kernel->domain));
    all = isl_union_map_union(all, isl_union_map_copy(writes));
    return isl_union_map_apply_range(writes, isl_union_map_reverse(all));
}

/* Do all conflicts stay within one point?  Asked of the accesses, since the
 * order that is kept leaves out what was shown not to matter; false where all
 * points are inside of sequential loops, which have results in registers.
 */
static bool are_apart(const struct pg_building *b)
{
    const struct pg_promoting *what = b->what;
    isl_union_pw_aff_list *members;
    isl_bool apart = isl_bool_false;
    isl_size n;

    for (unsigned i = 0; i < b->n_point; i++)
        apart = isl_bool_ok(apart == isl_bool_true || b->point[i].k < 0);
    if (apart != isl_bool_true)
        return false;
    members = isl_union_pw_aff_list_copy(what->members);
    n = isl_union_pw_aff_list_n_union_pw_aff(members);
    if (n > (int)b->sizes.n)
        members = isl_union_pw_aff_list_drop(members, b->sizes.n,
                                             (unsigned)n - b->sizes.n);
    for (unsigned a = 0; apart == isl_bool_true && a < what->scop->n_array;
         a++) {
        isl_union_map *pairs = conflicts(what, a);
        isl_union_map *stay = pg_equal_at(isl_union_map_copy(pairs), members);

        apart = isl_union_map_is_subset(pairs, stay);
        isl_union_map_free(pairs);
        isl_union_map_free(stay);
    }
    isl_union_pw_aff_list_free(members);
    return apart == isl_bool_true;
}

/* unroll: mark the loops over the points of threads. */
__isl_give isl_schedule *pg_pass_unroll(__isl_take isl_schedule *tree,
                                        void *state)
{
    struct pg_building *b = state;

    b->apart = are_apart(b);
    return pg_marks_each(tree, PG_MARK_POINT, &mark_unroll, state);
}
