/* privatise.c - scalars and temporaries that a thread can keep to itself.
 *
 * An array of which a thread uses one element at a time, from its first write
 * to its last read, needs no memory of the device: a variable of the thread
 * will do, which becomes a register.  That is so if somewhere in the kernel's
 * tree all values of the array stay within one iteration of the loops above,
 * and each of these iterations goes to one element.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "map/privatise.h"
#include "dependence/dependences.h"
#include "polygpu/polyhedral.h"
#include "schedule/tree.h"
#include "scop/scop.h"
#include "support/phase.h"
#include "support/text.h"

#include <stdlib.h>

/* An array as a kernel sees it. */
struct use {
    const struct pg_kernel *kernel;
    isl_union_set *mapped;    /* instances that thread t0, t1, t2 of block */
                              /* b0, b1 runs */
    isl_union_map *accesses;  /* { S[i] -> A[x] } of these */
    isl_union_map *flow;      /* { S[i] -> T[j] } by the array, from these */
    isl_union_set *accessing; /* the statements that access it, a universe */
};

/* Add the instances that reach the leaf "node" to "*user". */
static isl_bool add_leaf(__isl_keep isl_schedule_node *node, void *user)
{
    isl_union_set **all = user;

    if (isl_schedule_node_get_type(node) == isl_schedule_node_leaf)
        *all = isl_union_set_union(*all, isl_schedule_node_get_domain(node));
    return isl_bool_ok(*all != NULL);
}

/* The instances that a thread runs, as its number and its block's say. */
static __isl_give isl_union_set *mapped_by(const struct pg_kernel *kernel)
{
    isl_union_set *all =
        isl_union_set_empty(isl_union_set_get_space(kernel->domain));

    if (isl_schedule_foreach_schedule_node_top_down(
            kernel->mapping->schedule, &add_leaf, &all) != isl_stat_ok)
        return isl_union_set_free(all);
    return all;
}

/* Below "node", does each iteration of the loops above go to one element? */
static isl_bool is_one_element(const struct use *use,
                               __isl_keep isl_union_map *outer)
{
    isl_union_map *elements = isl_union_map_apply_domain(
        isl_union_map_copy(use->accesses), isl_union_map_copy(outer));
    isl_bool single = isl_union_map_is_single_valued(elements);

    isl_union_map_free(elements);
    return single;
}

/* Do the array's values stay in a thread, and in an iteration of the loops
 * "outer", { S[i] -> [v] }?
 */
static isl_bool stays(const struct use *use, __isl_keep isl_union_map *outer)
{
    isl_union_map *same = isl_union_map_apply_range(
        isl_union_map_copy(outer),
        isl_union_map_reverse(isl_union_map_copy(outer)));
    isl_bool result;

    same = isl_union_map_intersect_range(same, isl_union_set_copy(use->mapped));
    result = isl_union_map_is_subset(use->flow, same);
    isl_union_map_free(same);
    return result;
}

/* Can the array be a variable of the thread? */
static isl_bool fits(const struct use *use)
{
    isl_schedule_node *node =
        isl_schedule_get_root(use->kernel->mapping->schedule);
    isl_bool result = isl_bool_false;

    node = isl_schedule_node_child(node, 0);
    while (node) {
        isl_union_map *outer;
        isl_bool one;

        // A mark changes nothing, and to ask again may take long.
        if (isl_schedule_node_get_type(node) == isl_schedule_node_mark) {
            node = isl_schedule_node_child(node, 0);
            continue;
        }
        outer = isl_schedule_node_get_prefix_schedule_union_map(node);
        outer = isl_union_map_intersect_domain(outer,
                                               isl_union_set_copy(use->mapped));
        one = is_one_element(use, outer);
        if (one != isl_bool_false) {
            result = one == isl_bool_true ? stays(use, outer) : one;
            node = isl_schedule_node_free(node);
        } else {
            isl_schedule_node *child = pg_tree_child_with(node, use->accessing);

            isl_schedule_node_free(node);
            node = child;
        }
        isl_union_map_free(outer);
    }
    return result;
}

/* Can the array with these accesses, { S[i] -> A[x] }, and this flow, { S[i] ->
 * T[j] }, be a variable of each thread in "kernel"?
 */
static isl_bool fits_kernel(const struct pg_kernel *kernel,
                            __isl_keep isl_union_map *accesses,
                            __isl_keep isl_union_map *flow)
{
    struct use use = {.kernel = kernel, .mapped = mapped_by(kernel)};
    isl_bool result;

    use.accesses = isl_union_map_intersect_domain(
        isl_union_map_copy(accesses), isl_union_set_copy(use.mapped));
    use.flow = isl_union_map_intersect_domain(isl_union_map_copy(flow),
                                              isl_union_set_copy(use.mapped));
    use.accessing = isl_union_set_universe(
        isl_union_map_domain(isl_union_map_copy(use.accesses)));
    result = isl_union_map_is_empty(use.accesses);
    if (result == isl_bool_false)
        result = fits(&use);
    isl_union_set_free(use.mapped);
    isl_union_map_free(use.accesses);
    isl_union_map_free(use.flow);
    isl_union_set_free(use.accessing);
    return result;
}

/* Can array "a" be a variable of each thread in all kernels of "plan"? */
static isl_bool may_privatise(const struct pg_plan *plan, unsigned a)
{
    const struct pg_scop *scop = plan->scop;
    isl_union_map *reads, *writes, *flow;
    isl_union_set *live_in;
    isl_bool result;

    if (!scop->arrays[a].dead_after || scop->arrays[a].kind == PG_ARRAY_MEMORY)
        return isl_bool_false;
    reads = pg_scop_accesses_of(scop, a, false);
    writes = pg_scop_accesses_of(scop, a, true);
    flow = pg_value_flow(isl_union_map_copy(reads), isl_union_map_copy(writes),
                         isl_schedule_copy(scop->original), &live_in);
    result = isl_union_set_is_empty(live_in);
    reads = isl_union_map_union(reads, writes);
    for (unsigned k = 0; result == isl_bool_true && k < plan->n_kernel; k++)
        result = fits_kernel(&plan->kernels[k], reads, flow);
    isl_union_set_free(live_in);
    isl_union_map_free(flow);
    isl_union_map_free(reads);
    return result;
}

/* Set plan->is_private.  What isl does not find out under its limits stays in
 * memory, and what it says once it has failed is not believed.
 */
void pg_privatise(struct pg_plan *plan, struct pg_phase *phase)
{
    plan->is_private = pg_alloc(plan->scop->n_array, sizeof(*plan->is_private));
    // What is forgotten below must not be an error of something else.
    if (pg_phase_erred(phase))
        return;
    for (unsigned a = 0; a < plan->scop->n_array; a++)
        plan->is_private[a] =
            may_privatise(plan, a) == isl_bool_true && !pg_phase_erred(phase);
    pg_phase_forget(phase);
}
