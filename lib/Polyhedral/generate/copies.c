/* copies.c - loops over the elements that move between host and device.
 *
 * Array after array, each element once, in ascending order of subscripts:
 * too many would overwrite memory of the program.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "generate/copies.h"
#include "map/user.h"
#include "polygpu/polyhedral.h"
#include "scop/scop.h"
#include "support/coalesce.h"
#include "support/text.h"

#include <isl/options.h>
#include <isl/schedule_node.h>
#include <isl/space.h>
#include <stdlib.h>

/* Annotate the user node of an element; "user" is the scop. */
static __isl_give isl_ast_node *at_element(__isl_take isl_ast_node *node,
                                           __isl_keep isl_ast_build *build,
                                           void *user)
{
    isl_union_map *schedule = isl_ast_build_get_schedule(build);
    isl_map *map = isl_map_from_union_map(schedule);
    int array =
        pg_scop_find_array(user, isl_map_get_tuple_name(map, isl_dim_in));
    isl_size n = isl_map_dim(map, isl_dim_in);
    struct pg_user *move;
    bool ok;

    isl_map_free(map);
    if (array < 0 || n < 0)
        return isl_ast_node_free(node);
    move = pg_user_alloc(PG_USER_MOVE, (unsigned)array, (unsigned)n);
    ok = pg_user_arguments(move, node);
    node = pg_user_attach(node, move);
    return ok ? node : isl_ast_node_free(node);
}

/* What the schedule of all elements is made from. */
struct scan {
    const struct pg_scop *scop;
    isl_schedule **parts; /* by array */
};

/* A tree { domain: set; band: identity } for the elements "set". */
static isl_stat scan_array(__isl_take isl_set *set, void *user)
{
    struct scan *scan = user;
    int array = pg_scop_find_array(scan->scop, isl_set_get_tuple_name(set));
    isl_size n = isl_set_dim(set, isl_dim_set);
    isl_multi_aff *identity;
    isl_union_set *domain;
    isl_schedule *part;

    if (array < 0 || n < 0) {
        isl_set_free(set);
        return isl_stat_error;
    }
    set = isl_set_gist_params(set, isl_set_copy(scan->scop->context));
    set = isl_set_intersect_params(set, isl_set_copy(scan->scop->context));
    set = pg_coalesce(isl_set_remove_redundancies(set));
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
static __isl_give isl_schedule *scan_all(const struct pg_scop *scop,
                                         __isl_keep isl_union_set *elements)
{
    struct scan scan = {scop, pg_alloc(scop->n_array, sizeof(*scan.parts))};
    isl_schedule *all = NULL;
    isl_stat ok = isl_union_set_foreach_set(elements, &scan_array, &scan);

    for (unsigned i = 0; i < scop->n_array; i++) {
        if (!scan.parts[i])
            continue;
        all = all ? isl_schedule_sequence(all, scan.parts[i]) : scan.parts[i];
    }
    free(scan.parts);
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
static __isl_give isl_ast_node *loops(struct pg_scop *scop,
                                      __isl_take isl_schedule *schedule)
{
    isl_ast_build *build =
        isl_ast_build_from_context(isl_set_copy(scop->context));
    isl_ast_node *node;

    build = isl_ast_build_set_at_each_domain(build, &at_element, scop);
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
    isl_schedule *schedule = scan_all(scop, elements);
    isl_ast_node *node = loops(scop, isl_schedule_copy(schedule));
    bool found = false;

    if (node)
        isl_ast_node_foreach_descendant_top_down(node, &no_condition, &found);
    if (found) {
        isl_ast_node_free(node);
        schedule =
            isl_schedule_map_schedule_node_bottom_up(schedule, &separate, NULL);
        node = loops(scop, isl_schedule_copy(schedule));
    }
    isl_schedule_free(schedule);
    return node;
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
