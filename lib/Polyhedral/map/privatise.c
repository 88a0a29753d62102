/* privatise.c - scalars and temporaries that a thread can keep to itself.
 *
 * An array of which a thread uses one element at a time, from its first write
 * to its last read, needs no memory of the device: a variable of the thread
 * will do, which becomes a register.  That is so if somewhere in the kernel's
 * tree all values of the array stay within one iteration of the loops above,
 * and each of these iterations goes to one element.
 *
 * On a CPU it may also be an array on the thread's stack: for a temporary that
 * is a copy of a small array for each iteration of some loops, if each
 * iteration as above goes to one copy.  What is larger, or of a size that is
 * known at run time only, is in memory that the runtime lends to each thread.
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
#include "support/values.h"

#include <stdlib.h>

/* An array as a kernel sees it. */
struct use {
    const struct pg_kernel *kernel;
    isl_union_set *mapped;    /* instances that thread t0, t1, t2 of block */
                              /* b0, b1 runs */
    isl_union_map *accesses;  /* { S[i] -> A[x] } of these */
    isl_union_map *flow;      /* { S[i] -> T[j] } by the array, from these */
    isl_union_map *all_flow;  /* the same from all of the kernel's */
    isl_union_set *accessing; /* the statements that access it, a universe */
    unsigned n_inside; /* so many of its last dimensions the variable has */
};

/* The instances of statements that reach leaves of a tree. */
struct reaching {
    isl_union_set *stmts; /* all of the kernel's, a universe */
    isl_union_set *all;
};

/* Does the filter "node" let through barriers or copies only? */
static isl_bool is_other(const struct reaching *r,
                         __isl_keep isl_schedule_node *node)
{
    isl_union_set *filter = isl_schedule_node_filter_get_filter(node);
    isl_bool other = isl_union_set_is_disjoint(filter, r->stmts);

    isl_union_set_free(filter);
    return other;
}

/* Add the instances that reach the leaf "node" to those of "*user". */
static isl_bool add_leaf(__isl_keep isl_schedule_node *node, void *user)
{
    enum isl_schedule_node_type type = isl_schedule_node_get_type(node);
    struct reaching *r = user;

    if (type == isl_schedule_node_leaf)
        r->all =
            isl_union_set_union(r->all, isl_schedule_node_get_domain(node));
    if (!r->all)
        return isl_bool_error;
    return type == isl_schedule_node_filter ? isl_bool_not(is_other(r, node))
                                            : isl_bool_true;
}

/* Add to "*user" the set with the constraints that all pieces of "set" have. */
static isl_stat add_hull(__isl_take isl_set *set, void *user)
{
    isl_union_set **all = user;
    isl_basic_set *hull = isl_set_unshifted_simple_hull(set);

    *all = isl_union_set_add_set(*all, isl_set_from_basic_set(hull));
    return *all ? isl_stat_ok : isl_stat_error;
}

/* "all", instances of "domain", as few sets: full and other tiles are parted by
 * conditions that together mean nothing.
 */
static __isl_give isl_union_set *join_parts(__isl_take isl_union_set *all,
                                            __isl_keep isl_union_set *domain)
{
    isl_union_set *hull = isl_union_set_empty(isl_union_set_get_space(all));
    isl_bool same;

    if (isl_union_set_foreach_set(all, &add_hull, &hull) != isl_stat_ok)
        hull = isl_union_set_free(hull);
    hull = isl_union_set_intersect(hull, isl_union_set_copy(domain));
    same = isl_union_set_is_subset(hull, all);
    if (same != isl_bool_true) {
        isl_union_set_free(hull);
        return same < 0 ? isl_union_set_free(all) : all;
    }
    isl_union_set_free(all);
    return hull;
}

/* The instances that a thread runs, as its number and its block's say. */
static __isl_give isl_union_set *mapped_by(const struct pg_kernel *kernel)
{
    struct reaching r = {
        isl_union_set_universe(isl_union_set_copy(kernel->domain)),
        isl_union_set_empty(isl_union_set_get_space(kernel->domain))};

    if (isl_schedule_foreach_schedule_node_top_down(
            kernel->mapping->schedule, &add_leaf, &r) != isl_stat_ok)
        r.all = isl_union_set_free(r.all);
    r.all = isl_union_set_intersect(r.all, r.stmts);
    return join_parts(r.all, kernel->domain);
}

/* { [v] -> A[x] } without the dimensions that the variable has. */
static __isl_give isl_union_map *without_inside(const struct use *use,
                                                __isl_take isl_union_map *map)
{
    isl_map *one;
    isl_size n;

    if (!use->n_inside)
        return map;
    one = isl_map_from_union_map(map);
    n = isl_map_dim(one, isl_dim_out);
    return isl_union_map_from_map(isl_map_project_out(
        one, isl_dim_out, (unsigned)n - use->n_inside, use->n_inside));
}

/* Does each iteration of the loops "outer", { S[i] -> [v] }, of a thread go to
 * one element, or to one copy of what the variable has?
 */
static isl_bool is_one_element(const struct use *use,
                               __isl_take isl_union_map *outer)
{
    isl_union_map *elements = isl_union_map_apply_domain(
        isl_union_map_copy(use->accesses),
        isl_union_map_intersect_domain(outer, isl_union_set_copy(use->mapped)));
    isl_bool none = isl_union_map_is_empty(elements), single = none;

    if (none == isl_bool_false) {
        elements = without_inside(use, elements);
        single = isl_union_map_is_single_valued(elements);
    }
    isl_union_map_free(elements);
    return single;
}

/* Do the array's values stay in a thread? */
static isl_bool stays_in_thread(const struct use *use)
{
    isl_union_map *inside = isl_union_map_intersect_range(
        isl_union_map_copy(use->flow), isl_union_set_copy(use->mapped));
    isl_bool result = isl_union_map_is_subset(use->flow, inside);

    isl_union_map_free(inside);
    return result;
}

/* Do the array's values stay in an iteration of the band "node"? */
static isl_bool stays_in_band(const struct use *use,
                              __isl_keep isl_schedule_node *node)
{
    isl_union_map *flow = isl_union_map_copy(use->all_flow);
    isl_union_set *pairs = isl_union_map_wrap(isl_union_map_copy(flow)), *zero;
    isl_multi_union_pw_aff *from =
        isl_schedule_node_band_get_partial_schedule(node);
    isl_multi_union_pw_aff *to = isl_multi_union_pw_aff_copy(from);
    isl_bool result;

    to = isl_multi_union_pw_aff_pullback_union_pw_multi_aff(
        to, isl_union_pw_multi_aff_from_union_map(
                isl_union_map_range_map(isl_union_map_copy(flow))));
    from = isl_multi_union_pw_aff_pullback_union_pw_multi_aff(
        from, isl_union_map_domain_map_union_pw_multi_aff(flow));
    to = isl_multi_union_pw_aff_gist(isl_multi_union_pw_aff_sub(to, from),
                                     isl_union_set_copy(pairs));
    zero = isl_multi_union_pw_aff_zero_union_set(to);
    result = isl_union_set_is_subset(pairs, zero);
    isl_union_set_free(pairs);
    isl_union_set_free(zero);
    return result;
}

/* Do the array's values stay in what the filter above "child" lets through? */
static isl_bool stays_in_filter(const struct use *use,
                                __isl_keep isl_schedule_node *child)
{
    isl_schedule_node *node =
        isl_schedule_node_parent(isl_schedule_node_copy(child));
    isl_bool result = isl_bool_true;

    if (isl_schedule_node_get_type(node) == isl_schedule_node_filter) {
        isl_union_set *filter = isl_schedule_node_filter_get_filter(node);
        isl_union_set *all = isl_union_set_union(
            isl_union_map_domain(isl_union_map_copy(use->all_flow)),
            isl_union_map_range(isl_union_map_copy(use->all_flow)));

        result = isl_union_set_is_subset(all, filter);
        isl_union_set_free(filter);
        isl_union_set_free(all);
    }
    isl_schedule_node_free(node);
    return result;
}

/* Do the array's values stay below one child of "node", which is given then, in
 * each iteration of "node"?  NULL: no, or an error.
 */
static __isl_give isl_schedule_node *
child_where_stays(const struct use *use, __isl_keep isl_schedule_node *node)
{
    isl_schedule_node *child = NULL;

    if (isl_schedule_node_get_type(node) != isl_schedule_node_band ||
        stays_in_band(use, node) == isl_bool_true)
        child = pg_tree_child_with(node, use->accessing);
    // The filters of blocks and threads have no brothers: mapped has them.
    if (child && isl_schedule_node_n_children(node) > 1 &&
        stays_in_filter(use, child) != isl_bool_true)
        child = isl_schedule_node_free(child);
    return child;
}

/* Can the array be a variable of the thread?  That the values stay in an
 * iteration is the quicker question of both.
 */
static isl_bool fits(const struct use *use)
{
    isl_schedule_node *node =
        isl_schedule_get_root(use->kernel->mapping->schedule);
    isl_schedule_node *child = isl_schedule_node_get_child(node, 0);
    isl_union_map *outer;
    isl_bool result;

    while (child) {
        isl_schedule_node_free(node);
        node = child;
        child = child_where_stays(use, node);
    }
    outer = isl_schedule_node_get_prefix_schedule_union_map(node);
    result = is_one_element(use, outer);
    if (result == isl_bool_true)
        result = stays_in_thread(use);
    isl_schedule_node_free(node);
    return result;
}

/* Can the array with these accesses, { S[i] -> A[x] }, and this flow, { S[i] ->
 * T[j] }, be a variable of each thread in "kernel", of whose instances a thread
 * runs "mapped", with its last "n_inside" dimensions?
 */
static isl_bool fits_kernel(const struct pg_kernel *kernel,
                            __isl_keep isl_union_set *mapped,
                            __isl_keep isl_union_map *accesses,
                            __isl_keep isl_union_map *flow, unsigned n_inside)
{
    struct use use = {.kernel = kernel, .mapped = mapped, .n_inside = n_inside};
    isl_bool result;

    use.accesses = isl_union_map_intersect_domain(
        isl_union_map_copy(accesses), isl_union_set_copy(kernel->domain));
    use.all_flow = isl_union_map_intersect_domain(
        isl_union_map_copy(flow), isl_union_set_copy(kernel->domain));
    use.flow = isl_union_map_intersect_domain(isl_union_map_copy(use.all_flow),
                                              isl_union_set_copy(mapped));
    use.accessing = isl_union_set_universe(
        isl_union_map_domain(isl_union_map_copy(use.accesses)));
    result = isl_union_map_is_empty(use.accesses);
    if (result == isl_bool_false)
        result = fits(&use);
    isl_union_map_free(use.accesses);
    isl_union_map_free(use.flow);
    isl_union_map_free(use.all_flow);
    isl_union_set_free(use.accessing);
    return result;
}

/* Do blocks of a kernel of "plan" work on array "a" in shared memory? */
static bool is_shared(const struct pg_plan *plan, unsigned a)
{
    bool found = false;

    for (unsigned k = 0; k < plan->n_kernel; k++) {
        const struct pg_mapping *mapping = plan->kernels[k].mapping;

        for (unsigned i = 0; i < mapping->n_buffer; i++)
            found |= (mapping->kind == PG_MAPPING_SHARED ||
                      mapping->buffers[i].written) &&
                     mapping->buffers[i].array == a;
    }
    return found;
}

/* Are there statements in "kernel" that read by "reads", but none that write by
 * "writes"?
 */
static bool reads_only(const struct pg_kernel *kernel,
                       __isl_keep isl_union_map *reads,
                       __isl_keep isl_union_map *writes)
{
    isl_union_set *stmts =
        isl_union_set_universe(isl_union_set_copy(kernel->domain));
    isl_bool reading, writing;

    reads = isl_union_map_intersect_domain(isl_union_map_copy(reads),
                                           isl_union_set_copy(stmts));
    writes = isl_union_map_intersect_domain(isl_union_map_copy(writes), stmts);
    reading = isl_union_map_plain_is_empty(reads);
    writing = isl_union_map_plain_is_empty(writes);
    isl_union_map_free(reads);
    isl_union_map_free(writes);
    return reading == isl_bool_false && writing == isl_bool_true;
}

/* Can array "a" be a variable of each thread in all kernels of "plan", whose
 * threads run "mapped", as far as that has been computed?  It has the last
 * "n_inside" dimensions of the array.
 */
static isl_bool may_privatise(const struct pg_plan *plan, unsigned a,
                              isl_union_set **mapped, unsigned n_inside)
{
    const struct pg_scop *scop = plan->scop;
    isl_union_map *reads, *writes, *flow;
    isl_union_set *live_in;
    isl_bool result;

    if (!scop->arrays[a].dead_after || scop->arrays[a].of_block ||
        scop->arrays[a].kind == PG_ARRAY_MEMORY || is_shared(plan, a))
        return isl_bool_false;
    reads = pg_scop_accesses_of(scop, a, false);
    writes = pg_scop_accesses_of(scop, a, true);
    // What comes from another kernel is in memory: that takes no analysis.
    for (unsigned k = 0; k < plan->n_kernel; k++)
        if (reads_only(&plan->kernels[k], reads, writes)) {
            isl_union_map_free(reads);
            isl_union_map_free(writes);
            return isl_bool_false;
        }
    flow = pg_value_flow(isl_union_map_copy(reads), isl_union_map_copy(writes),
                         isl_schedule_copy(scop->original), &live_in);
    result = isl_union_set_is_empty(live_in);
    reads = isl_union_map_union(reads, writes);
    for (unsigned k = 0; result == isl_bool_true && k < plan->n_kernel; k++) {
        if (!mapped[k])
            mapped[k] = mapped_by(&plan->kernels[k]);
        result =
            fits_kernel(&plan->kernels[k], mapped[k], reads, flow, n_inside);
    }
    isl_union_set_free(live_in);
    isl_union_map_free(flow);
    isl_union_map_free(reads);
    return result;
}

/* So many bytes an array on a thread's stack has at most. */
enum { STACK_BYTES = 1 << 14 };

/* The dimensions of the array that "array", a temporary, has copies of. */
static unsigned inside_of(const struct pg_scop *scop,
                          const struct pg_array *array)
{
    return array->kind == PG_ARRAY_TEMPORARY ? scop->arrays[array->origin].n_dim
                                             : 0;
}

/* How many elements a variable for "array" has by dimension, if it has the last
 * "n_inside" ones: 0 for each of these if that is not known, or more than a
 * stack has.
 */
static unsigned *extents_of(const struct pg_array *array, unsigned n_inside)
{
    unsigned *own = pg_alloc(array->n_dim, sizeof(*own));
    double bytes = array->elem_size;
    bool small = true;

    for (unsigned d = 0; d < array->n_dim; d++) {
        isl_val *most;

        own[d] = 1;
        if (d + n_inside < array->n_dim)
            continue;
        most = pg_largest_value(
            isl_set_from_pw_aff(isl_pw_aff_copy(array->extent[d])));
        bytes *= isl_val_is_int(most) == isl_bool_true ? pg_val_to_double(most)
                                                       : STACK_BYTES + 1.0;
        small = small && bytes > 0 && bytes <= STACK_BYTES;
        if (small)
            own[d] = (unsigned)pg_val_to_double(most);
        isl_val_free(most);
    }
    for (unsigned d = array->n_dim - n_inside; !small && d < array->n_dim; d++)
        own[d] = 0;
    return own;
}

/* Make array "a" a variable of each thread if it can be: of one element, or an
 * array where that is allowed.
 */
static void privatise(struct pg_plan *plan, struct pg_phase *phase, unsigned a,
                      isl_union_set **mapped, bool arrays)
{
    const struct pg_array *array = &plan->scop->arrays[a];
    unsigned inside = arrays ? inside_of(plan->scop, array) : 0;
    unsigned *own;

    plan->is_private[a] = may_privatise(plan, a, mapped, 0) == isl_bool_true &&
                          !pg_phase_erred(phase);
    if (plan->is_private[a] || !inside || inside > array->n_dim)
        return;
    own = extents_of(array, inside);
    if (may_privatise(plan, a, mapped, inside) == isl_bool_true &&
        !pg_phase_erred(phase)) {
        plan->is_private[a] = true;
        plan->own[a] = own;
        return;
    }
    free(own);
}

/* Set plan->is_private, and plan->own if there may be "arrays".  What isl does
 * not find out under its limits stays in memory, and what it says once it has
 * failed is not believed.
 */
void pg_privatise(struct pg_plan *plan, struct pg_phase *phase, bool arrays)
{
    isl_union_set **mapped;

    plan->is_private = pg_alloc(plan->scop->n_array, sizeof(*plan->is_private));
    if (arrays)
        plan->own = pg_alloc(plan->scop->n_array, sizeof(*plan->own));
    // What is forgotten below must not be an error of something else.
    if (pg_phase_erred(phase))
        return;
    mapped = pg_alloc(plan->n_kernel, sizeof(*mapped));
    for (unsigned a = 0; a < plan->scop->n_array; a++)
        privatise(plan, phase, a, mapped, arrays);
    pg_phase_forget(phase);
    for (unsigned k = 0; k < plan->n_kernel; k++)
        isl_union_set_free(mapped[k]);
    free(mapped);
}

bool pg_plan_has_subscripts(const struct pg_plan *plan, unsigned a)
{
    return !plan->is_private[a] || (plan->own && plan->own[a]);
}

unsigned pg_plan_own_length(const struct pg_plan *plan, unsigned a)
{
    unsigned n = 1;

    for (unsigned d = 0;
         plan->own && plan->own[a] && d < plan->scop->arrays[a].n_dim; d++)
        n *= plan->own[a][d];
    return n;
}

bool pg_plan_owns_temporaries(const struct pg_plan *plan)
{
    for (unsigned a = 0; a < plan->scop->n_array; a++)
        if (plan->scop->arrays[a].kind == PG_ARRAY_TEMPORARY &&
            !plan->is_private[a])
            return false;
    return true;
}

bool pg_plan_in_memory(const struct pg_plan *plan, unsigned a)
{
    return !plan->is_private[a] && !plan->scop->arrays[a].of_block;
}
