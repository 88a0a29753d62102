/* ast.c - loops: in the kernels and around their launches.
 *
 * isl makes an AST of each schedule.  Every user node gets an annotation that
 * says what it stands for (annotate.c).
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "generate/annotate.h"
#include "generate/bounds.h"
#include "generate/copies.h"
#include "generate/unrolled.h"
#include "map/buffers.h"
#include "map/local.h"
#include "map/mapping.h"
#include "map/user.h"
#include "polygpu/polyhedral.h"
#include "support/coalesce.h"
#include "support/phase.h"
#include "support/text.h"

#include <isl/constraint.h>
#include <isl/local_space.h>
#include <isl/space.h>
#include <isl/val.h>
#include <stdlib.h>
#include <string.h>

enum { LARGE_BOUND = 1 << 24 };
/* "set" with the parameter "name" between 0 and "size" - 1. */
static __isl_give isl_set *bound_parameter(__isl_take isl_set *set, char kind,
                                           unsigned number, unsigned size)
{
    isl_ctx *ctx = isl_set_get_ctx(set);
    char *name = pg_format("%c%u", kind, number);
    isl_id *id = set ? isl_id_alloc(ctx, name, NULL) : NULL;
    isl_space *space = isl_space_params_alloc(ctx, 1);
    isl_set *bound;

    space = isl_space_set_dim_id(space, isl_dim_param, 0, id);
    bound = isl_set_universe(space);
    bound = isl_set_lower_bound_si(bound, isl_dim_param, 0, 0);
    bound = isl_set_upper_bound_si(bound, isl_dim_param, 0, (int)size - 1);
    free(name);
    return isl_set_intersect(set, bound);
}

/* Keep "c" unless it says how large an integer can be at most. */
static isl_stat keep_bound(__isl_take isl_constraint *c, void *user)
{
    isl_basic_set **kept = user;
    isl_val *constant = isl_val_abs(isl_constraint_get_constant_val(c));

    if (isl_val_cmp_si(constant, LARGE_BOUND) < 0)
        *kept = isl_basic_set_add_constraint(*kept, c);
    else
        isl_constraint_free(c);
    isl_val_free(constant);
    return *kept ? isl_stat_ok : isl_stat_error;
}

/* Add "part" without the bounds of integers to *user. */
static isl_stat keep_bounds(__isl_take isl_basic_set *part, void *user)
{
    isl_set **all = user;
    isl_basic_set *kept = isl_basic_set_universe(isl_basic_set_get_space(part));

    if (isl_basic_set_foreach_constraint(part, &keep_bound, &kept) !=
        isl_stat_ok)
        kept = isl_basic_set_free(kept);
    isl_basic_set_free(part);
    *all = isl_set_union(*all, isl_set_from_basic_set(kept));
    return *all ? isl_stat_ok : isl_stat_error;
}

/* "context" without the bounds that types give: to know less is right as well,
 * and loops take a third of the time.
 */
static __isl_give isl_set *without_limits(__isl_take isl_set *context)
{
    isl_set *all = isl_set_empty(isl_set_get_space(context));

    context = isl_set_remove_divs(context);
    if (isl_set_foreach_basic_set(context, &keep_bounds, &all) != isl_stat_ok)
        all = isl_set_free(all);
    isl_set_free(context);
    return all;
}

/* What is known of all parameters of "kernel" when it runs. */
static __isl_give isl_set *kernel_context(const struct pg_plan *plan,
                                          const struct pg_kernel *kernel)
{
    isl_set *context = pg_kernel_params(plan->scop, kernel);

    if (kernel->n_buffer)
        context = without_limits(context);
    for (unsigned d = 0; d < kernel->n_grid; d++)
        context = bound_parameter(context, 'b', d, kernel->grid_limit[d]);
    for (unsigned d = 0; d < kernel->n_block; d++)
        context = bound_parameter(context, 't', d, kernel->block[d]);
    return context;
}

/* Is "name" the number of a thread? */
static bool is_thread(const char *name)
{
    return name && name[0] == 't' && name[1] >= '0' && name[1] <= '9' &&
           !name[2];
}

/* Is the number of a thread in "expr"?  Only those have names like "t0". */
static bool depends_on_thread(__isl_keep isl_ast_expr *expr)
{
    bool depends = false;
    isl_id *id;
    isl_size n;

    switch (isl_ast_expr_get_type(expr)) {
    case isl_ast_expr_id:
        id = isl_ast_expr_get_id(expr);
        depends = is_thread(isl_id_get_name(id));
        isl_id_free(id);
        return depends;
    case isl_ast_expr_op:
        n = isl_ast_expr_get_op_n_arg(expr);
        for (int i = 0; !depends && i < n; i++) {
            isl_ast_expr *arg = isl_ast_expr_get_op_arg(expr, i);

            depends = depends_on_thread(arg);
            isl_ast_expr_free(arg);
        }
        return depends;
    default:
        return isl_ast_expr_get_type(expr) != isl_ast_expr_int;
    }
}

/* depends_on_thread, and free "expr". */
static bool take_depends(__isl_take isl_ast_expr *expr)
{
    bool depends = depends_on_thread(expr);

    isl_ast_expr_free(expr);
    return depends;
}

static isl_stat check_barriers(__isl_keep isl_ast_node *node, bool diverged,
                               bool *any);

/* check_barriers, and free "node". */
static isl_stat take_check(__isl_take isl_ast_node *node, bool diverged,
                           bool *any)
{
    isl_stat result = check_barriers(node, diverged, any);

    isl_ast_node_free(node);
    return result;
}

/* Do all threads of a block come to the same barriers in "node"?  They do if
 * no loop or condition around a barrier depends on the number of the thread;
 * "diverged": one around "node" does.  "*any" becomes true if there is one.
 */
static isl_stat check_barriers(__isl_keep isl_ast_node *node, bool diverged,
                               bool *any)
{
    isl_stat result = isl_stat_ok;
    isl_ast_node_list *list;
    struct pg_user *user;
    isl_bool has_else;
    isl_size n;

    switch (isl_ast_node_get_type(node)) {
    case isl_ast_node_for:
        diverged |= take_depends(isl_ast_node_for_get_init(node));
        if (isl_ast_node_for_is_degenerate(node) != isl_bool_true) {
            diverged |= take_depends(isl_ast_node_for_get_cond(node));
            diverged |= take_depends(isl_ast_node_for_get_inc(node));
        }
        return take_check(isl_ast_node_for_get_body(node), diverged, any);
    case isl_ast_node_if:
        diverged |= take_depends(isl_ast_node_if_get_cond(node));
        result = take_check(isl_ast_node_if_get_then(node), diverged, any);
        has_else = isl_ast_node_if_has_else(node);
        if (has_else < 0)
            return isl_stat_error;
        if (result == isl_stat_ok && has_else)
            result = take_check(isl_ast_node_if_get_else(node), diverged, any);
        return result;
    case isl_ast_node_block:
        list = isl_ast_node_block_get_children(node);
        n = isl_ast_node_list_n_ast_node(list);
        if (n < 0)
            result = isl_stat_error;
        for (int i = 0; result == isl_stat_ok && i < n; i++)
            result = take_check(isl_ast_node_list_get_ast_node(list, i),
                                diverged, any);
        isl_ast_node_list_free(list);
        return result;
    case isl_ast_node_mark:
        return take_check(isl_ast_node_mark_get_node(node), diverged, any);
    case isl_ast_node_user:
        user = pg_user_of(node);
        if (!user || user->kind != PG_USER_BARRIER)
            return user ? isl_stat_ok : isl_stat_error;
        *any = true;
        return diverged ? isl_stat_error : isl_stat_ok;
    default:
        return isl_stat_error;
    }
}

/* The condition on the subscripts "e0", "e1", ... under which an element is in
 * "readable", { A[x] }; NULL: always, or an error, then "*ok" becomes false.
 */
static isl_ast_expr *inside_of(const struct pg_plan *plan,
                               const struct pg_kernel *kernel,
                               __isl_keep isl_set *readable, bool *ok)
{
    isl_set *set = isl_set_copy(readable), *context;
    isl_size n = isl_set_dim(set, isl_dim_set);
    isl_ast_build *build;
    isl_ast_expr *inside;

    for (int d = 0; d < n; d++) {
        isl_size at = isl_set_dim(set, isl_dim_param);
        char *name = pg_format("e%d", d);

        set = isl_set_move_dims(set, isl_dim_param, (unsigned)at, isl_dim_set,
                                0, 1);
        set = isl_set_set_dim_name(set, isl_dim_param, (unsigned)at, name);
        free(name);
    }
    set = isl_set_params(set);
    context = kernel_context(plan, kernel);
    build = isl_ast_build_from_context(context);
    inside = isl_ast_build_expr_from_set(build, set);
    isl_ast_build_free(build);
    *ok &= inside != NULL;
    return inside;
}

/* Build kernel->ast and what goes with it. */
static isl_stat build_kernel(struct pg_plan *plan, unsigned k)
{
    struct pg_kernel *kernel = &plan->kernels[k];
    struct pg_promotion *promotion =
        ((struct pg_plan_private *)plan)->launches[k].promotion;
    struct pg_annotating about = {plan->scop, kernel, promotion};
    isl_ast_build *build =
        isl_ast_build_from_context(kernel_context(plan, kernel));
    bool ok = true;

    build =
        isl_ast_build_set_at_each_domain(build, &pg_annotate_instance, &about);
    kernel->ast = isl_ast_build_node_from_schedule(
        build, isl_schedule_copy(kernel->schedule));
    isl_ast_build_free(build);
    for (unsigned i = 0; i < kernel->n_buffer; i++)
        if (kernel->buffers[i].kind == PG_BUFFER_SHARED)
            kernel->buffers[i].inside =
                inside_of(plan, kernel, promotion->home[i].readable, &ok);
    if (!kernel->ast || !ok)
        return isl_stat_error;
    kernel->has_barrier = promotion != NULL;
    // The instances of barriers and copies are the same for all threads then,
    // also where isl tests their condition together with one on the thread.
    if (promotion)
        return pg_unrolled_known(kernel) ? isl_stat_ok : isl_stat_error;
    return check_barriers(kernel->ast, false, &kernel->has_barrier);
}

/* Build the AST of kernel "k"; when that fails with threads for inner loops,
 * then without.
 */
static isl_stat build_some_kernel(struct pg_plan *plan, unsigned k,
                                  struct pg_phase *phase)
{
    struct pg_launch *launch = &((struct pg_plan_private *)plan)->launches[k];
    struct pg_kernel *kernel = &plan->kernels[k];
    isl_stat result;

    if (launch->promotion)
        pg_phase_restart(phase);
    // What is forgotten below must not be an error of something else.
    if (pg_phase_erred(phase))
        return isl_stat_error;
    result = build_kernel(plan, k);
    if (pg_phase_erred(phase))
        result = isl_stat_error;
    if (result == isl_stat_ok && launch->promotion)
        pg_phase_restart(phase);
    if (result == isl_stat_ok || !launch->plain.schedule)
        return result;
    pg_phase_forget(phase);
    kernel->ast = isl_ast_node_free(kernel->ast);
    pg_kernel_use(kernel, launch, &launch->plain);
    free(kernel->choice);
    kernel->choice =
        pg_strdup("no buffers: loops over tiles would be too complicated");
    return build_kernel(plan, k);
}

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

/* Build plan->host and plan->nonempty. */
static isl_stat build_host(struct pg_plan *plan)
{
    isl_ast_build *build =
        isl_ast_build_from_context(isl_set_copy(plan->scop->context));

    build = isl_ast_build_set_at_each_domain(build, &pg_annotate_launch, plan);
    plan->host = isl_ast_build_node_from_schedule_map(
        build, isl_union_map_copy(plan->host_schedule));
    isl_ast_build_free(build);
    build = isl_ast_build_alloc(plan->scop->ctx);
    plan->nonempty =
        isl_ast_build_expr_from_set(build, nonempty_params(plan->scop));
    isl_ast_build_free(build);
    return plan->host && plan->nonempty ? isl_stat_ok : isl_stat_error;
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
                build, isl_pw_aff_copy(array->extent[d]));
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
        result = build_some_kernel(plan, k, &phase);
    if (result == isl_stat_ok)
        pg_local_find(plan, &phase);
    if (result == isl_stat_ok)
        result = build_host(plan);
    if (result == isl_stat_ok)
        result = build_extents(plan);
    if (result == isl_stat_ok) {
        plan->in = pg_copies_ast(scop, scop->live_in);
        plan->out = pg_copies_ast(scop, scop->live_out);
        result = plan->in && plan->out ? isl_stat_ok : isl_stat_error;
    }
    if (result == isl_stat_ok)
        result = pg_bounds(plan, &phase);
    return pg_phase_end(&phase, result);
}
