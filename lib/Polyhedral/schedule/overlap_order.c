/* overlap_order.c - the order inside and around overlapping tiles.
 *
 * A block loads, runs sweeps step by step, and stores.  With planes that come
 * one after the other it does all this for each plane: iteration p of the loop
 * over them is about planes p - l, where l, which each sweep of each step has,
 * keeps all dependences (reach.c).
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "schedule/overlap_order.h"
#include "schedule/tree.h"
#include "support/text.h"

#include <isl/space.h>
#include <stdlib.h>

/* { S[i] -> [x] }: the element that an instance of statement number "s" is
 * about.
 */
static __isl_give isl_map *place_of(const struct pg_overlapping *m, unsigned s)
{
    const struct pg_role *role = &m->roles[s];
    isl_map *at;

    if (role->source < 0)
        return pg_overlap_iterators(m->made->stmts[s].domain,
                                    1 + m->tiles.n_dim, m->tiles.n_dim);
    at = isl_map_copy(m->reach.stmt[role->source].at);
    return isl_map_apply_range(pg_overlap_source(m, s),
                               isl_map_project_out(at, isl_dim_out, 0, 1));
}

/* { S[i] -> [t] }: the step of an instance of statement number "s". */
static __isl_give isl_map *step_of(const struct pg_overlapping *m, unsigned s)
{
    isl_map *at = isl_map_copy(m->reach.stmt[m->roles[s].source].at);

    at = isl_map_project_out(at, isl_dim_out, 1, m->tiles.n_dim);
    return isl_map_apply_range(pg_overlap_source(m, s), at);
}

/* { S[i] -> [x0 + l] }: when an instance of statement number "s" has its turn,
 * where planes come one after the other and it is l behind.
 */
static __isl_give isl_map *clock_of(const struct pg_overlapping *m, unsigned s)
{
    const struct pg_role *role = &m->roles[s];
    isl_map *plane = place_of(m, s), *value;
    long h = m->tiles.steps, behind = role->behind, each = 0;
    char *text;

    plane = isl_map_project_out(plane, isl_dim_out, 1, m->tiles.n_dim - 1);
    value = pg_overlap_iterators(m->made->stmts[s].domain, role->first, 1);
    if (role->source >= 0) {
        behind = m->reach.stmt[role->source].behind;
        each = m->reach.behind;
        value = isl_map_flat_range_product(step_of(m, s), value);
    } else {
        value = isl_map_flat_range_product(isl_map_copy(value), value);
    }
    text = pg_format("{ [t, u, x] -> [x + %ld + %ld * (t - %ld u - %ld)] }",
                     behind, each, 2 * h, h * role->part);
    value = isl_map_flat_range_product(value, plane);
    value =
        isl_map_apply_range(value, isl_map_read_from_str(m->scop->ctx, text));
    free(text);
    return value;
}

/* A sweep of statement number "s": its instances by their place in the tile, or
 * in a plane of it.
 */
static __isl_give isl_schedule *sweep(const struct pg_overlapping *m,
                                      unsigned s)
{
    const struct pg_stmt *stmt = &m->made->stmts[s];
    isl_map *place = pg_overlap_place(m, place_of(m, s), s);
    isl_multi_union_pw_aff *band;
    isl_pw_multi_aff *f;

    place = isl_map_project_out(place, isl_dim_out, 0,
                                1 + m->tiles.n_dim + m->tiles.stream);
    f = isl_pw_multi_aff_from_map(place);
    band = isl_multi_union_pw_aff_from_union_pw_multi_aff(
        isl_union_pw_multi_aff_from_pw_multi_aff(f));
    return isl_schedule_insert_partial_schedule(
        isl_schedule_from_domain(
            isl_union_set_from_set(isl_set_copy(stmt->domain))),
        band);
}

/* "first", then "second"; either may be NULL for nothing. */
__isl_give isl_schedule *pg_overlap_then(__isl_take isl_schedule *first,
                                         __isl_take isl_schedule *second)
{
    return !first    ? second
           : !second ? first
                     : isl_schedule_sequence(first, second);
}

/* The sweeps of statements "from" to "to" - 1, one after the other. */
__isl_give isl_schedule *pg_overlap_sweeps(const struct pg_overlapping *m,
                                           unsigned from, unsigned to)
{
    isl_schedule *all = NULL;

    for (unsigned s = from; s < to; s++)
        if (m->roles[s].part != PG_OUTSIDE)
            all = pg_overlap_then(all, sweep(m, s));
    return all;
}

/* "value", { S[i] -> [v] }, and those of "others". */
static __isl_give isl_union_pw_aff *
with_value(__isl_take isl_union_pw_aff *others, __isl_take isl_map *value)
{
    isl_pw_multi_aff *f = isl_pw_multi_aff_from_map(value);
    isl_pw_aff *one = isl_pw_multi_aff_get_pw_aff(f, 0);

    isl_pw_multi_aff_free(f);
    return others ? isl_union_pw_aff_add_pw_aff(others, one)
                  : isl_union_pw_aff_from_pw_aff(one);
}

/* The loop over the steps of a launch around "tree", the sweeps of statements
 * "from" to "to" - 1, which are the source's.
 */
__isl_give isl_schedule *pg_overlap_around_steps(const struct pg_overlapping *m,
                                                 __isl_take isl_schedule *tree,
                                                 unsigned from, unsigned to)
{
    isl_union_pw_aff *all = NULL;

    for (unsigned s = from; s < to; s++)
        if (m->roles[s].part != PG_OUTSIDE)
            all = with_value(all, step_of(m, s));
    return pg_tree_band(tree, isl_union_pw_aff_list_from_union_pw_aff(all),
                        false, NULL);
}

/* The loop over the planes of launches "part" around "tree". */
__isl_give isl_schedule *
pg_overlap_around_planes(const struct pg_overlapping *m,
                         __isl_take isl_schedule *tree, unsigned part)
{
    isl_union_pw_aff *all = NULL;

    for (unsigned s = 0; s < m->made->n_stmt; s++)
        if (m->roles[s].part == part)
            all = with_value(all, clock_of(m, s));
    return pg_tree_band(tree, isl_union_pw_aff_list_from_union_pw_aff(all),
                        false, NULL);
}

/* The loops over "n" iterators of launches and tiles from number "skip" on,
 * around "tree", which is launches "part", or PG_LAUNCHES: both.
 */
__isl_give isl_schedule *pg_overlap_around(const struct pg_overlapping *m,
                                           __isl_take isl_schedule *tree,
                                           unsigned part, unsigned skip,
                                           unsigned n)
{
    isl_union_pw_aff_list *list =
        isl_union_pw_aff_list_alloc(m->scop->ctx, (int)n);

    for (unsigned d = 0; d < n; d++) {
        isl_union_pw_aff *all = NULL;

        for (unsigned s = 0; s < m->made->n_stmt; s++)
            if (m->roles[s].part == part ||
                (part == PG_LAUNCHES && m->roles[s].part < PG_LAUNCHES))
                all = with_value(
                    all, pg_overlap_iterators(m->made->stmts[s].domain,
                                              m->roles[s].first + skip + d, 1));
        list = isl_union_pw_aff_list_add(list, all);
    }
    return pg_tree_band(tree, list, n > 1, NULL);
}

/* Is there one tile in dimension "d", whatever the parameters are? */
static bool is_one_tile(const struct pg_overlapping *m, unsigned d)
{
    isl_set *one = isl_set_copy(m->blocks);
    bool is;

    one = isl_set_project_out(one, isl_dim_set, d + 1, m->tiles.n_dim - d - 1);
    one = isl_set_project_out(one, isl_dim_set, 0, d);
    is = isl_set_is_singleton(one) == isl_bool_true;
    isl_set_free(one);
    return is;
}

/* The loops over the tiles of launches "part" around "tree": one that has a
 * single tile would be none whose iterations are parallel.
 */
__isl_give isl_schedule *pg_overlap_around_tiles(const struct pg_overlapping *m,
                                                 __isl_take isl_schedule *tree,
                                                 unsigned part)
{
    unsigned first = 0, n = m->tiles.n_dim;

    while (n > 0 && is_one_tile(m, n - 1))
        n--;
    while (first < n && is_one_tile(m, first))
        first++;
    return pg_overlap_around(m, tree, part, 1 + first, n - first);
}

/* The statements on that side of the time loop, in the order of their schedule,
 * or NULL if there are none.
 */
__isl_give isl_schedule *pg_overlap_beside(const struct pg_overlapping *m,
                                           enum pg_side side)
{
    isl_union_set *all =
        isl_union_set_empty(isl_set_get_space(m->scop->context));
    isl_schedule_node *root;
    isl_schedule *tree = NULL;

    for (unsigned s = 0; s < m->scop->n_stmt; s++)
        if (m->reach.stmt[s].side == side)
            all = isl_union_set_add_set(all,
                                        isl_set_copy(m->scop->stmts[s].domain));
    if (isl_union_set_is_empty(all) == isl_bool_false) {
        root = isl_schedule_get_root(m->scop->schedule);
        tree = pg_tree_subtree(root, isl_union_set_copy(all));
        isl_schedule_node_free(root);
    }
    isl_union_set_free(all);
    return tree;
}
