/* ast.c - loops: in the kernels and around their launches.
 *
 * isl makes an AST of each schedule.  Every user node gets an annotation that
 * says what it stands for (annotate.c).
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "generate/annotate.h"
#include "generate/bounds.h"
#include "generate/choose.h"
#include "generate/copies.h"
#include "map/privatise.h"
#include "polygpu/polyhedral.h"
#include "support/coalesce.h"
#include "support/phase.h"
#include "support/text.h"

#include <isl/aff.h>
#include <stdlib.h>

/* The parameters for which "scop" has an instance, also where the context does
 * not hold: there the run is to be declined, not taken for empty.
 */
static __isl_give isl_set *nonempty_params(struct pg_scop *scop)
{
    isl_set *some = isl_set_empty(isl_set_get_space(scop->context));

    for (unsigned i = 0; i < scop->n_stmt; i++)
        some = isl_set_union(
            some, isl_set_params(isl_set_copy(scop->stmts[i].domain)));
    return pg_coalesce(some);
}

/* The host's loops around the launches of "schedule". */
static isl_ast_node *host_of(struct pg_plan *plan, isl_union_map *schedule)
{
    isl_ast_build *build =
        isl_ast_build_from_context(isl_set_copy(plan->scop->context));
    isl_ast_node *node;

    build = isl_ast_build_set_at_each_domain(build, &pg_annotate_launch, plan);
    node = isl_ast_build_node_from_schedule_map(build,
                                                isl_union_map_copy(schedule));
    isl_ast_build_free(build);
    return node;
}

/* Build plan->host, plan->nonempty, and the other way if there is one. */
static isl_stat build_host(struct pg_plan *plan)
{
    isl_ast_build *build = isl_ast_build_alloc(plan->scop->ctx);
    bool ok;

    plan->host = host_of(plan, plan->host_schedule);
    plan->nonempty =
        isl_ast_build_expr_from_set(build, nonempty_params(plan->scop));
    ok = plan->host && plan->nonempty;
    if (plan->chained_if) {
        plan->chained = host_of(plan, plan->chained_schedule);
        plan->chain =
            isl_ast_build_expr_from_set(build, isl_set_copy(plan->chained_if));
        ok &= plan->chained && plan->chain;
    }
    isl_ast_build_free(build);
    return ok ? isl_stat_ok : isl_stat_error;
}

static isl_stat take_piece(isl_set *domain, isl_aff *aff, void *result)
{
    isl_set_free(domain);
    *(isl_pw_aff **)result = isl_pw_aff_from_aff(aff);
    return isl_stat_ok;
}

/* An extent is known where the array has elements.  It is computed elsewhere
 * too, where any number will do, but isl would divide as if it were there.
 */
static isl_pw_aff *everywhere(isl_pw_aff *extent)
{
    isl_pw_aff *total = NULL;
    isl_space *space;

    if (isl_pw_aff_n_piece(extent) == 1 &&
        isl_pw_aff_foreach_piece(extent, take_piece, &total) == isl_stat_ok) {
        isl_pw_aff_free(extent);
        return total;
    }
    space = isl_pw_aff_get_domain_space(extent);
    total = isl_pw_aff_zero_on_domain(isl_local_space_from_space(space));
    return isl_pw_aff_union_max(extent, total);
}

/* Build plan->extents. */
static isl_stat build_extents(struct pg_plan *plan)
{
    const struct pg_scop *scop = plan->scop;
    isl_ast_build *build =
        isl_ast_build_from_context(isl_set_copy(scop->context));
    bool ok = true;

    plan->extents = pg_alloc(scop->n_array, sizeof(*plan->extents));
    for (unsigned a = 0; a < scop->n_array; a++) {
        const struct pg_array *array = &scop->arrays[a];

        if (array->kind != PG_ARRAY_TEMPORARY)
            continue;
        plan->extents[a] = pg_alloc(array->n_dim, sizeof(**plan->extents));
        for (unsigned d = 0; d < array->n_dim; d++) {
            plan->extents[a][d] = isl_ast_build_expr_from_pw_aff(
                build, everywhere(isl_pw_aff_copy(array->extent[d])));
            ok &= plan->extents[a][d] != NULL;
        }
    }
    isl_ast_build_free(build);
    return ok ? isl_stat_ok : isl_stat_error;
}

/* Build the ASTs of all kernels, of the host and of the copies, and find out
 * for which parameters their arithmetic is safe.
 */
isl_stat pg_build_ast(struct pg_plan *plan, const struct pg_options *options,
                      struct pg_report *report)
{
    struct pg_scop *scop = plan->scop;
    isl_stat result = isl_stat_ok;
    struct pg_phase phase;

    pg_phase_begin(&phase, scop->ctx, "generation of loops", options, report);
    for (unsigned k = 0; result == isl_stat_ok && k < plan->n_kernel; k++)
        result = pg_choose_mapping(scop, &plan->kernels[k], &phase);
    if (result == isl_stat_ok)
        pg_privatise(plan, &phase, options && options->threads);
    if (result == isl_stat_ok)
        result = build_host(plan);
    if (result == isl_stat_ok)
        result = build_extents(plan);
    if (result == isl_stat_ok)
        result = pg_copies_in(plan, &phase);
    if (result == isl_stat_ok) {
        plan->out = pg_copies_ast(scop, scop->live_out);
        result = plan->out ? isl_stat_ok : isl_stat_error;
    }
    if (result == isl_stat_ok)
        result = pg_bounds(plan, &phase);
    return pg_phase_end(&phase, result);
}
