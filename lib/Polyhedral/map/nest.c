/* nest.c - threads for the loops inside of a kernel's one parallel loop, or of
 * one block.
 *
 * When the outer parallel loop of a kernel goes to blocks, the threads of a
 * block can share the parallel loops inside of it: each such loop, with all in
 * it, is a nest.  All threads run the loops around the nests in step as far as
 * barriers make them.  A dependence between two threads must be separated by a
 * barrier, in front of the nest to which such a dependence goes.  What is found
 * here goes into the tree by the passes of nested.c.  Where one block runs all
 * (chain.c) it is the same, and what no thread shares is for one of them.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "map/nest.h"
#include "map/marks.h"
#include "map/shape.h"
#include "polygpu/polyhedral.h"
#include "schedule/tree.h"
#include "support/text.h"

#include <isl/val.h>
#include <stdlib.h>
#include <string.h>

/* What the walk carries with it. */
struct finding {
    struct pg_nests *nests;
    const struct pg_scop *scop;
};

static __isl_give isl_schedule_node *
find(struct finding *f, __isl_take isl_schedule_node *node,
     __isl_take isl_union_pw_aff_list *time);

/* "find" in child "i" of "node"; returns "node" again. */
static __isl_give isl_schedule_node *
find_in_child(struct finding *f, __isl_take isl_schedule_node *node, int i,
              __isl_take isl_union_pw_aff_list *time)
{
    node = isl_schedule_node_child(node, i);
    node = find(f, node, time);
    return isl_schedule_node_parent(node);
}

/* The constant "v" on the statements of "domain". */
static __isl_give isl_union_pw_aff *constant(__isl_take isl_union_set *domain,
                                             long v)
{
    isl_ctx *ctx = isl_union_set_get_ctx(domain);

    domain = isl_union_set_universe(domain);
    return isl_union_pw_aff_val_on_domain(domain, isl_val_int_from_si(ctx, v));
}

/* "list" less its members from number "n" on. */
static __isl_give isl_union_pw_aff_list *
first_members(__isl_take isl_union_pw_aff_list *list, int n)
{
    isl_size size = isl_union_pw_aff_list_n_union_pw_aff(list);

    if (size < n)
        return isl_union_pw_aff_list_free(list);
    return isl_union_pw_aff_list_drop(list, (unsigned)n, (unsigned)(size - n));
}

/* Put member "x" of the permutable "band" in front of the others. */
static __isl_give isl_schedule_node *
to_front(__isl_take isl_schedule_node *band, int x)
{
    isl_union_pw_aff_list *members = pg_tree_members(band);
    isl_size n = isl_union_pw_aff_list_n_union_pw_aff(members);
    bool *coincident = pg_alloc(n < 0 ? 0 : (size_t)n, sizeof(*coincident));
    isl_union_pw_aff *front =
        isl_union_pw_aff_list_get_union_pw_aff(members, x);

    for (int i = 0; i < n; i++)
        coincident[i < x    ? i + 1
                   : i == x ? 0
                            : i] =
            isl_schedule_node_band_member_get_coincident(band, i) > 0;
    members = isl_union_pw_aff_list_drop(members, (unsigned)x, 1);
    members = isl_union_pw_aff_list_insert(members, 0, front);
    band = isl_schedule_node_delete(band);
    band =
        isl_schedule_node_insert_partial_schedule(band, pg_tree_join(members));
    band = isl_schedule_node_band_set_permutable(band, 1);
    for (int i = 0; i < n; i++)
        band = isl_schedule_node_band_member_set_coincident(band, i,
                                                            coincident[i]);
    free(coincident);
    return band;
}

/* Make room for one more nest. */
static struct pg_nest *grow(struct pg_nests *nests)
{
    struct pg_nest *more = pg_alloc(nests->n + 1, sizeof(*more));

    if (nests->n)
        memcpy(more, nests->nest, nests->n * sizeof(*more));
    free(nests->nest);
    nests->nest = more;
    return &nests->nest[nests->n++];
}

/* Add the members of "node", if it is a band, to the list "*user". */
static isl_bool add_loops(__isl_keep isl_schedule_node *node, void *user)
{
    isl_union_pw_aff_list **list = user;

    if (isl_schedule_node_get_type(node) == isl_schedule_node_band)
        *list = isl_union_pw_aff_list_concat(*list, pg_tree_members(node));
    return isl_bool_ok(*list != NULL);
}

/* The loops at and below "node", after those of "list". */
static __isl_give isl_union_pw_aff_list *
with_loops(__isl_take isl_union_pw_aff_list *list,
           __isl_keep isl_schedule_node *node)
{
    if (isl_schedule_node_foreach_descendant_top_down(node, &add_loops,
                                                      &list) != isl_stat_ok)
        return isl_union_pw_aff_list_free(list);
    return list;
}

/* Note which loops of the nest "members", a band around "inner", are beside
 * that of the threads, number "x": those in front of number "last".
 */
static void take_loops(struct pg_nest *nest,
                       __isl_keep isl_union_pw_aff_list *members,
                       __isl_keep isl_schedule_node *band, int x, int last,
                       __isl_keep isl_schedule_node *inner)
{
    isl_ctx *ctx = isl_union_pw_aff_list_get_ctx(members);
    isl_size n = isl_union_pw_aff_list_n_union_pw_aff(members);

    nest->wide = isl_union_pw_aff_list_from_union_pw_aff(
        isl_union_pw_aff_copy(nest->thread));
    nest->slow = isl_union_pw_aff_list_alloc(ctx, n);
    for (int i = 0; i < n; i++) {
        isl_union_pw_aff *member =
            isl_union_pw_aff_list_get_union_pw_aff(members, i);
        bool wide = i < last &&
                    isl_schedule_node_band_member_get_coincident(band, i) > 0;

        if (i == x)
            isl_union_pw_aff_free(member);
        else if (wide)
            nest->wide = isl_union_pw_aff_list_add(nest->wide, member);
        else
            nest->slow = isl_union_pw_aff_list_add(nest->slow, member);
    }
    nest->slow = with_loops(nest->slow, inner);
}

/* The band "node" begins with a coincident member or is permutable and has
 * one: make a nest of it, with that of the coincident members for threads
 * that suits the accesses most; of several the innermost.
 */
static __isl_give isl_schedule_node *
take_nest(struct finding *f, __isl_take isl_schedule_node *node,
          __isl_take isl_union_pw_aff_list *time)
{
    bool permutable = isl_schedule_node_band_get_permutable(node) > 0;
    isl_size n = isl_schedule_node_band_n_member(node);
    isl_union_pw_aff_list *members = pg_tree_members(node);
    isl_schedule_node *inner = isl_schedule_node_get_child(node, 0);
    struct pg_nest *nest = grow(f->nests);
    int best = 0, best_score = -1, last = 0;

    nest->domain = isl_schedule_node_get_domain(node);
    nest->time = time;
    while (last < n &&
           (permutable ||
            isl_schedule_node_band_member_get_coincident(node, last) > 0))
        last++;
    for (int i = last - 1; i >= 0; i--) {
        int score;

        if (isl_schedule_node_band_member_get_coincident(node, i) <= 0)
            continue;
        score = pg_shape_rate(f->scop, time, members, i, inner, nest->domain);
        if (score > best_score) {
            best = i;
            best_score = score;
        }
    }
    f->nests->score += best_score;
    nest->thread = isl_union_pw_aff_list_get_union_pw_aff(members, best);
    nest->thread = isl_union_pw_aff_intersect_domain(
        nest->thread, isl_union_set_copy(nest->domain));
    take_loops(nest, members, node, best, last, inner);
    isl_union_pw_aff_list_free(members);
    isl_schedule_node_free(inner);
    if (permutable && best > 0)
        node = to_front(node, best);
    return pg_mark_insert(node, PG_MARK_NEST);
}

/* All at and below "node" is for the thread with number 0. */
static __isl_give isl_schedule_node *
take_single(struct finding *f, __isl_take isl_schedule_node *node,
            __isl_take isl_union_pw_aff_list *time)
{
    struct pg_nest *nest = grow(f->nests);
    isl_ctx *ctx = isl_schedule_node_get_ctx(node);

    nest->domain = isl_schedule_node_get_domain(node);
    nest->time = time;
    nest->thread = isl_union_pw_aff_intersect_domain(
        constant(isl_union_set_copy(nest->domain), 0),
        isl_union_set_copy(nest->domain));
    nest->wide = isl_union_pw_aff_list_alloc(ctx, 0);
    nest->slow = with_loops(isl_union_pw_aff_list_alloc(ctx, 0), node);
    return pg_mark_insert(node, PG_MARK_NEST);
}

/* The permutable "band" without coincident members as a wavefront: its members'
 * sum, in each step of which all members but the first are parallel.
 */
static __isl_give isl_schedule_node *skew(__isl_take isl_schedule_node *band)
{
    isl_union_pw_aff_list *members = pg_tree_skewed(pg_tree_members(band));
    isl_size n = isl_union_pw_aff_list_n_union_pw_aff(members);

    band = isl_schedule_node_delete(band);
    band =
        isl_schedule_node_insert_partial_schedule(band, pg_tree_join(members));
    for (int i = 1; i < n; i++)
        band = isl_schedule_node_band_member_set_coincident(band, i, 1);
    return band;
}

/* A band inside of the loops and positions "time": it begins a nest, or its
 * members are loops around nests.
 */
static __isl_give isl_schedule_node *
take_band(struct finding *f, __isl_take isl_schedule_node *node,
          __isl_take isl_union_pw_aff_list *time)
{
    bool permutable = isl_schedule_node_band_get_permutable(node) > 0;
    isl_size n = isl_schedule_node_band_n_member(node);
    isl_union_pw_aff_list *members;
    int first = 0;

    while (first < n &&
           isl_schedule_node_band_member_get_coincident(node, first) <= 0)
        first++;
    if (first < n && (permutable || first == 0))
        return take_nest(f, node, time);
    if (f->nests->whole && pg_tree_is_wave(node))
        return take_band(f, skew(node), time);
    members = first_members(pg_tree_members(node), first);
    time = isl_union_pw_aff_list_concat(time, members);
    if (first < n)
        node = isl_schedule_node_band_split(node, first);
    return find_in_child(f, node, 0, time);
}

/* Find the nests at and below "node", which is inside of "time", and mark
 * them.  Returns the node at the same place.
 */
static __isl_give isl_schedule_node *
find(struct finding *f, __isl_take isl_schedule_node *node,
     __isl_take isl_union_pw_aff_list *time)
{
    enum isl_schedule_node_type type = isl_schedule_node_get_type(node);
    isl_size n = isl_schedule_node_n_children(node);

    // Nothing goes between a domain or a filter and what is above it.
    if (f->nests->whole && type != isl_schedule_node_domain &&
        type != isl_schedule_node_filter && pg_tree_parallel(node) == 0)
        return take_single(f, node, time);
    switch (type) {
    case isl_schedule_node_band:
        return take_band(f, node, time);
    case isl_schedule_node_sequence:
        for (int i = 0; i < n; i++) {
            isl_union_set *domain = isl_schedule_node_get_domain(node);
            isl_union_pw_aff_list *at = isl_union_pw_aff_list_copy(time);

            at = isl_union_pw_aff_list_add(at, constant(domain, i));
            node = find_in_child(f, node, i, at);
        }
        isl_union_pw_aff_list_free(time);
        return node;
    case isl_schedule_node_domain:
    case isl_schedule_node_filter:
        return find_in_child(f, node, 0, time);
    default:
        f->nests->complete = false;
        isl_union_pw_aff_list_free(time);
        return node;
    }
}

/* Find the nests in "tree" (of pg_tree_ordered), which is inside of the loops
 * "time", and mark them.
 */
__isl_give isl_schedule *pg_nests_find(struct pg_nests *nests,
                                       const struct pg_scop *scop,
                                       __isl_take isl_schedule *tree,
                                       __isl_keep isl_union_pw_aff_list *time)
{
    struct finding f = {nests, scop};
    isl_schedule_node *node = isl_schedule_get_root(tree);

    nests->complete = true;
    isl_schedule_free(tree);
    node = find(&f, node, isl_union_pw_aff_list_copy(time));
    tree = isl_schedule_node_get_schedule(node);
    isl_schedule_node_free(node);
    return tree;
}

/* The value { S[i] -> [v] } of the nests' parallel loops. */
__isl_give isl_union_pw_aff *pg_nests_thread(const struct pg_nests *nests)
{
    isl_union_pw_aff *all = isl_union_pw_aff_copy(nests->nest[0].thread);

    for (unsigned k = 1; k < nests->n; k++)
        all = isl_union_pw_aff_union_add(
            all, isl_union_pw_aff_copy(nests->nest[k].thread));
    return all;
}

/* When the nests begin: { S[i] -> [time] } with zeros at the end of those that
 * are in fewer loops.  Where two nests have different numbers of loops, a
 * position before the zeros tells them apart.
 */
__isl_give isl_multi_union_pw_aff *pg_nests_time(const struct pg_nests *nests)
{
    isl_union_pw_aff_list *list;
    isl_size depth = 0;

    for (unsigned k = 0; k < nests->n; k++) {
        isl_size n = isl_union_pw_aff_list_n_union_pw_aff(nests->nest[k].time);

        if (n < 0)
            return NULL;
        depth = n > depth ? n : depth;
    }
    list = isl_union_pw_aff_list_alloc(
        isl_union_set_get_ctx(nests->nest[0].domain), depth);
    for (int d = 0; d < depth; d++) {
        isl_union_pw_aff *all = NULL;

        for (unsigned k = 0; k < nests->n; k++) {
            const struct pg_nest *nest = &nests->nest[k];
            isl_union_pw_aff *one;

            if (d < isl_union_pw_aff_list_n_union_pw_aff(nest->time))
                one = isl_union_pw_aff_list_get_union_pw_aff(nest->time, d);
            else
                one = constant(isl_union_set_copy(nest->domain), 0);
            one = isl_union_pw_aff_intersect_domain(
                one, isl_union_set_copy(nest->domain));
            all = k ? isl_union_pw_aff_union_add(all, one) : one;
        }
        list = isl_union_pw_aff_list_add(list, all);
    }
    return pg_tree_join(list);
}

/* Decide in front of which nests barriers are needed, for the dependences
 * "order" within a launch, all of which stay within one iteration of the loop
 * that goes to blocks.  False if barriers there do not separate all threads
 * that depend on each other.
 */
isl_bool pg_nests_separate(struct pg_nests *nests,
                           __isl_take isl_union_map *order)
{
    isl_multi_union_pw_aff *thread =
        isl_multi_union_pw_aff_from_union_pw_aff(pg_nests_thread(nests));
    isl_multi_union_pw_aff *time = pg_nests_time(nests);
    isl_bool ok = isl_bool_true;
    isl_union_map *stay;

    stay = isl_union_map_eq_at_multi_union_pw_aff(isl_union_map_copy(order),
                                                  thread);
    order = isl_union_map_subtract(order, stay);
    for (unsigned k = 0; ok == isl_bool_true && k < nests->n; k++) {
        struct pg_nest *nest = &nests->nest[k];
        isl_union_map *into = isl_union_map_intersect_range(
            isl_union_map_copy(order), isl_union_set_copy(nest->domain));
        isl_bool none = isl_union_map_is_empty(into);
        isl_union_map *ahead;

        if (none != isl_bool_false) {
            ok = none;
            isl_union_map_free(into);
            continue;
        }
        nest->barrier = true;
        ahead = isl_union_map_lex_lt_at_multi_union_pw_aff(
            isl_union_map_copy(into), isl_multi_union_pw_aff_copy(time));
        ok = isl_union_map_is_subset(into, ahead);
        isl_union_map_free(ahead);
        isl_union_map_free(into);
    }
    isl_union_map_free(order);
    isl_multi_union_pw_aff_free(time);
    return ok;
}

/* Free what "nests" holds. */
void pg_nests_clear(struct pg_nests *nests)
{
    for (unsigned k = 0; k < nests->n; k++) {
        isl_union_set_free(nests->nest[k].domain);
        isl_union_pw_aff_free(nests->nest[k].thread);
        isl_union_pw_aff_list_free(nests->nest[k].time);
        isl_union_pw_aff_list_free(nests->nest[k].wide);
        isl_union_pw_aff_list_free(nests->nest[k].slow);
    }
    free(nests->nest);
}
