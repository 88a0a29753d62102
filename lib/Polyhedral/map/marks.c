/* marks.c - what the nodes of a kernel's tree are for.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "map/marks.h"
#include "polygpu/polyhedral.h"

#include <isl/id.h>
#include <string.h>

/* Put the mark "name" above "node"; returns the mark. */
__isl_give isl_schedule_node *pg_mark_insert(__isl_take isl_schedule_node *node,
                                             const char *name)
{
    isl_id *mark =
        node ? isl_id_alloc(isl_schedule_node_get_ctx(node), name, NULL) : NULL;

    return isl_schedule_node_insert_mark(node, mark);
}

/* Put the mark "name" above all of "tree"; NULL stays NULL. */
__isl_give isl_schedule *pg_mark_tree(__isl_take isl_schedule *tree,
                                      const char *name)
{
    isl_schedule_node *node = isl_schedule_get_root(tree);

    isl_schedule_free(tree);
    node = pg_mark_insert(isl_schedule_node_child(node, 0), name);
    tree = isl_schedule_node_get_schedule(node);
    isl_schedule_node_free(node);
    return tree;
}

/* Put "filter" above "node", and the mark "name" above that; returns the mark.
 */
__isl_give isl_schedule_node *
pg_mark_insert_filter(__isl_take isl_schedule_node *node, const char *name,
                      __isl_take isl_union_set *filter)
{
    return pg_mark_insert(isl_schedule_node_insert_filter(node, filter), name);
}

/* Is "node" a mark called "name"? */
static bool is_mark(__isl_keep isl_schedule_node *node, const char *name)
{
    isl_id *id;
    bool is;

    if (isl_schedule_node_get_type(node) != isl_schedule_node_mark)
        return false;
    id = isl_schedule_node_mark_get_id(node);
    is = id && !strcmp(isl_id_get_name(id), name);
    isl_id_free(id);
    return is;
}

/* Go to the mark called "name" at or below "node" that has "*i" of them before
 * it, from top to bottom and first to last; else stay, and "*i" becomes less by
 * those that there are.
 */
static __isl_give isl_schedule_node *go_to(__isl_take isl_schedule_node *node,
                                           const char *name, unsigned *i,
                                           bool *found)
{
    isl_size n = isl_schedule_node_n_children(node);

    *found = is_mark(node, name) && (*i)-- == 0;
    for (int c = 0; !*found && c < n; c++) {
        node = go_to(isl_schedule_node_child(node, c), name, i, found);
        if (!*found)
            node = isl_schedule_node_parent(node);
    }
    return node;
}

/* "change" the tree at every mark called "name", one after the other. */
__isl_give isl_schedule *pg_marks_each(__isl_take isl_schedule *tree,
                                       const char *name, pg_at_mark change,
                                       void *user)
{
    isl_schedule_node *node = isl_schedule_get_root(tree);
    bool found = true;

    isl_schedule_free(tree);
    for (unsigned i = 0; node && found; i++) {
        unsigned rest = i;

        node = go_to(isl_schedule_node_root(node), name, &rest, &found);
        if (found)
            node = change(node, i, user);
    }
    tree = isl_schedule_node_get_schedule(node);
    isl_schedule_node_free(node);
    return tree;
}

/* Take the mark "node" away, unless it is for the loops. */
static __isl_give isl_schedule_node *strip(__isl_take isl_schedule_node *node,
                                           void *user)
{
    (void)user;
    if (isl_schedule_node_get_type(node) != isl_schedule_node_mark ||
        is_mark(node, PG_MARK_UNROLL) || is_mark(node, PG_MARK_PIPELINE))
        return node;
    return isl_schedule_node_delete(node);
}

/* "tree" without the marks that are for passes only: isl keeps the conditions
 * of what is below a mark below it.
 */
__isl_give isl_schedule *pg_marks_strip(__isl_take isl_schedule *tree)
{
    return isl_schedule_map_schedule_node_bottom_up(tree, &strip, NULL);
}
