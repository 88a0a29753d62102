/* layout.c - arrays in the order in which the threads of wavefronts use them.
 *
 * Points of one step of a wavefront are in different rows and columns: threads
 * that are neighbours access A[i][j], A[i + 1][j - 1], and so on, each of which
 * is a sector of memory of its own, for four bytes of 32.  Where all that
 * statements inside of such loops access of an array with two dimensions lies
 * in one direction so, the SCoP works on a temporary whose rows are the lines
 * in that direction, T[i + j][j], and neighbours access neighbouring elements.
 * Everything is copied there first, and what the SCoP writes is copied back.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "schedule/layout.h"
#include "schedule/expand.h"
#include "schedule/tree.h"
#include "scop/scop.h"
#include "support/coalesce.h"
#include "support/text.h"

#include <isl/ilp.h>
#include <isl/space.h>
#include <isl/val.h>
#include <stdlib.h>

enum {
    N_DIM = 2,
    MAX_STEP = 2, /* from row to row, or column to column */
    MAX_SHIFT = 1024
};

/* A direction in an array: from the element of a thread to its neighbour's. */
struct direction {
    long d[N_DIM];
};

/* ---- Neighbouring threads ----------------------------------------------- */

/* The loops around a statement, and of which of them neighbouring threads may
 * have the next iteration: "n" from number "first" on; and that of which they
 * have the one before then, or -1.
 */
struct neighbours {
    const struct pg_scop *scop;
    isl_union_pw_aff_list *loops; /* { S[i] -> [v] } */
    int first, n, down;
};

/* Note the neighbours in "band", inside of "n" loops: of its parallel loops, or
 * in a wavefront of those in front of the last, which a tile goes through in
 * steps.  False: there may be some further in.
 */
static bool look_at_band(struct neighbours *nb,
                         __isl_keep isl_schedule_node *band, int n)
{
    isl_size own = isl_schedule_node_band_n_member(band);

    if (pg_tree_is_wave(band)) {
        *nb = (struct neighbours){nb->scop, nb->loops, n, own - 1, n + own - 1};
        return true;
    }
    for (int i = 0; i < own; i++) {
        if (isl_schedule_node_band_member_get_coincident(band, i) <= 0)
            continue;
        nb->first = nb->n ? nb->first : n + i;
        nb->n = n + i + 1 - nb->first;
    }
    return nb->n > 0;
}

/* Find the loops around "stmt", and neighbours in them; false if there are
 * none, or no loop of the host around them.
 */
static bool find_neighbours(struct neighbours *nb, const struct pg_stmt *stmt)
{
    isl_union_set *all = isl_union_set_from_set(
        isl_set_universe(isl_set_get_space(stmt->domain)));
    isl_schedule_node *node = isl_schedule_get_root(nb->scop->schedule);
    bool done = false;

    nb->down = -1;
    nb->loops = isl_union_pw_aff_list_alloc(nb->scop->ctx, 0);
    while (node) {
        isl_schedule_node *child;

        if (isl_schedule_node_get_type(node) == isl_schedule_node_band) {
            isl_size n = isl_union_pw_aff_list_n_union_pw_aff(nb->loops);

            done = done || look_at_band(nb, node, n);
            nb->loops =
                isl_union_pw_aff_list_concat(nb->loops, pg_tree_members(node));
        }
        child = pg_tree_child_with(node, all);
        isl_schedule_node_free(node);
        node = child;
    }
    isl_union_set_free(all);
    return nb->n > 0 && (nb->down >= 0 || nb->first > 0);
}

/* "list" with "step" added to loop number "i". */
static __isl_give isl_union_pw_aff_list *
moved(__isl_take isl_union_pw_aff_list *list, int i, long step)
{
    isl_union_pw_aff *loop, *by;

    if (i < 0)
        return list;
    loop = isl_union_pw_aff_list_get_union_pw_aff(list, i);
    by = isl_union_pw_aff_val_on_domain(
        isl_union_pw_aff_domain(isl_union_pw_aff_copy(loop)),
        isl_val_int_from_si(isl_union_pw_aff_get_ctx(loop), step));
    return isl_union_pw_aff_list_set_union_pw_aff(
        list, i, isl_union_pw_aff_add(loop, by));
}

/* The loops' values { S[i] -> [v] } at "stmt". */
static __isl_give isl_map *values_at(const struct pg_stmt *stmt,
                                     __isl_take isl_union_pw_aff_list *loops)
{
    isl_union_map *all =
        isl_union_map_from_multi_union_pw_aff(pg_tree_join(loops));

    return isl_map_from_union_map(isl_union_map_intersect_domain(
        all, isl_union_set_from_set(isl_set_copy(stmt->domain))));
}

/* { S[i] -> S[j] } for an instance and that with the next iteration of loop
 * number "up".
 */
static __isl_give isl_map *to_neighbour(const struct neighbours *nb, int up,
                                        const struct pg_stmt *stmt)
{
    isl_union_pw_aff_list *next = isl_union_pw_aff_list_copy(nb->loops);
    isl_map *here, *there;

    next = moved(moved(next, up, 1), nb->down, -1);
    here = values_at(stmt, next);
    there = values_at(stmt, isl_union_pw_aff_list_copy(nb->loops));
    return isl_map_apply_range(here, isl_map_reverse(there));
}

/* The distance in dimension "d" of "deltas" if it is always the same small one.
 */
static bool only_step(__isl_keep isl_set *deltas, unsigned d, long *step)
{
    isl_val *least = isl_set_dim_min_val(isl_set_copy(deltas), (int)d);
    isl_val *most = isl_set_dim_max_val(isl_set_copy(deltas), (int)d);
    bool same = isl_val_is_int(least) == isl_bool_true &&
                isl_val_eq(least, most) == isl_bool_true &&
                isl_val_cmp_si(least, MAX_STEP) <= 0 &&
                isl_val_cmp_si(least, -MAX_STEP) >= 0;

    *step = same ? isl_val_get_num_si(least) : 0;
    isl_val_free(least);
    isl_val_free(most);
    return same;
}

/* How far the elements of neighbours are apart, for "relation", { S[i] -> A[x]
 * }; false if that is not always the same.
 */
static bool find_direction(__isl_keep isl_map *next,
                           __isl_keep isl_map *relation, struct direction *dir)
{
    isl_map *pairs =
        isl_map_apply_domain(isl_map_copy(next), isl_map_copy(relation));
    isl_set *deltas;
    bool same = true;

    pairs = isl_map_apply_range(pairs, isl_map_copy(relation));
    deltas = isl_map_deltas(pairs);
    deltas = isl_set_project_out(deltas, isl_dim_param, 0,
                                 (unsigned)isl_set_dim(deltas, isl_dim_param));
    for (unsigned d = 0; same && d < N_DIM; d++)
        same = only_step(deltas, d, &dir->d[d]);
    isl_set_free(deltas);
    return same;
}

/* ---- Arrays ------------------------------------------------------------- */

static bool is_zero(const struct direction *dir)
{
    return !dir->d[0] && !dir->d[1];
}

/* Take "dir" for "all", unless that is another one already. */
static bool agrees(struct direction *all, const struct direction *dir)
{
    if (is_zero(all))
        *all = *dir;
    return all->d[0] * dir->d[1] == all->d[1] * dir->d[0];
}

/* The direction in which "next" takes all that "stmt" accesses of array "a";
 * false if there are several.
 */
static bool find_common(const struct pg_stmt *stmt, unsigned a,
                        __isl_keep isl_map *next, struct direction *common)
{
    bool ok = true;

    *common = (struct direction){{0, 0}};
    for (unsigned j = 0; ok && j < stmt->n_access; j++) {
        struct direction dir;

        if (stmt->accesses[j].array == a)
            ok = find_direction(next, stmt->accesses[j].relation, &dir) &&
                 agrees(common, &dir);
    }
    return ok;
}

/* Does what "stmt" accesses of array "a" lie in direction "all", or in one that
 * becomes it?  Not where some neighbours access neighbours in a row.
 */
static bool stmt_agrees(const struct pg_scop *scop, const struct pg_stmt *stmt,
                        unsigned a, struct direction *all)
{
    struct neighbours nb = {.scop = scop};
    bool suits = !find_neighbours(&nb, stmt), found = false;

    for (int i = 0; !suits && i < nb.n; i++) {
        isl_map *next = to_neighbour(&nb, nb.first + i, stmt);
        struct direction dir;

        if (find_common(stmt, a, next, &dir)) {
            suits = !dir.d[0] && labs(dir.d[1]) <= 1;
            found = found || (dir.d[0] && dir.d[1] && agrees(all, &dir));
        }
        isl_map_free(next);
    }
    isl_union_pw_aff_list_free(nb.loops);
    return found && !suits;
}

/* How many accesses "stmt" has of array "a", all of which surely happen where
 * the statement does; -1 if some do not.
 */
static int accesses_of(const struct pg_stmt *stmt, unsigned a)
{
    int n = 0;

    for (unsigned j = 0; j < stmt->n_access; j++) {
        const struct pg_access *access = &stmt->accesses[j];

        if (access->array != a)
            continue;
        if (access->guarded || (access->write && !access->must))
            return -1;
        n++;
    }
    return n;
}

/* Has array "a" a direction, from row to row, in all statements that are inside
 * of more loops than it has dimensions?  The others take no time.
 */
static bool has_direction(const struct pg_scop *scop, unsigned a,
                          struct direction *all)
{
    const struct pg_array *array = &scop->arrays[a];

    *all = (struct direction){{0, 0}};
    if (array->kind != PG_ARRAY_MEMORY || array->n_dim != N_DIM ||
        array->flagged || array->probed || array->indirect || array->updated)
        return false;
    for (unsigned s = 0; s < scop->n_stmt; s++) {
        const struct pg_stmt *stmt = &scop->stmts[s];
        int n = accesses_of(stmt, a);

        if (n < 0 || (n && (stmt->kind || stmt->n_tile)))
            return false;
        if (n && isl_set_dim(stmt->domain, isl_dim_set) > N_DIM &&
            !stmt_agrees(scop, stmt, a, all))
            return false;
    }
    return !is_zero(all) && (labs(all->d[0]) == 1 || labs(all->d[1]) == 1);
}

/* ---- The temporary ------------------------------------------------------ */

/* The elements of array "a" that the SCoP accesses. */
static __isl_give isl_set *elements_of(const struct pg_scop *scop, unsigned a)
{
    isl_union_map *all = pg_scop_accesses_of(scop, a, false);
    isl_set *set;

    all = isl_union_map_union(all, pg_scop_accesses_of(scop, a, true));
    all = isl_union_map_intersect_params(all, isl_set_copy(scop->context));
    set = isl_set_from_union_set(isl_union_map_range(all));
    return pg_coalesce(set);
}

/* { A[x] -> T[y] }: the line in direction "dir" that x is on, times "sign" and
 * counted from zero if that is known, and where it is there.
 */
static __isl_give isl_map *to_lines(__isl_keep isl_set *elements,
                                    const struct direction *dir, long sign)
{
    isl_space *space = isl_set_get_space(elements);
    int along = labs(dir->d[1]) == 1 ? 1 : 0;
    isl_local_space *local = isl_local_space_from_space(isl_space_copy(space));
    isl_aff *x[N_DIM], *line;
    isl_multi_aff *to;
    isl_ctx *ctx = isl_space_get_ctx(space);

    for (int d = 0; d < N_DIM; d++)
        x[d] = isl_aff_var_on_domain(isl_local_space_copy(local), isl_dim_set,
                                     (unsigned)d);
    isl_local_space_free(local);
    line = isl_aff_sub(
        isl_aff_scale_val(isl_aff_copy(x[0]),
                          isl_val_int_from_si(ctx, sign * dir->d[1])),
        isl_aff_scale_val(isl_aff_copy(x[1]),
                          isl_val_int_from_si(ctx, sign * dir->d[0])));
    to = isl_multi_aff_from_aff(line);
    to = isl_multi_aff_flat_range_product(to, isl_multi_aff_from_aff(x[along]));
    isl_aff_free(x[1 - along]);
    isl_space_free(space);
    return isl_map_set_tuple_name(isl_map_from_multi_aff(to), isl_dim_out,
                                  "lines");
}

/* "lines" with the number of the line shifted so that "elements" have none that
 * is negative, if there is a number that does for all parameters.
 */
static __isl_give isl_map *from_zero(__isl_take isl_map *lines,
                                     __isl_keep isl_set *elements)
{
    isl_set *there = isl_set_apply(isl_set_copy(elements), isl_map_copy(lines));
    isl_val *least;
    long from = 0;

    there = isl_set_project_out(there, isl_dim_param, 0,
                                (unsigned)isl_set_dim(there, isl_dim_param));
    least = isl_set_dim_min_val(there, 0);
    if (isl_val_is_int(least) == isl_bool_true &&
        isl_val_cmp_si(least, 0) < 0 && isl_val_cmp_si(least, -MAX_SHIFT) > 0)
        from = isl_val_get_num_si(least);
    isl_val_free(least);
    if (from) {
        isl_space *space = isl_space_range(isl_map_get_space(lines));
        isl_multi_aff *shift = isl_space_identity_multi_aff_on_domain(space);
        isl_aff *line = isl_multi_aff_get_aff(shift, 0);

        line = isl_aff_add_constant_si(line, (int)-from);
        shift = isl_multi_aff_set_aff(shift, 0, line);
        lines = isl_map_apply_range(lines, isl_map_from_multi_aff(shift));
    }
    return lines;
}

/* A copy statement called "name" for "elements" of array "a", which "lines"
 * takes to the temporary: "back", or there.
 */
static void add_copy(struct pg_scop *scop, const char *name,
                     __isl_take isl_set *elements, unsigned a,
                     unsigned temporary, __isl_keep isl_map *lines, bool back)
{
    struct pg_stmt *copy = pg_scop_add_stmt(scop);
    isl_map *own =
        isl_map_identity(isl_space_map_from_set(isl_set_get_space(elements)));
    isl_map *other;

    copy->kind = PG_STMT_COPY;
    copy->origin = scop->n_stmt - 1;
    copy->total = true;
    copy->name = pg_format("%s%u", name, a);
    copy->domain = isl_set_set_tuple_name(elements, copy->name);
    own = isl_map_set_tuple_name(own, isl_dim_in, copy->name);
    other = isl_map_apply_range(isl_map_copy(own), isl_map_copy(lines));
    copy->n_access = 2;
    copy->accesses = pg_alloc(2, sizeof(*copy->accesses));
    copy->accesses[!back] =
        (struct pg_access){temporary, !back, true, other, false};
    copy->accesses[back] = (struct pg_access){a, back, true, own, false};
}

/* Have all accesses of array "a" go to the temporary. */
static isl_stat redirect(struct pg_scop *scop, unsigned n_stmt, unsigned a,
                         unsigned temporary, __isl_keep isl_map *lines)
{
    for (unsigned s = 0; s < n_stmt; s++)
        for (unsigned j = 0; j < scop->stmts[s].n_access; j++) {
            struct pg_access *access = &scop->stmts[s].accesses[j];

            if (access->array != a)
                continue;
            access->array = temporary;
            access->relation =
                isl_map_apply_range(access->relation, isl_map_copy(lines));
            if (!access->relation)
                return isl_stat_error;
        }
    return isl_stat_ok;
}

/* The extents of "elements" in the temporary "*lines" takes them to: rows are
 * counted in the direction in which none is negative.  NULL if there is none.
 */
static isl_pw_aff **find_lines(__isl_keep isl_set *elements,
                               const struct direction *dir, isl_map **lines)
{
    isl_pw_aff **extents = NULL;

    for (long sign = 1; !extents && sign >= -1; sign -= 2) {
        isl_set *there;

        isl_map_free(*lines);
        *lines = from_zero(to_lines(elements, dir, sign), elements);
        there = isl_set_apply(isl_set_copy(elements), isl_map_copy(*lines));
        extents = pg_set_extents(there);
        isl_set_free(there);
    }
    return extents;
}

/* The loops of a copy, which are parallel. */
static __isl_give isl_schedule *copy_loops(const struct pg_stmt *copy)
{
    isl_schedule *tree = pg_tree_scan(isl_set_copy(copy->domain));
    isl_schedule_node *node =
        isl_schedule_node_child(isl_schedule_get_root(tree), 0);

    isl_schedule_free(tree);
    node = isl_schedule_node_band_set_permutable(node, 1);
    for (int d = 0; d < N_DIM; d++)
        node = isl_schedule_node_band_member_set_coincident(node, d, 1);
    tree = isl_schedule_node_get_schedule(node);
    isl_schedule_node_free(node);
    return tree;
}

/* Put the copies, statements from number "first" on, in front of "tree"
 * (taken), and those back behind it.
 */
static __isl_give isl_schedule *around(const struct pg_scop *scop,
                                       unsigned first,
                                       __isl_take isl_schedule *tree)
{
    for (unsigned s = first; s < scop->n_stmt; s++) {
        const struct pg_stmt *copy = &scop->stmts[s];
        isl_schedule *one = copy_loops(copy);

        tree = copy->accesses[0].array < copy->accesses[1].array
                   ? isl_schedule_sequence(one, tree)
                   : isl_schedule_sequence(tree, one);
    }
    return tree;
}

/* Have array "a" of "variant", a copy of "scop", be laid out in direction
 * "dir"; "*done" if it is.
 */
static isl_stat lay_out(const struct pg_scop *scop, struct pg_scop *variant,
                        unsigned a, const struct direction *dir, bool *done)
{
    isl_set *elements = elements_of(scop, a);
    isl_map *lines = NULL;
    isl_pw_aff **extents = find_lines(elements, dir, &lines);
    isl_stat ok = isl_stat_ok;

    if (extents) {
        unsigned temporary = variant->n_array;
        isl_set *in = pg_scop_elements(scop, scop->live_in, a);
        isl_set *out = pg_scop_elements(scop, scop->live_out, a);

        pg_scop_add_temporary(variant, a, "lines", 0, extents);
        lines = isl_map_set_tuple_name(lines, isl_dim_out,
                                       variant->arrays[temporary].name);
        ok = redirect(variant, scop->n_stmt, a, temporary, lines);
        if (isl_set_is_empty(in) == isl_bool_false)
            add_copy(variant, "lines", isl_set_copy(in), a, temporary, lines,
                     false);
        if (!scop->arrays[a].dead_after)
            add_copy(variant, "rows", isl_set_copy(out), a, temporary, lines,
                     true);
        isl_set_free(in);
        isl_set_free(out);
        *done = true;
    }
    isl_map_free(lines);
    isl_set_free(elements);
    return ok;
}

/* A copy of "scop", which has its dependences and a schedule, with arrays that
 * are laid out in the direction of its threads, in its original order, and with
 * its schedule: instances depend on each other as they did.  NULL if there are
 * none, or after an error of isl.
 */
struct pg_scop *pg_scop_lay_out(const struct pg_scop *scop)
{
    struct pg_scop *variant = NULL;
    isl_stat result = isl_stat_ok;
    bool done = false;

    for (unsigned a = 0; result == isl_stat_ok && a < scop->n_array; a++) {
        struct direction dir;

        if (!has_direction(scop, a, &dir))
            continue;
        variant = variant ? variant : pg_scop_copy(scop);
        result = lay_out(scop, variant, a, &dir, &done);
    }
    if (result == isl_stat_ok && done) {
        variant->original = around(variant, scop->n_stmt, variant->original);
        variant->schedule =
            around(variant, scop->n_stmt, isl_schedule_copy(scop->schedule));
        if (variant->original && variant->schedule)
            return variant;
    }
    pg_scop_free(variant);
    return NULL;
}
