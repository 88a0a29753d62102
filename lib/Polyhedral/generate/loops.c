/* loops.c - the depth of a kernel's loop, which its iterator carries.
 *
 * isl names loops by their depth in the schedule unless it is given
 * identifiers; these have the depth as their number.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "generate/loops.h"
#include "support/numbered.h"
#include "support/text.h"

#include <isl/schedule_node.h>
#include <stdlib.h>

/* Raise *user to the depth of "node". */
static isl_bool at_depth(__isl_keep isl_schedule_node *node, void *user)
{
    isl_size depth = isl_schedule_node_get_schedule_depth(node);
    isl_size *deepest = user;

    if (depth > *deepest)
        *deepest = depth;
    return isl_bool_ok(depth >= 0);
}

/* The identifier of a loop at "depth", called by "kind" and that, other than
 * the parameters of "context".
 */
__isl_give isl_id *pg_loop_id(char kind, unsigned depth,
                              __isl_keep isl_set *context)
{
    char *name = pg_format("%c%u", kind, depth);
    isl_id *id;

    for (unsigned i = 0;
         isl_set_find_dim_by_name(context, isl_dim_param, name) >= 0; i++) {
        free(name);
        name = pg_format("%c%u_%u", kind, depth, i);
    }
    id =
        pg_numbered_id(isl_set_get_ctx(context), name, PG_NUMBERED_LOOP, depth);
    free(name);
    return id;
}

/* The identifiers of the loops of "schedule", of which the outermost has the
 * depth "first", by depth: "c0", "c1", ..., other than the parameters of
 * "context".
 */
__isl_give isl_id_list *pg_loop_ids(__isl_keep isl_schedule *schedule,
                                    unsigned first, __isl_keep isl_set *context)
{
    isl_ctx *ctx = isl_set_get_ctx(context);
    isl_id_list *ids = isl_id_list_alloc(ctx, 16);
    isl_size n = 0;

    if (isl_schedule_foreach_schedule_node_top_down(schedule, &at_depth, &n) !=
        isl_stat_ok)
        return isl_id_list_free(ids);
    for (unsigned d = first; d < first + (unsigned)n; d++)
        ids = isl_id_list_add(ids, pg_loop_id('c', d, context));
    return ids;
}

/* At what depth of its kernel's schedule is the loop over "iterator"?  -1 for
 * other identifiers.
 */
int pg_loop_depth(__isl_keep isl_id *iterator)
{
    unsigned kind, depth;

    return pg_numbered(iterator, &kind, &depth) && kind == PG_NUMBERED_LOOP
               ? (int)depth
               : -1;
}

/* Which of the loops that "unroll" is about, or NULL, is that over "iterator"?
 * -1 for none.
 */
int pg_unrolled_loop(const struct pg_unroll *unroll,
                     __isl_keep isl_id *iterator)
{
    int depth = pg_loop_depth(iterator);
    int d = unroll ? depth - (int)unroll->first : -1;

    return d >= 0 && d < (int)unroll->n ? d : -1;
}
