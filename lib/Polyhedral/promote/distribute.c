/* distribute.c - pass: the components of a kernel one after the other, with
 * copies.
 *
 * Each component has its copies to shared memory with barriers around them, and
 * then its full and its partial tiles.  Copies, barriers, loads and stores are
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
#include "promote/components.h"
#include "promote/copies.h"
#include "promote/full_tiles.h"
#include "promote/moves.h"
#include "promote/registers.h"
#include "promote/tiles.h"
#include "schedule/tree.h"
#include "support/coalesce.h"
#include "support/text.h"

#include <isl/space.h>
#include <stdlib.h>
#include <string.h>

/* The statements of component "p" in the tiles "tiles", without conditions if
 * "full".  NULL if there is none.
 */
static __isl_give isl_schedule *compute(struct pg_building *b,
                                        struct pg_work *work, unsigned p,
                                        __isl_keep isl_set *tiles, bool full)
{
    const struct pg_component *component = &b->components.component[p];
    int k = component->n_loop ? (int)(b->sizes.n + component->n_loop - 1) : -1;
    struct pg_work mine = {0};
    isl_schedule_node *node;
    isl_schedule *rest;
    isl_union_set *domain, *kept;

    for (unsigned i = 0; i < b->components.n_placed; i++)
        if (b->components.placed[i].component == p)
            b->ok &= pg_work_add(
                &b->context, &mine,
                pg_full_tiles_instances(&b->components,
                                        &b->components.placed[i], &b->sizes,
                                        tiles, b->used, full, b->overruns[i]),
                isl_map_copy(b->components.placed[i].point), false);
    if (mine.n == 0 || !b->ok) {
        pg_work_clear(&mine);
        return NULL;
    }
    domain = pg_work_domain(&mine, isl_set_get_space(b->what->scop->context));
    node = isl_schedule_node_child(isl_schedule_get_root(component->rest), 0);
    rest = pg_tree_ordered(node, isl_union_set_copy(domain));
    isl_schedule_node_free(node);
    kept = isl_schedule_get_domain(rest);
    b->ok &= isl_union_set_is_equal(domain, kept) == isl_bool_true;
    isl_union_set_free(domain);
    isl_union_set_free(kept);
    rest = pg_building_points(b, &mine, rest, k,
                              full ? PG_MARK_FULL : PG_MARK_PARTIAL);
    pg_work_join(work, &mine);
    return rest;
}

/* The loops over the tiles "tiles" of component "p", of which "full" need no
 * conditions and "partial" do.  "all" are the tiles of the component.
 */
static __isl_give isl_schedule *build_loops(struct pg_building *b,
                                            struct pg_work *work, unsigned p,
                                            __isl_keep isl_set *all,
                                            __isl_take isl_set *full,
                                            __isl_take isl_set *partial)
{
    const struct pg_component *component = &b->components.component[p];
    isl_set *tiles =
        pg_coalesce(isl_set_union(isl_set_copy(full), isl_set_copy(partial)));
    isl_union_pw_aff_list *loops = isl_union_pw_aff_list_alloc(b->ctx, 0);
    isl_bool whole_only = isl_set_is_empty(partial);
    struct pg_work inner = {0};
    bool ahead;
    isl_schedule *body =
        pg_copies_build(b, &inner, p, true, true, tiles, all, &ahead);

    b->ok &= whole_only >= 0;
    body = pg_building_then(b, body, compute(b, &inner, p, full, true));
    body = pg_building_then(b, body, compute(b, &inner, p, partial, false));
    body = pg_building_then(b, body,
                            pg_copies_bring_back(b, &inner, p, true, tiles));
    for (unsigned l = 0; body && l < component->n_loop; l++)
        loops = isl_union_pw_aff_list_add(
            loops,
            pg_work_member(&inner, b->sizes.n + l, 0,
                           l + 1 == component->n_loop ? b->sizes.k_tile : 1));
    if (body && component->n_loop) {
        b->step = pg_grow(b->step, b->n_step, sizeof(*b->step));
        b->step[b->n_step].loops = loops;
        b->step[b->n_step].copies = ahead;
        b->step[b->n_step++].partial = whole_only != isl_bool_true;
        body = pg_mark_tree(body, PG_MARK_STEP);
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

    for (unsigned d = 0; d < b->sizes.n; d++)
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
    isl_set *tiles = pg_component_tiles(&b->components, p, &b->sizes);
    isl_set *full = pg_full_tiles_find(&b->components, p, &b->sizes, tiles,
                                       b->used, b->overruns);
    isl_set *partial =
        pg_coalesce(isl_set_subtract(isl_set_copy(tiles), isl_set_copy(full)));
    isl_set *outer = pg_outer_tiles(&b->sizes, tiles);
    isl_set *none = isl_set_empty(isl_set_get_space(tiles));
    isl_set *early = ordered_with(b, partial, full, 1), *late, *both;
    isl_schedule *body;
    isl_bool in_order;
    bool any = false, ahead;

    for (unsigned i = 0; i < b->n_shared; i++)
        any |= b->group[i]->component == p && b->group[i]->inner &&
               !b->group[i]->written;
    late = pg_coalesce(
        isl_set_subtract(isl_set_copy(partial), isl_set_copy(early)));
    both = ordered_with(b, early, full, -1);
    in_order = isl_set_is_empty(both);
    b->ok &= in_order >= 0;
    body = pg_copies_build(b, work, p, false, !any, outer, outer, &ahead);
    if (b->components.component[p].n_loop && in_order == isl_bool_true) {
        body = pg_building_then(
            b, body, build_loops(b, work, p, tiles, isl_set_copy(none), early));
        body = pg_building_then(
            b, body, build_loops(b, work, p, tiles, full, isl_set_copy(none)));
        body = pg_building_then(b, body,
                                build_loops(b, work, p, tiles, none, late));
        isl_set_free(partial);
    } else {
        body = pg_building_then(b, body,
                                build_loops(b, work, p, tiles, full, partial));
        isl_set_free(early);
        isl_set_free(late);
        isl_set_free(none);
    }
    body = pg_building_then(b, body,
                            pg_copies_bring_back(b, work, p, false, outer));
    body = pg_building_then(b, body, pg_copies_end(b, work, p, outer));
    for (unsigned i = 0; i < b->n_shared; i++)
        b->shared_before |= b->group[i]->component == p;
    isl_set_free(both);
    isl_set_free(tiles);
    isl_set_free(outer);
    return body;
}

/* Can statement number "i" run at points where nothing uses what it writes? */
static bool may_overrun(const struct pg_building *b, unsigned i)
{
    const struct pg_placed *placed = &b->components.placed[i];
    const struct pg_stmt *stmt = &b->what->scop->stmts[placed->stmt];
    const int *buffer = b->promotion->buffer[placed->stmt];
    bool ok = stmt->total && placed->free;

    for (unsigned a = 0; ok && a < stmt->n_access; a++) {
        const struct pg_access *access = &stmt->accesses[a];

        if (access->write)
            ok = buffer[a] >= (int)b->n_shared;
        else if (buffer[a] >= 0)
            ok = !b->buffers[buffer[a]].written; // not all of that is filled
        else
            ok = b->what->scop->arrays[access->array].n_dim == 0;
    }
    return ok;
}

/* distribute: what components.c has taken apart, one component after the other,
 * between the loads and the stores of registers; the loops come in later
 * passes.  The tree that was is not looked at.
 */
__isl_give isl_schedule *pg_pass_distribute(__isl_take isl_schedule *tree,
                                            void *state)
{
    struct pg_building *b = state;

    isl_schedule_free(tree);
    b->used = pg_full_tiles_used(&b->components);
    b->overruns = pg_alloc(b->components.n_placed, sizeof(*b->overruns));
    for (unsigned i = 0; i < b->components.n_placed; i++)
        b->overruns[i] = may_overrun(b, i);
    tree = pg_moves_build(b, &b->work, PG_USER_LOAD);
    for (unsigned p = 0; b->ok && p < b->components.n; p++)
        tree = pg_building_then(b, tree, build_part(b, &b->work, p));
    tree =
        pg_building_then(b, tree, pg_moves_build(b, &b->work, PG_USER_STORE));
    isl_set_free(b->used);
    free(b->overruns);
    return b->ok ? tree : isl_schedule_free(tree);
}
