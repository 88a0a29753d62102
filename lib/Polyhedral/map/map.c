/* map.c - which parts of the schedule become kernels, and what stays on the
 * host.
 *
 * The tree is walked from the root.  The outermost band with a parallel
 * member becomes a kernel with all that is below; bands above it are loops of
 * the host.  A permutable band without a parallel member, and with nothing
 * parallel below, is skewed: the sum of its members is a loop of the host, and
 * the members but the first are parallel in each step of it (a wavefront).
 * What is sequential runs in kernels of one thread.  Loops of the host around
 * small kernels may become kernels of one block, as another way (chain.c).
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "map/chain.h"
#include "map/kernel.h"
#include "map/waves.h"
#include "polygpu/polyhedral.h"
#include "schedule/blocks.h"
#include "schedule/join.h"
#include "schedule/panels.h"
#include "schedule/tree.h"
#include "support/coalesce.h"
#include "support/phase.h"
#include "support/text.h"

#include <isl/val.h>
#include <stdlib.h>

/* What the walk carries with it. */
struct walk {
    struct pg_plan *plan;
    struct pg_phase *phase;
    const struct pg_options *options;
    bool chains;  /* may chains become kernels? */
    bool waves;   /* may tiles? */
    bool panels;  /* are steps in tiles by panels, or in blocks? */
    bool threads; /* is the plan for those of a CPU? */
};

static isl_stat walk(struct walk *w, __isl_keep isl_schedule_node *node,
                     const struct pg_prefix *prefix);

/* Stop where a band has a coincident member. */
static isl_bool go_below(__isl_keep isl_schedule_node *node, void *user)
{
    bool *found = user;
    isl_size n;

    if (isl_schedule_node_get_type(node) != isl_schedule_node_band)
        return isl_bool_true;
    n = isl_schedule_node_band_n_member(node);
    for (int i = 0; i < n; i++)
        *found |= isl_schedule_node_band_member_get_coincident(node, i) > 0;
    return isl_bool_ok(!*found);
}

/* Has the tree below and with "node" a parallel loop, no mere wavefront? */
static bool has_parallel_loop(__isl_keep isl_schedule_node *node)
{
    bool found = false;

    isl_schedule_node_foreach_descendant_top_down(node, &go_below, &found);
    return found;
}

/* Make a kernel of a band of "members" around "inner". */
static isl_stat make_kernel(struct walk *w,
                            __isl_take isl_union_pw_aff_list *members,
                            unsigned n_parallel, bool permutable,
                            __isl_keep isl_schedule_node *inner,
                            const struct pg_prefix *prefix)
{
    struct pg_body body = {members, n_parallel, permutable, inner,
                           isl_schedule_node_get_domain(inner)};
    isl_stat result =
        pg_kernel_create(w->plan, w->phase, w->options, prefix, &body);

    isl_union_pw_aff_list_free(body.members);
    isl_union_set_free(body.domain);
    return result;
}

/* Make a kernel of one thread of "node" and all below. */
static isl_stat sequential(struct walk *w, __isl_keep isl_schedule_node *node,
                           const struct pg_prefix *prefix)
{
    return make_kernel(w, isl_union_pw_aff_list_alloc(w->phase->ctx, 0), 0,
                       false, node, prefix);
}

/* Child "i" of "node", without its filter. */
static __isl_give isl_schedule_node *
child_of(__isl_keep isl_schedule_node *node, int i)
{
    isl_schedule_node *child = isl_schedule_node_get_child(node, i);

    if (isl_schedule_node_get_type(child) == isl_schedule_node_filter)
        child = isl_schedule_node_child(child, 0);
    return child;
}

/* Is nothing parallel in child "i" of "node"? */
static bool is_sequential(const struct walk *w,
                          __isl_keep isl_schedule_node *node, int i)
{
    isl_schedule_node *child = child_of(node, i);
    int parallel = pg_tree_parallel(child);
    bool only_waves = w->threads && !has_parallel_loop(child);

    isl_schedule_node_free(child);
    return parallel == 0 || only_waves;
}

/* Make a kernel of one thread of the children "from" to "to" - 1 of "node". */
static isl_stat sequential_children(struct walk *w,
                                    __isl_keep isl_schedule_node *node,
                                    int from, int to,
                                    const struct pg_prefix *prefix)
{
    struct pg_body body = {isl_union_pw_aff_list_alloc(w->phase->ctx, 0), 0,
                           false, node, NULL};
    isl_stat result;

    for (int i = from; i < to; i++) {
        isl_schedule_node *child = child_of(node, i);
        isl_union_set *part = isl_schedule_node_get_domain(child);

        body.domain =
            body.domain ? isl_union_set_union(body.domain, part) : part;
        isl_schedule_node_free(child);
    }
    result = pg_kernel_create(w->plan, w->phase, w->options, prefix, &body);
    isl_union_pw_aff_list_free(body.members);
    isl_union_set_free(body.domain);
    return result;
}

/* Walk "node" below the loops "members" of the host, from number "from" on. */
static isl_stat below_loops(struct walk *w,
                            __isl_keep isl_union_pw_aff_list *members, int from,
                            __isl_keep isl_schedule_node *node,
                            const struct pg_prefix *outer)
{
    struct pg_prefix prefix = {outer, NULL, 0};
    isl_stat result;

    if (from >= isl_union_pw_aff_list_n_union_pw_aff(members))
        return walk(w, node, outer);
    prefix.value = isl_union_pw_aff_list_get_union_pw_aff(members, from);
    if (!prefix.value)
        return isl_stat_error;
    result = below_loops(w, members, from + 1, node, &prefix);
    isl_union_pw_aff_free(prefix.value);
    return result;
}

/* Make a kernel of the parallel "members" below host loops for the first
 * "n_host" of them.
 */
static isl_stat
kernel_below(struct walk *w, __isl_take isl_union_pw_aff_list *members,
             unsigned n_host, unsigned n_parallel, bool permutable,
             __isl_keep isl_schedule_node *inner, const struct pg_prefix *outer)
{
    struct pg_prefix prefix = {outer, NULL, 0};
    isl_stat result;

    if (n_host == 0)
        return make_kernel(w, members, n_parallel, permutable, inner, outer);
    prefix.value = isl_union_pw_aff_list_get_union_pw_aff(members, 0);
    members = isl_union_pw_aff_list_drop(members, 0, 1);
    result = kernel_below(w, members, n_host - 1, n_parallel, permutable, inner,
                          &prefix);
    isl_union_pw_aff_free(prefix.value);
    return result;
}

/* A permutable band with a parallel member: the parallel members first. */
static isl_stat permutable_kernel(struct walk *w,
                                  __isl_keep isl_schedule_node *band,
                                  __isl_keep isl_schedule_node *inner,
                                  const struct pg_prefix *prefix)
{
    isl_union_pw_aff_list *members = pg_tree_members(band), *sorted;
    isl_size n = isl_union_pw_aff_list_n_union_pw_aff(members);
    unsigned n_parallel = 0;

    sorted = isl_union_pw_aff_list_alloc(w->phase->ctx, n < 0 ? 0 : n);
    for (int want = 1; want >= 0; want--)
        for (int i = 0; i < n; i++) {
            isl_bool is = isl_schedule_node_band_member_get_coincident(band, i);

            if (is < 0)
                sorted = isl_union_pw_aff_list_free(sorted);
            if (is != (want ? isl_bool_true : isl_bool_false))
                continue;
            n_parallel += (unsigned)want;
            sorted = isl_union_pw_aff_list_add(
                sorted, isl_union_pw_aff_list_get_union_pw_aff(members, i));
        }
    isl_union_pw_aff_list_free(members);
    return make_kernel(w, sorted, n_parallel, true, inner, prefix);
}

/* The first member of "band" from number "from" on that is as coincident as
 * "want" says, or their number if there is none; -1 on error.
 */
static int next_member(__isl_keep isl_schedule_node *band, int from,
                       isl_bool want)
{
    isl_size n = isl_schedule_node_band_n_member(band);

    if (n < 0 || from < 0)
        return -1;
    for (int i = from; i < n; i++) {
        isl_bool is = isl_schedule_node_band_member_get_coincident(band, i);

        if (is < 0 || is == want)
            return is < 0 ? -1 : i;
    }
    return n;
}

/* What part of the phase's operations waves get, of which there are loops of
 * the host as well; over the suite they take at most a third of it.
 */
enum { PART_FOR_WAVES = 8 };

/* Make a kernel of waves of tiles of "band", a loop of the host below "prefix",
 * if that is possible and fewer launches.  If operations run out, other loops
 * of the SCoP are not asked about.
 */
static bool tiles(struct walk *w, __isl_keep isl_schedule_node *band,
                  const struct pg_prefix *prefix)
{
    bool forced = w->options && w->options->time == PG_TIME_TILES;
    struct pg_prefix wave = {prefix, NULL, 0};
    struct pg_waves waves;
    bool made = false;

    if (!w->waves || pg_phase_erred(w->phase))
        return false;
    pg_phase_retry_part(w->phase, forced ? 2 : PART_FOR_WAVES);
    if (pg_waves_find(&waves, w->plan->scop, band, prefix, w->options->sizes,
                      w->plan->n_kernel, forced)) {
        isl_size n = isl_union_pw_aff_list_n_union_pw_aff(waves.numbers);
        struct pg_body body = {waves.numbers, (unsigned)n, false, band,
                               isl_schedule_node_get_domain(band)};

        wave.value = waves.wave;
        made = pg_kernel_tiles(w->plan, w->phase, w->options, &wave, &body,
                               &waves);
        isl_union_set_free(body.domain);
    }
    if (made && (!w->plan->tile_limit || waves.limit < w->plan->tile_limit))
        w->plan->tile_limit = waves.limit;
    pg_waves_clear(&waves);
    pg_phase_forget(w->phase);
    pg_phase_restart(w->phase);
    w->waves = !w->phase->quota;
    return made;
}

/* Walk a band for threads of a CPU.  In a wavefront neighbouring threads would
 * go to all rows of an array, so that it stays sequential.
 */
static isl_stat walk_band_for_threads(struct walk *w,
                                      __isl_keep isl_schedule_node *band,
                                      const struct pg_prefix *prefix)
{
    isl_bool permutable = isl_schedule_node_band_get_permutable(band);
    isl_size n = isl_schedule_node_band_n_member(band);
    isl_schedule_node *inner = isl_schedule_node_get_child(band, 0);
    int first = next_member(band, 0, isl_bool_true);
    isl_union_pw_aff_list *members;
    isl_stat result;

    if (n < 0 || permutable < 0 || first < 0) {
        result = isl_stat_error;
    } else if (first < n) {
        result = permutable
                     ? permutable_kernel(w, band, inner, prefix)
                     : kernel_below(w, pg_tree_members(band), (unsigned)first,
                                    1, false, inner, prefix);
    } else if (has_parallel_loop(inner)) {
        members = pg_tree_members(band);
        result = below_loops(w, members, 0, inner, prefix);
        isl_union_pw_aff_list_free(members);
    } else {
        result = sequential(w, band, prefix);
    }
    isl_schedule_node_free(inner);
    return result;
}

/* Walk a band. */
static isl_stat walk_band(struct walk *w, __isl_keep isl_schedule_node *band,
                          const struct pg_prefix *prefix)
{
    isl_bool permutable = isl_schedule_node_band_get_permutable(band);
    isl_size n = isl_schedule_node_band_n_member(band);
    isl_schedule_node *inner = isl_schedule_node_get_child(band, 0);
    int first, last, parallel = pg_tree_parallel(inner);
    isl_union_pw_aff_list *members;
    isl_stat result;

    if (w->threads) {
        isl_schedule_node_free(inner);
        return walk_band_for_threads(w, band, prefix);
    }
    first = next_member(band, 0, isl_bool_true);
    last = next_member(band, first, isl_bool_false);
    if (n < 0 || permutable < 0 || parallel < 0 || first < 0 || last < 0) {
        result = isl_stat_error;
    } else if (first < n && permutable) {
        result = permutable_kernel(w, band, inner, prefix);
    } else if (first > 0 && !pg_is_blocks(w->plan->scop, band) &&
               tiles(w, band, prefix)) {
        result = isl_stat_ok;
    } else if (first < n) {
        result = kernel_below(w, pg_tree_members(band), (unsigned)first,
                              (unsigned)(last - first), false, inner, prefix);
    } else if (parallel > 0) {
        members = pg_tree_members(band);
        result = below_loops(w, members, 0, inner, prefix);
        isl_union_pw_aff_list_free(members);
    } else {
        result = kernel_below(w, pg_tree_skewed(pg_tree_members(band)), 1,
                              (unsigned)(n - 1), false, inner, prefix);
    }
    isl_schedule_node_free(inner);
    return result;
}

/* May neighbours become one kernel? */
static bool may_join(const struct walk *w, __isl_keep isl_schedule_node *node)
{
    return isl_schedule_node_n_children(node) > 1 &&
           (!w->options || w->options->fusion == PG_FUSION_AUTO) &&
           !pg_phase_erred(w->phase);
}

/* Make one kernel of child "from" of "node" and of those behind it, before
 * "to", that can be joined with it; gives their end, "from" if there are none.
 */
static int join_children(struct walk *w, __isl_keep isl_schedule_node *node,
                         int from, int to, const struct pg_prefix *position,
                         isl_stat *result)
{
    isl_union_set *instances;
    isl_schedule_node *root, *band;
    isl_schedule *joined = NULL;
    int end;

    if (!may_join(w, node) || from + 1 >= to)
        return from;
    instances =
        pg_instances_in(isl_schedule_node_get_domain(node), position->outer);
    joined = pg_join_next(w->plan->scop, node, from, to, instances, &end);
    isl_union_set_free(instances);
    if (!joined)
        return from;
    root = isl_schedule_get_root(joined);
    band = isl_schedule_node_get_child(root, 0);
    *result = walk_band(w, band, position);
    isl_schedule_node_free(band);
    isl_schedule_node_free(root);
    isl_schedule_free(joined);
    return end;
}

static int combine_children(struct walk *w, __isl_keep isl_schedule_node *node,
                            int from, int to, const struct pg_prefix *prefix);

/* Walk the children "from" to "to" - 1 of "node". */
static isl_stat walk_children(struct walk *w,
                              __isl_keep isl_schedule_node *node, int from,
                              int to, const struct pg_prefix *prefix)
{
    isl_size n = isl_schedule_node_n_children(node);
    isl_stat result = isl_stat_ok;

    for (int i = from, next; result == isl_stat_ok && i < to; i = next) {
        struct pg_prefix position = {prefix, NULL, i};
        isl_schedule_node *child;

        next = i;
        while (n > 1 && next < to && is_sequential(w, node, next))
            next++;
        if (next > i) {
            result = sequential_children(w, node, i, next, &position);
            continue;
        }
        next = combine_children(w, node, i, to, &position);
        if (next > i)
            continue;
        next = join_children(w, node, i, to, &position, &result);
        if (next > i)
            continue;
        child = child_of(node, i);
        result = walk(w, child, n > 1 ? &position : prefix);
        isl_schedule_node_free(child);
        next = i + 1;
    }
    return result;
}

/* A part of the tree that may be a chain: the children "from" to "to" - 1 of
 * "node", or all of "node" if "to" is 0.
 */
struct part {
    isl_schedule_node *node;
    int from, to;
    const struct pg_prefix *prefix;
    struct pg_body body;
    bool pieces, slow;
    isl_set *fits;
};

/* Is what is at "prefix" in a loop of the host? */
static bool is_in_loop(const struct pg_prefix *prefix)
{
    for (; prefix; prefix = prefix->outer)
        if (prefix->value)
            return true;
    return false;
}

/* What a kernel of one block is to be made of: what is in the loop over tiles
 * by panels, or blocks, and has loops, always.
 */
static void take_part(const struct walk *w, struct part *p)
{
    isl_union_set *domain = NULL;
    isl_union_pw_aff *zero;

    for (int i = p->from; i < p->to; i++) {
        isl_schedule_node *child = child_of(p->node, i);
        isl_union_set *part = isl_schedule_node_get_domain(child);

        domain = domain ? isl_union_set_union(domain, part) : part;
        isl_schedule_node_free(child);
    }
    if (!p->to)
        domain = isl_schedule_node_get_domain(p->node);
    zero = isl_union_pw_aff_val_on_domain(
        isl_union_set_universe(isl_union_set_copy(domain)),
        isl_val_zero(w->phase->ctx));
    p->body = (struct pg_body){isl_union_pw_aff_list_from_union_pw_aff(zero), 1,
                               false, p->node, domain};
    p->pieces = isl_schedule_node_get_type(p->node) == isl_schedule_node_band;
    p->fits = pg_kernel_chain_fits(
        w->plan->scop, &p->body, p->pieces,
        (w->panels && is_in_loop(p->prefix)) ||
            (w->options && w->options->time == PG_TIME_CHAIN),
        &p->slow);
    // Loops of the host are possible if this is not.
    if (pg_phase_erred(w->phase) || !p->fits) {
        pg_phase_forget(w->phase);
        isl_set_free(p->fits);
        p->fits = isl_set_empty(isl_set_get_space(w->plan->scop->context));
    }
}

static void clear_part(struct part *p)
{
    isl_union_pw_aff_list_free(p->body.members);
    isl_union_set_free(p->body.domain);
    isl_set_free(p->fits);
}

/* Make a kernel of the part, if that is possible. */
static bool chain(struct walk *w, struct part *p)
{
    struct pg_prefix piece = {p->prefix, NULL, 0};
    bool made;

    if (!p->pieces)
        return pg_kernel_chain(w->plan, w->phase, w->options, p->prefix,
                               &p->body);
    piece.value = pg_chain_pieces(p->node, p->body.domain, p->slow);
    made = piece.value &&
           pg_kernel_chain(w->plan, w->phase, w->options, &piece, &p->body);
    isl_union_pw_aff_free(piece.value);
    return made;
}

/* Is all that child "i" of "node" does to combine partial results? */
static bool combines(const struct walk *w, __isl_keep isl_schedule_node *node,
                     int i)
{
    const struct pg_scop *scop = w->plan->scop;
    isl_schedule_node *child = child_of(node, i);
    isl_union_set *rest = isl_schedule_node_get_domain(child);
    isl_bool all;

    for (unsigned s = 0; s < scop->n_stmt; s++)
        if (scop->stmts[s].kind == PG_STMT_COMBINE)
            rest = isl_union_set_subtract(
                rest, isl_union_set_from_set(isl_set_universe(
                          isl_set_get_space(scop->stmts[s].domain))));
    all = isl_union_set_is_empty(rest);
    isl_union_set_free(rest);
    isl_schedule_node_free(child);
    return all == isl_bool_true;
}

/* If child "from" of "node" combines a few partial results, and one thread goes
 * on behind it, one block does both.  The end of what it does, "from" if that
 * is not possible.
 */
static int combine_children(struct walk *w, __isl_keep isl_schedule_node *node,
                            int from, int to, const struct pg_prefix *prefix)
{
    struct part p = {node, from, from + 1, prefix, {0}, false, false, NULL};
    int end = from;

    while (p.to < to && is_sequential(w, node, p.to))
        p.to++;
    if (!w->chains || p.to == from + 1 || pg_phase_erred(w->phase) ||
        !combines(w, node, from))
        return from;
    take_part(w, &p);
    if (isl_set_is_subset(w->plan->scop->context, p.fits) == isl_bool_true &&
        chain(w, &p)) {
        w->plan->kernels[w->plan->n_kernel - 1].combines = true;
        end = p.to;
    }
    clear_part(&p);
    return end;
}

static isl_stat walk_part(struct walk *w, const struct part *p)
{
    return p->to ? walk_children(w, p->node, p->from, p->to, p->prefix->outer)
                 : walk_band(w, p->node, p->prefix);
}

/* The kernels from number "first" to "end" - 1 are one way, the last kernel is
 * the other one for them.
 */
static void other_way(struct pg_plan *plan, unsigned first, unsigned end,
                      __isl_keep isl_set *fits)
{
    for (unsigned k = first; k < end; k++)
        plan->kernels[k].way = PG_WAY_LOOPS;
    plan->kernels[end].way = PG_WAY_CHAINS;
    fits = isl_set_copy(fits);
    if (plan->chained_if)
        fits = isl_set_intersect(plan->chained_if, fits);
    plan->chained_if = fits;
}

/* Walk the part; where a kernel of one block is faster for some parameters,
 * that is another way, and where it is for all, the only one.
 */
static isl_stat walk_chain(struct walk *w, struct part *p)
{
    unsigned first = w->plan->n_kernel, end;
    isl_bool never, always;
    isl_stat result;

    if (pg_phase_erred(w->phase))
        return isl_stat_error;
    take_part(w, p);
    never = isl_set_is_empty(p->fits);
    always = isl_set_is_subset(w->plan->scop->context, p->fits);
    if (always == isl_bool_true && chain(w, p))
        return isl_stat_ok;
    if (never || always)
        return never < 0 || always < 0 ? isl_stat_error : walk_part(w, p);
    w->chains = false;
    result = walk_part(w, p);
    w->chains = true;
    end = w->plan->n_kernel;
    if (pg_phase_erred(w->phase))
        return isl_stat_error;
    if (result == isl_stat_ok && chain(w, p))
        other_way(w->plan, first, end, p->fits);
    return result;
}

/* Are there parameters for which child "i" of "node" is faster as a part of a
 * chain?
 */
static bool may_chain(struct walk *w, __isl_keep isl_schedule_node *node, int i,
                      const struct pg_prefix *prefix, bool *loops)
{
    struct part p = {node, i, i + 1, prefix, {0}, false, false, NULL};
    isl_schedule_node *child = child_of(node, i);
    bool fits = !pg_is_blocks(w->plan->scop, child);

    *loops = pg_chain_has_loops(child);
    isl_schedule_node_free(child);
    // What fails here is forgotten.
    if (!fits || pg_phase_erred(w->phase) ||
        (w->panels && is_in_loop(prefix) && !*loops))
        return false;
    take_part(w, &p);
    fits = isl_set_is_empty(p.fits) == isl_bool_false;
    clear_part(&p);
    return fits;
}

/* The end of the children of "node" from "from" on that may be a chain
 * together; "any": some have loops, which a chain is for.
 */
static int end_of_chain(struct walk *w, __isl_keep isl_schedule_node *node,
                        int from, const struct pg_prefix *prefix, bool *any)
{
    isl_size n = isl_schedule_node_n_children(node);
    bool loops = false;
    int end = from;

    *any = false;
    while (end < n && may_chain(w, node, end, prefix, &loops)) {
        *any |= loops;
        end++;
    }
    return end;
}

/* Walk the children of "node", of which some may be chains. */
static isl_stat walk_sequence(struct walk *w,
                              __isl_keep isl_schedule_node *node,
                              const struct pg_prefix *prefix)
{
    isl_size n = isl_schedule_node_n_children(node);
    isl_stat result = isl_stat_ok;
    int done = 0, end;
    bool any;

    for (int i = 0; result == isl_stat_ok && i < n; i = end) {
        struct pg_prefix position = {prefix, NULL, i};
        struct part p = {node, i, 0, &position, {0}, false, false, NULL};

        p.to = end = end_of_chain(w, node, i, prefix, &any);
        if (!any) {
            end++;
            continue;
        }
        result = walk_children(w, node, done, i, prefix);
        if (result == isl_stat_ok)
            result = walk_chain(w, &p);
        clear_part(&p);
        done = end;
    }
    return result == isl_stat_ok ? walk_children(w, node, done, n, prefix)
                                 : result;
}

/* May "node", to which "prefix" leads, be in a kernel of one block?  Not the
 * loop over tiles by panels, or over blocks.
 */
static bool may_be_in_chain(const struct walk *w,
                            __isl_keep isl_schedule_node *node,
                            const struct pg_prefix *prefix)
{
    if (w->plan->scop->blocks)
        return !pg_is_blocks(w->plan->scop, node);
    return prefix || !w->panels;
}

/* Walk "node", to which "prefix" leads: kernels for all below. */
static isl_stat walk(struct walk *w, __isl_keep isl_schedule_node *node,
                     const struct pg_prefix *prefix)
{
    enum isl_schedule_node_type type = isl_schedule_node_get_type(node);
    isl_size n = isl_schedule_node_n_children(node);
    int parallel = pg_tree_parallel(node);

    if (type == isl_schedule_node_error || n < 0 || parallel < 0)
        return isl_stat_error;
    if (parallel == 0 || (w->threads && !has_parallel_loop(node)))
        return sequential(w, node, prefix);
    if (w->chains && may_be_in_chain(w, node, prefix) &&
        pg_chain_has_loops(node)) {
        if (type == isl_schedule_node_band) {
            struct part p = {node, 0, 0, prefix, {0}, false, false, NULL};
            isl_stat result = walk_chain(w, &p);

            clear_part(&p);
            return result;
        }
        if (n > 1)
            return walk_sequence(w, node, prefix);
    }
    if (type == isl_schedule_node_band)
        return walk_band(w, node, prefix);
    return walk_children(w, node, 0, n, prefix);
}

/* The kernels of one way of the host, { kernel0[h] -> [v] }. */
static __isl_give isl_union_map *schedule_of(const struct pg_plan *plan,
                                             enum pg_way way)
{
    isl_space *space = isl_set_get_space(plan->scop->context);
    isl_union_map *all = isl_union_map_empty(space);
    isl_size longest = 0;

    for (unsigned k = 0; k < plan->n_kernel; k++) {
        isl_size n = isl_map_dim(plan->kernels[k].when, isl_dim_out);

        longest = n > longest ? n : longest;
    }
    for (unsigned k = 0; k < plan->n_kernel; k++) {
        const struct pg_kernel *kernel = &plan->kernels[k];
        isl_size n = isl_map_dim(kernel->when, isl_dim_out);
        isl_map *map;

        if (kernel->way != PG_WAY_BOTH && kernel->way != way)
            continue;
        map = isl_map_add_dims(isl_map_copy(kernel->when), isl_dim_out,
                               (unsigned)(longest - n));
        for (isl_size i = n; n >= 0 && i < longest; i++)
            map = isl_map_fix_si(map, isl_dim_out, (unsigned)i, 0);
        all = isl_union_map_add_map(all, map);
    }
    return all;
}

/* Put all kernels into schedules of the host. */
static isl_stat host_schedules(struct pg_plan *plan)
{
    plan->host_schedule = schedule_of(plan, PG_WAY_LOOPS);
    if (plan->chained_if) {
        plan->chained_schedule = schedule_of(plan, PG_WAY_CHAINS);
        // It is asked where the context holds, which has large numbers.
        plan->chained_if = pg_coalesce(
            isl_set_gist(plan->chained_if, isl_set_copy(plan->scop->context)));
    }
    return plan->host_schedule && (!plan->chained_if || plan->chained_schedule)
               ? isl_stat_ok
               : isl_stat_error;
}

/* Parameters must not have the names that kernels give to theirs. */
static bool names_are_free(const struct pg_scop *scop, struct pg_phase *phase)
{
    for (unsigned i = 0; i < scop->n_param; i++) {
        const char *name = scop->params[i].name;
        char *end;

        if (name[0] != 'b' && name[0] != 't' && name[0] != 'h')
            continue;
        (void)strtoul(name + 1, &end, 10);
        if (name[1] < '0' || name[1] > '9' || *end)
            continue;
        pg_phase_fail(phase, PG_UNSUPPORTED, NULL,
                      "the parameter name '%s' is reserved; rename it", name);
        return false;
    }
    return true;
}

/* Decide kernels, tiles, blocks and threads.  Returns NULL and a reason when
 * nothing is to be offloaded.
 */
struct pg_plan *pg_map(struct pg_scop *scop, const struct pg_options *options,
                       struct pg_report *report)
{
    struct pg_plan *plan;
    struct pg_phase phase;
    isl_schedule_node *root = NULL;
    isl_stat result = isl_stat_error;
    int parallel;

    pg_phase_begin(&phase, scop->ctx, "mapping", options, report);
    plan = pg_alloc(1, sizeof(*plan));
    plan->scop = scop;
    if (!scop->schedule)
        pg_phase_fail(&phase, PG_SCHEDULE, NULL,
                      "mapping needs the schedule first; please report this "
                      "with the source");
    else
        root = isl_schedule_get_root(scop->schedule);
    parallel = root ? pg_tree_parallel(root) : -1;
    if (parallel > 0 && options && options->threads && !has_parallel_loop(root))
        parallel = 0;
    if (parallel == 0)
        pg_phase_fail(&phase, PG_NO_PARALLELISM, NULL, PG_NOTHING_PARALLEL);
    if (parallel > 0 && names_are_free(scop, &phase)) {
        enum pg_time time = options ? options->time : PG_TIME_OFF;
        bool panels = pg_scop_has_panels(scop);
        bool plain = !scop->instead;
        bool threads = options && options->threads;
        struct walk w = {plan,
                         &phase,
                         options,
                         panels || (plain && (time == PG_TIME_AUTO ||
                                              time == PG_TIME_CHAIN)),
                         (plain || scop->blocks) &&
                             (time == PG_TIME_AUTO || time == PG_TIME_TILES),
                         panels,
                         threads};

        result = walk(&w, root, NULL);
        if (result == isl_stat_ok)
            result = host_schedules(plan);
    }
    isl_schedule_node_free(root);
    if (pg_phase_end(&phase, result) == isl_stat_ok)
        return plan;
    pg_plan_free(plan);
    return NULL;
}
