/* boxed_tree.c - pass: copies of boxes that blocks work on, and back.
 *
 * Inside of the loop over a block's values, around all that is in it:
 *
 *   barrier, unless it is the first value of the block
 *   copies, and a barrier behind them unless all nests have one
 *   ...
 *   a barrier, and what goes back
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "promote/boxed_tree.h"
#include "map/buffers.h"
#include "map/mapping.h"
#include "map/marks.h"
#include "map/tiled.h"
#include "map/user.h"
#include "polygpu/polyhedral.h"
#include "promote/boxes.h"
#include "support/coalesce.h"

#include <isl/space.h>

/* The pass at work on one place of the tree. */
struct placing {
    const struct pg_boxes *boxes;
    isl_map *value; /* { [outer] -> [v] } of the loops outside */
    isl_schedule_node *node;
    unsigned n_barrier;
};

/* The extension { [outer] -> tuple } with a tuple for each value of "values";
 * without dimensions if "alone".
 */
static __isl_give isl_schedule_node *
extension(const struct placing *p, enum pg_user_kind kind, unsigned number,
          __isl_keep isl_set *values, bool alone)
{
    isl_ctx *ctx = isl_map_get_ctx(p->value);
    isl_map *map = isl_map_copy(p->value);

    map = isl_map_intersect_range(map, isl_set_copy(values));
    if (alone)
        map = isl_map_project_out(map, isl_dim_out, 0,
                                  (unsigned)isl_map_dim(map, isl_dim_out));
    map = isl_map_set_tuple_id(pg_coalesce_map(map), isl_dim_out,
                               pg_user_id(ctx, kind, number));
    return isl_schedule_node_from_extension(isl_union_map_from_map(map));
}

/* Put a barrier for "values" in front of what is there, or behind. */
static void add_barrier(struct placing *p, __isl_keep isl_set *values,
                        bool behind)
{
    isl_schedule_node *barrier =
        extension(p, PG_USER_BARRIER, p->n_barrier++, values, true);

    p->node = behind ? isl_schedule_node_graft_after(p->node, barrier)
                     : isl_schedule_node_graft_before(p->node, barrier);
}

/* Copies of the boxes in front, or what goes back behind; each one is put next
 * to what is there.  How many there are.
 */
static unsigned add_copies(struct placing *p, bool back)
{
    unsigned n = 0;

    for (unsigned i = 0; i < p->boxes->n; i++) {
        const struct pg_home *home = &p->boxes->promotion->home[i];
        isl_schedule_node *copy;

        if (!(back ? home->back : home->in))
            continue;
        copy = extension(p, back ? PG_USER_BACK : PG_USER_COPY, i,
                         p->boxes->values, false);
        p->node = back ? isl_schedule_node_graft_after(p->node, copy)
                       : isl_schedule_node_graft_before(p->node, copy);
        n++;
    }
    return n;
}

/* What is around the loops inside of the band below the mark "node". */
static __isl_give isl_schedule_node *insert(__isl_take isl_schedule_node *node,
                                            unsigned i, void *state)
{
    const struct pg_boxes *boxes = ((const struct pg_tiled *)state)->boxes;
    isl_union_map *outer, *place;
    struct placing p = {.boxes = boxes, .n_barrier = boxes->n_barrier};
    isl_bool first_only = isl_set_is_empty(boxes->again);

    (void)i;
    node = isl_schedule_node_child(isl_schedule_node_child(node, 0), 0);
    outer = isl_schedule_node_get_prefix_schedule_union_map(node);
    outer = isl_union_map_intersect_domain(outer,
                                           isl_schedule_node_get_domain(node));
    place = isl_union_map_copy(boxes->promotion->place);
    p.value = isl_map_from_union_map(isl_union_map_apply_domain(place, outer));
    p.node = node;
    if (first_only == isl_bool_false)
        add_barrier(&p, boxes->again, false);
    if (add_copies(&p, false) && !boxes->every)
        add_barrier(&p, boxes->values, false);
    if (add_copies(&p, true))
        add_barrier(&p, boxes->values, true);
    isl_map_free(p.value);
    return first_only < 0 ? isl_schedule_node_free(p.node) : p.node;
}

/* Count the marks "point". */
static __isl_give isl_schedule_node *count(__isl_take isl_schedule_node *node,
                                           unsigned i, void *state)
{
    *(unsigned *)state = i + 1;
    return node;
}

/* boxes: copies inside of the loop over the points of a tile, which is that
 * over tiles if these are one point.
 */
__isl_give isl_schedule *pg_pass_boxes(__isl_take isl_schedule *tree,
                                       void *state)
{
    unsigned n = 0;

    tree = pg_marks_each(tree, PG_MARK_POINT, &count, &n);
    return pg_marks_each(tree, n ? PG_MARK_POINT : PG_MARK_TILE, &insert,
                         state);
}
