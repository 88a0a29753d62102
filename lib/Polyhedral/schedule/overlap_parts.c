/* overlap_parts.c - sets and places of overlapping tiles (overlap.c).
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "schedule/overlap_parts.h"
#include "support/text.h"

#include <isl/space.h>
#include <stdlib.h>

/* ---- Sets as text ---------------------------------------------------------
 */

/* Add "x0, x1", with names that begin with "name". */
static void add_list(struct pg_text *text, const char *name, unsigned n)
{
    for (unsigned d = 0; d < n; d++)
        pg_text_add(text, d ? ", %s%u" : "%s%u", name, d);
}

/* Add that place x is in the tile b, or in what a block computes of statement
 * "stmt" with "left" more steps to go, or in all that it has.
 */
static void add_place(struct pg_text *text, const struct pg_overlapping *m,
                      const struct pg_reach_stmt *stmt, const char *left,
                      bool border)
{
    for (unsigned d = 0; d < m->tiles.n_dim; d++) {
        long own = m->tiles.own[d];
        struct pg_sides more = {0, 0}, step = {0, 0};

        if (border)
            more = m->tiles.more[d];
        if (stmt) {
            more = stmt->more[d];
            step = m->reach.step[d];
        }
        pg_text_add(text, " and %ld b%u - %ld - %ld * (%s) <= x%u", own, d,
                    more.below, step.below, left, d);
        pg_text_add(text, " and x%u < %ld b%u + %ld + %ld + %ld * (%s)", d, own,
                    d, own, more.above, step.above, left);
    }
}

static __isl_give isl_map *read_map(const struct pg_overlapping *m,
                                    struct pg_text *text)
{
    char *string = pg_text_take(text);
    isl_map *map = isl_map_read_from_str(m->scop->ctx, string);

    free(string);
    return map;
}

/* { [t, x] -> [u, b] } for the instances of "stmt" that a block computes in
 * launch "part" of pair u.
 */
__isl_give isl_map *pg_overlap_in_launch(const struct pg_overlapping *m,
                                         const struct pg_reach_stmt *stmt,
                                         unsigned part)
{
    long h = m->tiles.steps;
    struct pg_text text = {0};
    char *left = pg_format("%ld u + %ld - t", 2 * h, h * part + h - 1);

    pg_text_add(&text, "{ [t, ");
    add_list(&text, "x", m->tiles.n_dim);
    pg_text_add(&text, "] -> [u, ");
    add_list(&text, "b", m->tiles.n_dim);
    pg_text_add(&text, "] : %ld u + %ld <= t < %ld u + %ld", 2 * h, h * part,
                2 * h, h * part + h);
    add_place(&text, m, stmt, left, false);
    pg_text_add(&text, " }");
    free(left);
    return read_map(m, &text);
}

/* { [x] -> [b] } for the elements that a block owns, or all that it has. */
__isl_give isl_map *pg_overlap_in_tile(const struct pg_overlapping *m,
                                       bool border)
{
    struct pg_text text = {0};

    pg_text_add(&text, "{ [");
    add_list(&text, "x", m->tiles.n_dim);
    pg_text_add(&text, "] -> [");
    add_list(&text, "b", m->tiles.n_dim);
    pg_text_add(&text, "] : true");
    add_place(&text, m, NULL, "0", border);
    pg_text_add(&text, " }");
    return read_map(m, &text);
}

/* { [u, b, x] -> [u, b, p] }: the place p of an element in what the block has.
 */
static __isl_give isl_map *in_box(const struct pg_overlapping *m)
{
    struct pg_text text = {0};

    pg_text_add(&text, "{ [u, ");
    add_list(&text, "b", m->tiles.n_dim);
    pg_text_add(&text, ", ");
    add_list(&text, "x", m->tiles.n_dim);
    pg_text_add(&text, "] -> [u, ");
    add_list(&text, "b", m->tiles.n_dim);
    for (unsigned d = 0; d < m->tiles.n_dim; d++)
        pg_text_add(&text, ", x%u - %ld b%u + %ld", d, m->tiles.own[d], d,
                    m->tiles.more[d].below);
    pg_text_add(&text, "] }");
    return read_map(m, &text);
}

/* The pairs u with a launch "part", or for which that is the last launch, under
 * the parameters' "last" step.
 */
__isl_give isl_set *pg_overlap_pairs(const struct pg_overlapping *m,
                                     unsigned part, bool last)
{
    long h = m->tiles.steps;
    isl_map *map;
    char *text = last
                     ? pg_format("{ [l] -> [u] : 0 <= u and %ld u + %ld <= l < "
                                 "%ld u + %ld }",
                                 2 * h, h * part, 2 * h, h * part + h)
                     : pg_format("{ [l] -> [u] : 0 <= u and %ld u + %ld <= l }",
                                 2 * h, h * part);

    map = isl_map_read_from_str(m->scop->ctx, text);
    free(text);
    return isl_set_apply(isl_set_from_pw_aff(isl_pw_aff_copy(m->reach.last)),
                         map);
}

/* The iterators from number "first" on, "n" of them, of a statement with
 * "domain": { S[i] -> [v] }.
 */
__isl_give isl_map *pg_overlap_iterators(__isl_keep isl_set *domain,
                                         unsigned first, unsigned n)
{
    isl_size all = isl_set_dim(domain, isl_dim_set);
    isl_multi_aff *ma =
        isl_space_identity_multi_aff_on_domain(isl_set_get_space(domain));

    ma = isl_multi_aff_drop_dims(ma, isl_dim_out, first + n,
                                 (unsigned)all - first - n);
    ma = isl_multi_aff_drop_dims(ma, isl_dim_out, 0, first);
    return isl_map_from_multi_aff(
        isl_multi_aff_reset_tuple_id(ma, isl_dim_out));
}

/* Where "element", { S[i] -> [x] }, is in the tile of statement number "s":
 * { S[i] -> [u, b, p] }.
 */
__isl_give isl_map *pg_overlap_place(const struct pg_overlapping *m,
                                     __isl_take isl_map *element, unsigned s)
{
    isl_map *tile = pg_overlap_iterators(m->made->stmts[s].domain,
                                         m->roles[s].first, 1 + m->tiles.n_dim);

    return isl_map_apply_range(isl_map_flat_range_product(tile, element),
                               in_box(m));
}

/* The instance of the source that one of statement "s" is, { S[i, u, b] ->
 * T[i] }.
 */
__isl_give isl_map *pg_overlap_source(const struct pg_overlapping *m,
                                      unsigned s)
{
    const struct pg_role *role = &m->roles[s];

    return isl_map_set_tuple_name(
        pg_overlap_iterators(m->made->stmts[s].domain, 0, role->first),
        isl_dim_out, m->scop->stmts[role->source].name);
}
