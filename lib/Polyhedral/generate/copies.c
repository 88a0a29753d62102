/* copies.c - loops over the elements that move between host and device.
 *
 * Array after array, each element once, in ascending order of subscripts:
 * too many would overwrite memory of the program.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "generate/copies.h"
#include "generate/rows.h"
#include "map/user.h"
#include "polygpu/polyhedral.h"
#include "scop/scop.h"
#include "support/coalesce.h"
#include "support/text.h"

#include <isl/aff.h>
#include <isl/local_space.h>
#include <isl/options.h>
#include <isl/schedule_node.h>
#include <isl/space.h>
#include <stdlib.h>

enum { EXACT_PART = 20 }; /* of the operations, for exact copies */

/* What the schedule of all elements is made from. */
struct scan {
    const struct pg_scop *scop;
    isl_schedule **parts; /* by array, and the rows that it is split into */
    struct pg_rows *rows;
};

/* Set the subscripts of "move", the user of "node". */
static bool subscripts(struct pg_user *move, __isl_keep isl_ast_node *node,
                       const struct pg_rows *rows)
{
    isl_ast_expr *call;

    if (rows->n == 0)
        return pg_user_arguments(move, node);
    call = isl_ast_node_user_get_expr(node);
    move->args[0] = pg_rows_join(call, rows);
    isl_ast_expr_free(call);
    return move->args[0];
}

/* Annotate the user node of an element; "user" is a struct scan. */
static __isl_give isl_ast_node *at_element(__isl_take isl_ast_node *node,
                                           __isl_keep isl_ast_build *build,
                                           void *user)
{
    const struct scan *scan = user;
    isl_union_map *schedule = isl_ast_build_get_schedule(build);
    isl_map *map = isl_map_from_union_map(schedule);
    int array =
        pg_scop_find_array(scan->scop, isl_map_get_tuple_name(map, isl_dim_in));
    struct pg_user *move;
    bool ok;

    isl_map_free(map);
    if (array < 0)
        return isl_ast_node_free(node);
    move = pg_user_alloc(PG_USER_MOVE, (unsigned)array,
                         scan->scop->arrays[array].n_dim);
    ok = subscripts(move, node, &scan->rows[array]);
    node = pg_user_attach(node, move);
    return ok ? node : isl_ast_node_free(node);
}

/* A tree { domain: set; band: identity } for the elements "set". */
static isl_stat scan_array(__isl_take isl_set *set, void *user)
{
    struct scan *scan = user;
    int array = pg_scop_find_array(scan->scop, isl_set_get_tuple_name(set));
    isl_multi_aff *identity;
    isl_union_set *domain;
    isl_schedule *part;
    isl_size n;

    if (array < 0) {
        isl_set_free(set);
        return isl_stat_error;
    }
    set = isl_set_gist_params(set, isl_set_copy(scan->scop->context));
    set = isl_set_intersect_params(set, isl_set_copy(scan->scop->context));
    set = pg_coalesce(isl_set_remove_redundancies(set));
    scan->rows[array] = pg_rows_of(scan->scop, (unsigned)array);
    set = pg_rows_split(set, &scan->rows[array]);
    n = isl_set_dim(set, isl_dim_set);
    identity = isl_space_identity_multi_aff_on_domain(isl_set_get_space(set));
    identity = isl_multi_aff_reset_tuple_id(identity, isl_dim_out);
    domain = isl_union_set_from_set(set);
    part = isl_schedule_from_domain(domain);
    if (n > 0)
        part = isl_schedule_insert_partial_schedule(
            part, isl_multi_union_pw_aff_from_multi_aff(identity));
    else
        isl_multi_aff_free(identity);
    scan->parts[array] = part;
    return part ? isl_stat_ok : isl_stat_error;
}

/* One schedule after another for all arrays with elements in "elements". */
static __isl_give isl_schedule *scan_all(struct scan *scan,
                                         __isl_keep isl_union_set *elements)
{
    const struct pg_scop *scop = scan->scop;
    isl_schedule *all = NULL;
    isl_stat ok;

    scan->parts = pg_alloc(scop->n_array, sizeof(*scan->parts));
    ok = isl_union_set_foreach_set(elements, &scan_array, scan);
    for (unsigned i = 0; i < scop->n_array; i++) {
        if (!scan->parts[i])
            continue;
        all = all ? isl_schedule_sequence(all, scan->parts[i]) : scan->parts[i];
    }
    free(scan->parts);
    if (ok != isl_stat_ok)
        return isl_schedule_free(all);
    return all ? all : isl_schedule_empty(isl_union_set_get_space(elements));
}

/* Set all dimensions of a band to be generated separately for each part of
 * the domain.
 */
static __isl_give isl_schedule_node *
separate(__isl_take isl_schedule_node *node, void *user)
{
    isl_size n;

    (void)user;
    if (isl_schedule_node_get_type(node) != isl_schedule_node_band)
        return node;
    n = isl_schedule_node_band_n_member(node);
    for (int i = 0; i < n; i++)
        node = isl_schedule_node_band_member_set_ast_loop_type(
            node, i, isl_ast_loop_separate);
    return node;
}

/* Is "node", inside a loop if "*user" counts one, without a condition? */
static isl_bool no_condition(__isl_keep isl_ast_node *node, void *user)
{
    bool *found = user;
    isl_ast_node *body;

    if (isl_ast_node_get_type(node) == isl_ast_node_for) {
        body = isl_ast_node_for_get_body(node);
        if (isl_ast_node_get_type(body) == isl_ast_node_if)
            *found = true;
        isl_ast_node_free(body);
    }
    return isl_bool_ok(!*found);
}

/* Loops for "schedule". */
static __isl_give isl_ast_node *loops(struct scan *scan,
                                      __isl_take isl_schedule *schedule)
{
    isl_ast_build *build =
        isl_ast_build_from_context(isl_set_copy(scan->scop->context));
    isl_ast_node *node;

    build = isl_ast_build_set_at_each_domain(build, &at_element, scan);
    node = isl_ast_build_node_from_schedule(build, schedule);
    isl_ast_build_free(build);
    return node;
}

/* The AST that visits all of "elements", { A[x] }, each once.  Where a loop
 * would have a condition as its body, the loops are split at the places where
 * the condition changes.
 */
__isl_give isl_ast_node *pg_copies_ast(struct pg_scop *scop,
                                       __isl_keep isl_union_set *elements)
{
    struct scan scan = {.scop = scop,
                        .rows = pg_alloc(scop->n_array, sizeof(*scan.rows))};
    isl_schedule *schedule = scan_all(&scan, elements);
    isl_ast_node *node = loops(&scan, isl_schedule_copy(schedule));
    bool found = false;

    if (node)
        isl_ast_node_foreach_descendant_top_down(node, &no_condition, &found);
    if (found) {
        isl_ast_node_free(node);
        schedule =
            isl_schedule_map_schedule_node_bottom_up(schedule, &separate, NULL);
        node = loops(&scan, isl_schedule_copy(schedule));
    }
    isl_schedule_free(schedule);
    free(scan.rows);
    return node;
}

/* ---- With gaps filled -----------------------------------------------------
 */

/* Those of "hull" whose subscripts are within the rows of "array". */
static __isl_give isl_set *within_rows(__isl_take isl_set *hull,
                                       const struct pg_array *array)
{
    isl_local_space *space = isl_local_space_from_space(
        isl_space_drop_all_params(isl_set_get_space(hull)));
    isl_set *domain = isl_set_universe(isl_local_space_get_space(space));

    for (unsigned d = 1; d < array->n_dim; d++) {
        isl_pw_aff *at = isl_pw_aff_from_aff(
            isl_aff_var_on_domain(isl_local_space_copy(space), isl_dim_set, d));
        isl_pw_aff *extent = isl_pw_aff_project_domain_on_params(
            isl_pw_aff_copy(array->extent[d]));

        extent = isl_pw_aff_insert_domain(extent, isl_set_get_space(domain));
        hull = isl_set_lower_bound_si(hull, isl_dim_set, d, 0);
        hull = isl_set_intersect(hull, isl_pw_aff_lt_set(at, extent));
    }
    isl_set_free(domain);
    isl_local_space_free(space);
    return hull;
}

/* May a run read what the host has between elements of "array"?  Not where it
 * is not even known which of them are there.
 */
static bool has_gaps_to_fill(const struct pg_array *array)
{
    return array->kind == PG_ARRAY_MEMORY && array->n_dim > 0 &&
           !array->flagged && !array->probed && !array->indirect;
}

/* What fill_gaps works on. */
struct filling {
    const struct pg_scop *scop;
    isl_union_set *all;
    bool *filled; /* by array */
};

/* Is "hull" a part of the object that "set" is in, and has all of it?  Rows are
 * one after the other in memory, so that what is between two elements that the
 * program accesses is part of the object.  There may be elements behind a row
 * in "set" where the context does not know which sizes have none.
 */
static bool fills(__isl_keep isl_set *hull, __isl_keep isl_set *set)
{
    isl_set *ends = isl_set_union(isl_set_lexmin(isl_set_copy(hull)),
                                  isl_set_lexmax(isl_set_copy(hull)));
    bool inside = isl_set_is_subset(ends, set) == isl_bool_true;

    isl_set_free(ends);
    return inside && isl_set_is_subset(set, hull) == isl_bool_true;
}

/* Add "set" to the result, with all within simple bounds where these fill it.
 */
static isl_stat fill_array(__isl_take isl_set *set, void *user)
{
    struct filling *filling = user;
    int a = pg_scop_find_array(filling->scop, isl_set_get_tuple_name(set));
    isl_set *hull;

    if (a < 0 || !has_gaps_to_fill(&filling->scop->arrays[a])) {
        filling->all = isl_union_set_add_set(filling->all, set);
        return isl_stat_ok;
    }
    set = isl_set_intersect_params(set, isl_set_copy(filling->scop->context));
    hull = isl_set_from_basic_set(
        isl_set_simple_hull(isl_set_remove_divs(isl_set_copy(set))));
    hull = within_rows(hull, &filling->scop->arrays[a]);
    filling->filled[a] = fills(hull, set);
    filling->all =
        isl_union_set_add_set(filling->all, filling->filled[a] ? hull : set);
    isl_set_free(filling->filled[a] ? set : hull);
    return isl_stat_ok;
}

/* The elements that are live-in, with gaps filled where that can be. */
static __isl_give isl_union_set *fill_gaps(const struct pg_scop *scop,
                                           bool *filled)
{
    struct filling filling = {
        scop, isl_union_set_empty(isl_set_get_space(scop->context)), filled};

    if (isl_union_set_foreach_set(scop->live_in, &fill_array, &filling) !=
        isl_stat_ok)
        filling.all = isl_union_set_free(filling.all);
    return filling.all;
}

/* Set plan->in: loops over just the live-in elements, unless these are so many
 * pieces (each second element from several places on, in three dimensions) that
 * it takes long to keep them apart; then gaps between them are copied as well,
 * which host and device have room for.
 */
isl_stat pg_copies_in(struct pg_plan *plan, struct pg_phase *phase)
{
    struct pg_scop *scop = plan->scop;
    isl_union_set *elements;

    plan->filled = pg_alloc(scop->n_array, sizeof(*plan->filled));
    pg_phase_retry_part(phase, EXACT_PART);
    plan->in = pg_copies_ast(scop, scop->live_in);
    if (!pg_phase_erred(phase)) {
        pg_phase_restart(phase);
        return plan->in ? isl_stat_ok : isl_stat_error;
    }
    plan->in = isl_ast_node_free(plan->in);
    pg_phase_forget(phase);
    elements = fill_gaps(scop, plan->filled);
    plan->in = pg_copies_ast(scop, elements);
    isl_union_set_free(elements);
    return plan->in ? isl_stat_ok : isl_stat_error;
}

__isl_give isl_ast_node *pg_accessed_elements(struct pg_scop *scop,
                                              unsigned stmt, unsigned access)
{
    const struct pg_stmt *s = &scop->stmts[stmt];
    isl_set *domain = isl_set_intersect_params(isl_set_copy(s->domain),
                                               isl_set_copy(scop->context));
    isl_map *map = isl_map_intersect_domain(
        isl_map_copy(s->accesses[access].relation), domain);
    isl_union_set *elements =
        isl_union_set_from_set(pg_coalesce(isl_map_range(map)));
    isl_ast_node *node = pg_copies_ast(scop, elements);

    isl_union_set_free(elements);
    return node;
}
