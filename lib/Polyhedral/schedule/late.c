/* late.c - what one thread does, put off until one thread is needed anyway.
 *
 * "s = 0" in front of a reduction is needed when its partial results are
 * combined, not when they are made: the thread that combines them does it, and
 * there is one launch less.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "schedule/late.h"
#include "schedule/tree.h"
#include "scop/scop.h"

#include <isl/schedule_node.h>
#include <stdlib.h>

struct rebuilding {
    isl_union_map *order;
    bool moved;
};

/* A child of a sequence. */
struct child {
    isl_schedule *tree;
    isl_union_set *domain;
    bool sequential;
};

static __isl_give isl_schedule *rebuild(struct rebuilding *r,
                                        __isl_take isl_schedule_node *node);

/* Has "later" to come after "earlier"? */
static bool depends(const struct rebuilding *r, const struct child *later,
                    const struct child *earlier)
{
    isl_union_map *order = isl_union_map_copy(r->order);
    isl_bool none;

    order = isl_union_map_intersect_domain(order,
                                           isl_union_set_copy(earlier->domain));
    order =
        isl_union_map_intersect_range(order, isl_union_set_copy(later->domain));
    none = isl_union_map_is_empty(order);
    isl_union_map_free(order);
    return none != isl_bool_true;
}

/* Where child "i" of "n" can wait: in front of the next sequential one, or
 * where it is if there is none, or if something on the way needs it.
 */
static int place_of(const struct rebuilding *r, const struct child *all, int n,
                    int i)
{
    int at = i + 1;

    while (at < n && !all[at].sequential && !depends(r, &all[at], &all[i]))
        at++;
    return at < n && all[at].sequential ? at : i + 1;
}

/* The children of a sequence "node" anew, from the last one on. */
static __isl_give isl_schedule *
rebuild_children(struct rebuilding *r, __isl_keep isl_schedule_node *node)
{
    isl_size n = isl_schedule_node_n_children(node);
    struct child *all = calloc(n > 0 ? (size_t)n : 1, sizeof(*all));
    isl_schedule *tree = NULL;

    for (int i = 0; all && i < n; i++) {
        isl_schedule_node *child = isl_schedule_node_get_child(node, i);

        child = isl_schedule_node_child(child, 0); // of its filter
        all[i].sequential = pg_tree_parallel(child) == 0;
        all[i].domain = isl_schedule_node_get_domain(child);
        all[i].tree = rebuild(r, child);
    }
    for (int i = (int)n - 2; all && i >= 0; i--) {
        int at = all[i].sequential ? place_of(r, all, (int)n, i) : i + 1;
        struct child moved = all[i];

        for (int k = i; k + 1 < at; k++)
            all[k] = all[k + 1];
        all[at - 1] = moved;
        r->moved |= at > i + 1;
    }
    for (int i = 0; all && i < n; i++) {
        tree = tree ? isl_schedule_sequence(tree, all[i].tree) : all[i].tree;
        isl_union_set_free(all[i].domain);
    }
    free(all);
    return tree;
}

/* The tree below "node" (taken) anew: of sequences that are in no parallel
 * loop.
 */
static __isl_give isl_schedule *rebuild(struct rebuilding *r,
                                        __isl_take isl_schedule_node *node)
{
    enum isl_schedule_node_type type = isl_schedule_node_get_type(node);
    isl_schedule *tree;

    if (type == isl_schedule_node_sequence) {
        tree = rebuild_children(r, node);
    } else if (type == isl_schedule_node_band &&
               isl_schedule_node_band_n_member(node) > 0 &&
               isl_schedule_node_band_member_get_coincident(node, 0) ==
                   isl_bool_false &&
               isl_schedule_node_band_get_permutable(node) != isl_bool_true) {
        tree = rebuild(r, isl_schedule_node_get_child(node, 0));
        tree = pg_tree_band(tree, pg_tree_members(node), false, NULL);
    } else {
        tree = pg_tree_subtree(node, isl_schedule_node_get_domain(node));
    }
    isl_schedule_node_free(node);
    return tree;
}

/* "schedule" with children of sequences that one thread runs put off, of which
 * it is not said again what is parallel; NULL if there are none.
 */
__isl_give isl_schedule *pg_late(const struct pg_scop *scop,
                                 __isl_keep isl_schedule *schedule)
{
    struct rebuilding r = {pg_scop_order(scop), false};
    isl_schedule_node *root = isl_schedule_get_root(schedule);
    isl_schedule *tree = rebuild(&r, isl_schedule_node_get_child(root, 0));

    isl_schedule_node_free(root);
    isl_union_map_free(r.order);
    return r.moved ? tree : isl_schedule_free(tree);
}
