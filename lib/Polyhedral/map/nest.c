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
#include "map/instances.h"
#include "map/marks.h"
#include "map/shape.h"
#include "polygpu/polyhedral.h"
#include "schedule/tree.h"
#include "support/text.h"

#include <isl/space.h>
#include <isl/val.h>
#include <stdlib.h>
#include <string.h>

enum {
    TILE_THREADS = 256,  /* of a block, */
    TILE_ROWS = 8,       /* and in y */
    PLANE_THREADS = 512, /* the same where planes leave room for few blocks */
    PLANE_ROWS = 8,
    MAX_STEPS = 1 << 20 /* of a tile that are counted */
};

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

/* How many values "value" may have in one of "tiles" and one iteration of the
 * loops "time" of "domain".
 */
static long long length_in(const struct pg_band_tiles *tiles,
                           __isl_keep isl_union_set *domain,
                           __isl_keep isl_union_pw_aff_list *time,
                           __isl_keep isl_union_pw_aff *value)
{
    isl_ctx *ctx = isl_union_set_get_ctx(domain);
    isl_union_pw_aff_list *list =
        isl_union_pw_aff_list_from_union_pw_aff(isl_union_pw_aff_copy(value));
    isl_size n = isl_union_pw_aff_list_n_union_pw_aff(tiles->points);
    isl_set *all;
    long long length;

    list = isl_union_pw_aff_list_concat(
        list, isl_union_pw_aff_list_copy(tiles->points));
    all = pg_differences(domain, isl_union_pw_aff_list_copy(time), list);
    for (int i = 0; i < n; i++) {
        isl_val *most = isl_val_int_from_si(ctx, (long)tiles->sizes[i] - 1);

        all = isl_set_lower_bound_val(all, isl_dim_set, (unsigned)i + 1,
                                      isl_val_neg(isl_val_copy(most)));
        all = isl_set_upper_bound_val(all, isl_dim_set, (unsigned)i + 1, most);
    }
    all = isl_set_project_out(all, isl_dim_set, 1, n < 0 ? 0 : (unsigned)n);
    length = pg_length(all);
    isl_set_free(all);
    return length;
}

/* Do "value" and "point" count alike in an iteration of all loops of "nest" but
 * its wide one number "i", which is "value"?
 */
static bool is_alike(const struct pg_nest *nest, int i,
                     __isl_keep isl_union_pw_aff *value,
                     __isl_keep isl_union_pw_aff *point)
{
    isl_union_pw_aff_list *outer = isl_union_pw_aff_list_drop(
        isl_union_pw_aff_list_copy(nest->wide), (unsigned)i, 1);
    isl_union_pw_aff *less = isl_union_pw_aff_sub(isl_union_pw_aff_copy(value),
                                                  isl_union_pw_aff_copy(point));
    isl_set *all;
    bool alike;

    outer = isl_union_pw_aff_list_concat(
        outer, isl_union_pw_aff_list_copy(nest->time));
    all = pg_differences(nest->domain, outer,
                         isl_union_pw_aff_list_from_union_pw_aff(less));
    alike = pg_length(all) == 1;
    isl_set_free(all);
    return alike;
}

/* Take a member of the band in "tiles" in place of "share", the wide loop
 * number "i" of "nest", if one counts alike and has no more values.
 */
static void take_point(struct pg_share *share, const struct pg_nest *nest,
                       int i, const struct pg_band_tiles *tiles)
{
    isl_size n = isl_union_pw_aff_list_n_union_pw_aff(tiles->points);

    for (int p = 0; p < n && share->point < 0; p++) {
        isl_union_pw_aff *point =
            isl_union_pw_aff_list_get_union_pw_aff(tiles->points, p);

        point = isl_union_pw_aff_intersect_domain(
            point, isl_union_set_copy(nest->domain));
        if ((share->length == PG_UNKNOWN || tiles->sizes[p] <= share->length) &&
            is_alike(nest, i, share->value, point)) {
            isl_union_pw_aff_free(share->value);
            *share = (struct pg_share){point, tiles->sizes[p], p};
        } else {
            isl_union_pw_aff_free(point);
        }
    }
}

/* How many values "value" may have each time that "nest" runs. */
static long long length_of(const struct pg_nest *nest,
                           __isl_keep isl_union_pw_aff *value)
{
    isl_set *all = pg_differences(
        nest->domain, isl_union_pw_aff_list_copy(nest->time),
        isl_union_pw_aff_list_from_union_pw_aff(isl_union_pw_aff_copy(value)));
    long long length = pg_length(all);

    isl_set_free(all);
    return length;
}

/* Have the threads of a block share the wide loops of "nest", that which
 * suits the accesses most first.
 */
static void share_loops(struct pg_nests *nests, struct pg_nest *nest)
{
    const struct pg_band_tiles *tiles = nests->tiled;
    isl_size n = isl_union_pw_aff_list_n_union_pw_aff(nest->wide);

    for (int i = 0; i < n; i++) {
        struct pg_share share = {
            isl_union_pw_aff_list_get_union_pw_aff(nest->wide, i), 0, -1};

        if (tiles) {
            share.length =
                length_in(tiles, nest->domain, nest->time, share.value);
            take_point(&share, nest, i, tiles);
            nests->open |= share.length == PG_UNKNOWN;
        } else {
            share.length = length_of(nest, share.value);
        }
        if (nest->n_share < PG_MAX_SHARES)
            nest->share[nest->n_share++] = share;
        else
            isl_union_pw_aff_free(share.value);
    }
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
    if (f->nests->tiled || f->nests->shared)
        share_loops(f->nests, nest);
    isl_union_pw_aff_list_free(members);
    isl_schedule_node_free(inner);
    if (permutable && best > 0)
        node = to_front(node, best);
    for (int i = 0; f->nests->folded && i < n; i++)
        node = isl_schedule_node_band_member_set_ast_loop_type(
            node, i, isl_ast_loop_atomic);
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
 * sum, in each step of which all members but the first are parallel; but the
 * last one of a "tile", which is its longest.
 */
static __isl_give isl_schedule_node *skew(__isl_take isl_schedule_node *band,
                                          bool tile)
{
    isl_union_pw_aff_list *members = pg_tree_members(band);
    isl_size n = isl_union_pw_aff_list_n_union_pw_aff(members);

    if (tile && n > 1) {
        isl_union_pw_aff *last =
            isl_union_pw_aff_list_get_union_pw_aff(members, n - 1);

        members = isl_union_pw_aff_list_drop(members, (unsigned)n - 1, 1);
        members = isl_union_pw_aff_list_insert(members, 0, last);
    }
    members = pg_tree_skewed(members);

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
        return take_band(f, skew(node, f->nests->tiled != NULL), time);
    members = first_members(pg_tree_members(node), first);
    time = isl_union_pw_aff_list_concat(time, members);
    if (first < n)
        node = isl_schedule_node_band_split(node, first);
    for (int i = 0; (f->nests->tiled || f->nests->folded) && i < first; i++)
        node = isl_schedule_node_band_member_set_ast_loop_type(
            node, i, isl_ast_loop_atomic);
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

/* The smallest power of two that is not less than "length", at most "most". */
static long long threads_for(long long length, long long most)
{
    long long n = 1;

    while (n < most && (length == PG_UNKNOWN || n < length))
        n *= 2;
    return n;
}

/* The block for nests of tiles: x and y. */
void pg_nests_block(const struct pg_nests *nests, long long *block)
{
    long long threads = nests->folded ? PLANE_THREADS : TILE_THREADS;
    long long rows = nests->folded ? PLANE_ROWS : TILE_ROWS;

    block[0] = block[1] = 1;
    for (int d = PG_MAX_SHARES - 1; d >= 0; d--)
        for (unsigned k = 0; k < nests->n; k++) {
            const struct pg_nest *nest = &nests->nest[k];
            long long most = d ? rows : threads / block[1], n;

            if (nest->n_share <= (unsigned)d)
                continue;
            n = threads_for(nest->share[d].length, most);
            block[d] = n > block[d] ? n : block[d];
        }
}

/* How often "nest" runs in a tile, if that is known. */
static long long steps_of(const struct pg_nests *nests,
                          const struct pg_nest *nest)
{
    isl_size n = isl_union_pw_aff_list_n_union_pw_aff(nest->time);
    long long steps = 1;

    for (int i = 0; i < n; i++) {
        isl_union_pw_aff_list *outer = pg_tree_some(nest->time, 0, (unsigned)i);
        isl_union_pw_aff *loop =
            isl_union_pw_aff_list_get_union_pw_aff(nest->time, i);
        long long length = length_in(nests->tiled, nest->domain, outer, loop);

        if (length > 0 && steps < MAX_STEPS)
            steps *= length;
        isl_union_pw_aff_list_free(outer);
        isl_union_pw_aff_free(loop);
    }
    return steps;
}

/* The steps of a tile, { nest0[s] }, for each of the launches "params". */
__isl_give isl_union_set *pg_nests_steps(const struct pg_nests *nests,
                                         __isl_keep isl_set *params)
{
    isl_ctx *ctx = isl_set_get_ctx(params);
    isl_union_set *all = isl_union_set_empty(isl_set_get_space(params));

    for (unsigned k = 0; k < nests->n; k++) {
        char *name = pg_format("nest%u", k);
        isl_set *one = isl_set_universe(isl_space_set_alloc(ctx, 0, 1));

        one = isl_set_lower_bound_si(one, isl_dim_set, 0, 0);
        one = isl_set_upper_bound_val(
            one, isl_dim_set, 0,
            isl_val_int_from_si(ctx,
                                (long)steps_of(nests, &nests->nest[k]) - 1));
        one = isl_set_intersect_params(one, isl_set_copy(params));
        all = isl_union_set_add_set(all, isl_set_set_tuple_name(one, name));
        free(name);
    }
    return all;
}

/* Is no statement of nest "k" in another one? */
static bool is_alone(const struct pg_nests *nests, unsigned k)
{
    isl_union_set *all =
        isl_union_set_universe(isl_union_set_copy(nests->nest[k].domain));
    bool alone = true;

    for (unsigned i = 0; alone && i < nests->n; i++)
        alone = i == k || isl_union_set_is_disjoint(
                              all, nests->nest[i].domain) == isl_bool_true;
    isl_union_set_free(all);
    return alone;
}

/* When the nests begin: { S[i] -> [time] } with zeros at the end of those that
 * are in fewer loops.  Where two nests have different numbers of loops, a
 * position before the zeros tells them apart.  If "wide" is set, statements
 * that are in one nest have times for more than their instances, which makes
 * comparing them cheaper.
 */
static __isl_give isl_multi_union_pw_aff *time_of(const struct pg_nests *nests,
                                                  bool wide)
{
    isl_union_pw_aff_list *list;
    isl_union_set_list *domains = isl_union_set_list_alloc(
        isl_union_set_get_ctx(nests->nest[0].domain), (int)nests->n);
    isl_size depth = 0;

    for (unsigned k = 0; k < nests->n; k++) {
        isl_size n = isl_union_pw_aff_list_n_union_pw_aff(nests->nest[k].time);
        isl_union_set *own = isl_union_set_copy(nests->nest[k].domain);

        if (nests->shared || (wide && is_alone(nests, k)))
            own = isl_union_set_universe(own);
        domains = isl_union_set_list_add(domains, own);
        depth = n > depth ? n : depth;
    }
    list = isl_union_pw_aff_list_alloc(
        isl_union_set_get_ctx(nests->nest[0].domain), depth);
    for (int d = 0; d < depth; d++) {
        isl_union_pw_aff *all = NULL;

        for (unsigned k = 0; k < nests->n; k++) {
            const struct pg_nest *nest = &nests->nest[k];
            isl_union_set *own =
                isl_union_set_list_get_union_set(domains, (int)k);
            isl_union_pw_aff *one;

            if (d < isl_union_pw_aff_list_n_union_pw_aff(nest->time)) {
                one = isl_union_pw_aff_list_get_union_pw_aff(nest->time, d);
                if (wide)
                    one = isl_union_pw_aff_gist(
                        one, isl_union_set_copy(nest->domain));
                one = isl_union_pw_aff_intersect_domain(one, own);
            } else
                one = constant(own, 0);
            all = k ? isl_union_pw_aff_union_add(all, one) : one;
        }
        list = isl_union_pw_aff_list_add(list, all);
    }
    isl_union_set_list_free(domains);
    return pg_tree_join(list);
}

/* The same for the instances of the nests. */
__isl_give isl_multi_union_pw_aff *pg_nests_time(const struct pg_nests *nests)
{
    return time_of(nests, false);
}

/* The dependences "order" that surely stay within one thread. */
static __isl_give isl_union_map *in_thread(const struct pg_nests *nests,
                                           __isl_keep isl_union_map *order)
{
    isl_union_map *stay;

    if (!nests->tiled)
        return isl_union_map_eq_at_multi_union_pw_aff(
            isl_union_map_copy(order),
            isl_multi_union_pw_aff_from_union_pw_aff(pg_nests_thread(nests)));
    stay = isl_union_map_empty(isl_union_map_get_space(order));
    for (unsigned k = 0; k < nests->n; k++) {
        const struct pg_nest *nest = &nests->nest[k];
        isl_union_map *own = isl_union_map_intersect_domain(
            isl_union_map_copy(order), isl_union_set_copy(nest->domain));

        own = isl_union_map_intersect_range(own,
                                            isl_union_set_copy(nest->domain));
        for (unsigned i = 0; i < nest->n_share; i++)
            own = isl_union_map_eq_at_multi_union_pw_aff(
                own, isl_multi_union_pw_aff_from_union_pw_aff(
                         isl_union_pw_aff_copy(nest->share[i].value)));
        stay = isl_union_map_union(stay, own);
    }
    return stay;
}

/* Those of "order" between two iterations of the same plane, which no barrier
 * separates that each iteration has, and that need not stay within a thread.
 */
static __isl_give isl_union_map *within_planes(const struct pg_nests *nests,
                                               __isl_take isl_union_map *order)
{
    isl_union_pw_aff *plane = NULL;
    isl_union_pw_aff_list *threads = isl_union_pw_aff_list_alloc(
        isl_union_map_get_ctx(order), PG_MAX_SHARES);

    for (unsigned d = 0; d < PG_MAX_SHARES; d++) {
        isl_union_pw_aff *all = NULL;

        for (unsigned k = 0; k < nests->n; k++) {
            const struct pg_nest *nest = &nests->nest[k];
            isl_union_pw_aff *one =
                d < nest->n_share
                    ? isl_union_pw_aff_copy(nest->share[d].value)
                    : constant(isl_union_set_copy(nest->domain), 0);

            one = isl_union_pw_aff_intersect_domain(
                one, isl_union_set_copy(nest->domain));
            all = all ? isl_union_pw_aff_union_add(all, one) : one;
        }
        threads = isl_union_pw_aff_list_add(threads, all);
    }
    for (unsigned k = 0; k < nests->n; k++) {
        isl_union_pw_aff *one = isl_union_pw_aff_intersect_domain(
            isl_union_pw_aff_list_get_union_pw_aff(nests->nest[k].time,
                                                   (int)nests->planes),
            isl_union_set_copy(nests->nest[k].domain));

        plane = plane ? isl_union_pw_aff_union_add(plane, one) : one;
    }
    order = isl_union_map_eq_at_multi_union_pw_aff(
        order, isl_multi_union_pw_aff_from_union_pw_aff(plane));
    return isl_union_map_subtract(
        order, isl_union_map_eq_at_multi_union_pw_aff(isl_union_map_copy(order),
                                                      pg_tree_join(threads)));
}

/* Decide in front of which nests barriers are needed, for the dependences
 * "order" within a launch, all of which stay within one iteration of the loop
 * that goes to blocks; of tiles for those of all tiles, as if one thread had no
 * two values of a loop.  Where planes come one after the other each of their
 * iterations begins with a barrier.  False if barriers there do not separate
 * all threads that depend on each other.
 */
isl_bool pg_nests_separate(struct pg_nests *nests,
                           __isl_take isl_union_map *order)
{
    isl_multi_union_pw_aff *time = time_of(nests, true);
    isl_bool ok = isl_bool_true;

    // Sweeps of overlapping tiles use what neighbours computed.
    if (nests->folded)
        order = within_planes(nests, order);
    else if (!nests->shared)
        order = isl_union_map_subtract(order, in_thread(nests, order));
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
        for (unsigned i = 0; i < nests->nest[k].n_share; i++)
            isl_union_pw_aff_free(nests->nest[k].share[i].value);
    }
    free(nests->nest);
}
