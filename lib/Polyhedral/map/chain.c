/* chain.c - chains of launches as one kernel of one block.
 *
 * A loop that carries a dependence is a loop of the host around launches, 3.3
 * us each.  One block runs the same nests one after the other with barriers
 * (0.04 us) between them, which is faster where a nest is small: a few passes
 * of 1024 threads, 0.6 us each.  Where nests have no more than one parallel
 * loop of unknown length, that is a condition on the parameters.  With two,
 * sizes for which a block suffices are too small for a GPU anyway.  Loops of
 * unknown length that a thread runs for itself take their time in either way,
 * but with several passes they would take it several times.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "map/chain.h"
#include "map/instances.h"
#include "polygpu/polyhedral.h"
#include "schedule/tree.h"
#include "support/coalesce.h"
#include "support/text.h"

#include <isl/val.h>
#include <stdlib.h>

enum {
    PASSES = 4,
    WIDE = PASSES * PG_CHAIN_THREADS, /* instances of a nest */
    STEPS = 65536, /* of a launch: 0.2 s if each takes as long as a launch */
    SLOW = 4096,   /* iterations of a thread's own loop, and steps then */
    SHORT = 64     /* of each loop if there are several */
};

/* The loops "list" of a nest, inside of "outer". */
struct loops {
    isl_union_set *domain;
    isl_union_pw_aff_list *outer, *list;
    unsigned n_unknown; /* of unknown length */
    long long known;    /* iterations of the others together */
};

/* How the values of loop number "i" differ. */
static __isl_give isl_set *differences_of(const struct loops *loops, int i)
{
    isl_union_pw_aff_list *outer =
        isl_union_pw_aff_list_concat(isl_union_pw_aff_list_copy(loops->outer),
                                     pg_tree_some(loops->list, 0, (unsigned)i));

    return pg_differences(loops->domain, outer,
                          pg_tree_some(loops->list, (unsigned)i, 1));
}

/* How long the loops are, as far as that is known. */
static void measure(struct loops *loops)
{
    isl_size n = isl_union_pw_aff_list_n_union_pw_aff(loops->list);

    loops->known = 1;
    loops->n_unknown = 0;
    for (int i = 0; i < n; i++) {
        isl_set *all = differences_of(loops, i);
        long long length = pg_length(all);

        if (length == PG_UNKNOWN)
            loops->n_unknown++;
        else if (length > 0 && loops->known < SLOW * (long long)SLOW)
            loops->known *= length;
        isl_set_free(all);
    }
}

/* Those parameters of "fits" for which the loops of unknown length have at most
 * "limit" iterations each.
 */
static __isl_give isl_set *bound(__isl_take isl_set *fits,
                                 const struct loops *loops, long long limit)
{
    isl_size n = isl_union_pw_aff_list_n_union_pw_aff(loops->list);
    isl_ctx *ctx = isl_set_get_ctx(fits);

    for (int i = 0; i < n; i++) {
        isl_set *all = differences_of(loops, i);

        if (pg_length(all) == PG_UNKNOWN) {
            all = isl_set_lower_bound_val(
                all, isl_dim_set, 0, isl_val_int_from_si(ctx, (long)limit));
            fits = isl_set_subtract(fits, isl_set_params(all));
        } else {
            isl_set_free(all);
        }
    }
    return fits;
}

/* Nothing of "set". */
static __isl_give isl_set *none_of(__isl_take isl_set *set)
{
    isl_space *space = isl_set_get_space(set);

    isl_set_free(set);
    return isl_set_empty(space);
}

/* Those of "fits" for which "nest" is small enough, and not repeated too often
 * in a launch; with "pieces" in one iteration of the loop outside of all.
 */
static __isl_give isl_set *nest_fits(__isl_take isl_set *fits,
                                     const struct pg_nest *nest, bool pieces)
{
    isl_union_pw_aff_list *in =
        isl_union_pw_aff_list_concat(isl_union_pw_aff_list_copy(nest->time),
                                     isl_union_pw_aff_list_copy(nest->wide));
    isl_size depth = isl_union_pw_aff_list_n_union_pw_aff(nest->time);
    unsigned cut = pieces && depth > 0;
    isl_union_pw_aff_list *outer = pg_tree_some(nest->time, 0, cut);
    isl_union_pw_aff_list *inner =
        pg_tree_some(nest->time, cut, depth < 0 ? 0 : (unsigned)depth - cut);
    struct loops time = {nest->domain, outer, inner, 0, 1};
    struct loops wide = {nest->domain, nest->time, nest->wide, 0, 1};
    struct loops slow = {nest->domain, in, nest->slow, 0, 1};
    long long steps, each;

    measure(&time);
    measure(&wide);
    measure(&slow);
    steps = slow.n_unknown ? SLOW : STEPS;
    each = wide.known * (wide.known > 1 || wide.n_unknown ? slow.known : 1);
    if (wide.n_unknown > 1 || each > WIDE || slow.known > SLOW ||
        (slow.n_unknown && (wide.n_unknown || wide.known > 1)) ||
        time.known > (pieces || time.n_unknown ? SHORT : steps)) {
        fits = none_of(fits);
    } else {
        fits = bound(fits, &time, pieces || time.n_unknown > 1 ? SHORT : steps);
        fits = bound(fits, &wide, WIDE / each);
        fits = bound(fits, &slow, slow.n_unknown > 1 ? SHORT : SLOW);
    }
    isl_union_pw_aff_list_free(in);
    isl_union_pw_aff_list_free(outer);
    isl_union_pw_aff_list_free(inner);
    return fits;
}

__isl_give isl_set *pg_chain_fits(const struct pg_nests *nests,
                                  __isl_take isl_set *context, bool pieces)
{
    isl_bool empty = isl_bool_false;

    for (unsigned k = 0; empty == isl_bool_false && k < nests->n; k++) {
        isl_bool none = isl_union_set_is_empty(nests->nest[k].domain);

        if (none != isl_bool_false) {
            empty = none < 0 ? none : empty;
            continue;
        }
        context = pg_coalesce(nest_fits(context, &nests->nest[k], pieces));
        empty = isl_set_is_empty(context);
    }
    return empty < 0 ? isl_set_free(context) : context;
}

/* Does an iteration of the loop outside of all have several steps of "nest", or
 * a thread's loop of unknown length?
 */
static bool is_slow(const struct pg_nest *nest)
{
    isl_size depth = isl_union_pw_aff_list_n_union_pw_aff(nest->time);
    unsigned cut = depth > 0;
    struct loops slow = {nest->domain, nest->time, nest->slow, 0, 1};
    struct loops time = {
        nest->domain, pg_tree_some(nest->time, 0, cut),
        pg_tree_some(nest->time, cut, depth < 0 ? 0 : (unsigned)depth - cut), 0,
        1};

    if (isl_union_set_is_empty(nest->domain) == isl_bool_false) {
        measure(&slow);
        measure(&time);
    }
    isl_union_pw_aff_list_free(time.outer);
    isl_union_pw_aff_list_free(time.list);
    return slow.n_unknown || time.n_unknown || time.known > 1;
}

bool pg_chain_is_slow(const struct pg_nests *nests)
{
    bool any = false;

    for (unsigned k = 0; k < nests->n; k++)
        any |= is_slow(&nests->nest[k]);
    return any;
}

__isl_give isl_union_set *pg_chain_steps(const struct pg_nests *nests,
                                         __isl_keep isl_union_set *domain)
{
    isl_union_set *all = isl_union_set_empty(isl_union_set_get_space(domain));

    for (unsigned k = 0; k < nests->n; k++) {
        const struct pg_nest *nest = &nests->nest[k];
        isl_union_map *map = isl_union_map_from_multi_union_pw_aff(
            pg_tree_join(isl_union_pw_aff_list_copy(nest->time)));
        char *name = pg_format("nest%u", k);
        isl_set *steps;

        map = isl_union_map_intersect_domain(map,
                                             isl_union_set_copy(nest->domain));
        map = isl_union_map_intersect_domain(map, isl_union_set_copy(domain));
        if (isl_union_map_is_empty(map) == isl_bool_false) {
            steps = isl_set_from_union_set(isl_union_map_range(map));
            steps = isl_set_set_tuple_name(steps, name);
            all = isl_union_set_add_set(all, steps);
        } else {
            isl_union_map_free(map);
        }
        free(name);
    }
    return all;
}

__isl_give isl_union_set *pg_chain_alone(const struct pg_nests *nests,
                                         __isl_keep isl_union_set *domain)
{
    isl_union_set *all = isl_union_set_empty(isl_union_set_get_space(domain));

    for (unsigned k = 0; k < nests->n; k++)
        if (isl_union_pw_aff_list_n_union_pw_aff(nests->nest[k].wide) == 0)
            all = isl_union_set_union(
                all, isl_union_set_copy(nests->nest[k].domain));
    return isl_union_set_intersect(all, isl_union_set_copy(domain));
}

__isl_give isl_union_pw_aff *pg_chain_pieces(__isl_keep isl_schedule_node *band,
                                             __isl_keep isl_union_set *domain,
                                             bool slow)
{
    isl_ctx *ctx = isl_schedule_node_get_ctx(band);
    isl_union_pw_aff *first = pg_shift(domain, pg_tree_outer_loop(band));

    first = isl_union_pw_aff_scale_down_val(
        first, isl_val_int_from_si(ctx, slow ? SLOW : STEPS));
    return isl_union_pw_aff_floor(first);
}

/* The number of leading members of "band" that are not coincident. */
static int leading(__isl_keep isl_schedule_node *band)
{
    isl_size n = isl_schedule_node_band_n_member(band);
    int i = 0;

    while (i < n && isl_schedule_node_band_member_get_coincident(band, i) <= 0)
        i++;
    return i;
}

bool pg_chain_has_loops(__isl_keep isl_schedule_node *node)
{
    isl_size n = isl_schedule_node_n_children(node);
    bool any = false;

    if (pg_tree_parallel(node) <= 0)
        return false;
    if (isl_schedule_node_get_type(node) == isl_schedule_node_band) {
        int first = leading(node);

        return first > 0 && (first == isl_schedule_node_band_n_member(node) ||
                             isl_schedule_node_band_get_permutable(node) <= 0);
    }
    for (int i = 0; !any && i < n; i++) {
        isl_schedule_node *child = isl_schedule_node_get_child(node, i);

        any = pg_chain_has_loops(child);
        isl_schedule_node_free(child);
    }
    return any;
}
