/* plant.c - faults planted in a plan, for tests of pg_verify.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "verify/plant.h"
#include "map/plan.h"
#include "map/user.h"
#include "polygpu/polyhedral.h"

#include <isl/schedule_node.h>
#include <isl/union_set.h>
#include <isl/val.h>
#include <stdlib.h>

/* What a walk over the plan's ASTs knows. */
struct planting {
    struct pg_plan *plan;
    const struct pg_kernel *kernel; /* whose AST it is, or NULL: the host's */
    bool (*chosen)(enum pg_plant_kind kind, const char *where, void *user);
    void *user;
};

static bool chosen(struct planting *p, enum pg_plant_kind kind)
{
    return p->chosen(kind, p->kernel ? p->kernel->name : "the host", p->user);
}

void pg_plant_shift(isl_ast_expr **expr, int n)
{
    isl_val *v = isl_val_int_from_si(isl_ast_expr_get_ctx(*expr), n);

    *expr = isl_ast_expr_add(*expr, isl_ast_expr_from_val(v));
}

/* An access goes to the next element of its array or buffer. */
static void plant_accesses(struct planting *p, struct pg_user *user)
{
    for (unsigned a = 0; a < user->n_access; a++) {
        unsigned n = 0;

        while (user->access[a][n])
            n++;
        if (n && chosen(p, PG_PLANT_ACCESS))
            pg_plant_shift(&user->access[a][n - 1], 1);
    }
}

/* An access goes to another buffer, as that of another piece of its statement
 * would.
 */
static void plant_exchanges(struct planting *p, struct pg_user *user)
{
    const struct pg_buffer *buffers = p->kernel->mapping->buffers;

    for (unsigned a = 0; a < user->n_access; a++)
        for (int b = 0, own = user->redirected[a];
             own >= 0 && b < (int)p->kernel->mapping->n_buffer; b++)
            if (b != own && buffers[b].kind == buffers[own].kind &&
                buffers[b].n_dim == buffers[own].n_dim &&
                chosen(p, PG_PLANT_EXCHANGE))
                user->redirected[a] = b;
}

static isl_bool plant_user(isl_ast_node *node, void *data)
{
    struct planting *p = data;
    struct pg_user *user = pg_user_of(node);
    enum pg_plant_kind kind = PG_PLANT_MOVE;

    if (!user || user->kind == PG_USER_BARRIER)
        return isl_bool_true;
    if (user->kind == PG_USER_STMT || user->kind == PG_USER_LAUNCH)
        kind = PG_PLANT_DOMAIN;
    for (unsigned i = 0; i < user->n; i++)
        if (chosen(p, kind))
            pg_plant_shift(&user->args[i], 1);
    for (unsigned d = 0; d < 3; d++)
        if (user->grid[d] && chosen(p, PG_PLANT_DOMAIN))
            pg_plant_shift(&user->grid[d], -1);
    for (unsigned i = 0; i < user->n_place; i++)
        if (chosen(p, kind))
            pg_plant_shift(&user->place[i], 1);
    if (user->kind == PG_USER_STMT) {
        plant_accesses(p, user);
        plant_exchanges(p, user);
    }
    return isl_bool_true;
}

/* Without the barrier, or the copy to shared memory or back, that "node" is. */
static isl_ast_node *drop(isl_ast_node *node, void *data)
{
    struct pg_user *user = pg_user_of(node);
    isl_ctx *ctx = isl_ast_node_get_ctx(node);
    bool copy =
        user && (user->kind == PG_USER_COPY || user->kind == PG_USER_BACK);

    if (!copy && (!user || user->kind != PG_USER_BARRIER))
        return node;
    if (!chosen(data, copy ? PG_PLANT_OMIT : PG_PLANT_SYNC))
        return node;
    isl_ast_node_free(node);
    return isl_ast_node_block_from_children(isl_ast_node_list_alloc(ctx, 0));
}

/* ---- Filters --------------------------------------------------------------
 */

/* The filters to find, and perhaps to delete: those of parameter "name". */
struct deleting {
    const char *name;
    bool found, delete;
};

static isl_schedule_node *visit_filter(isl_schedule_node *node, void *user)
{
    struct deleting *d = user;
    isl_union_set *filter;
    isl_set *params;
    bool is;

    if (isl_schedule_node_get_type(node) != isl_schedule_node_filter ||
        isl_schedule_node_get_parent_type(node) == isl_schedule_node_sequence)
        return node;
    filter = isl_schedule_node_filter_get_filter(node);
    params = isl_union_set_params(filter);
    is = isl_set_find_dim_by_name(params, isl_dim_param, d->name) >= 0;
    isl_set_free(params);
    d->found |= is;
    return is && d->delete ? isl_schedule_node_delete(node) : node;
}

static bool visit_filters(struct pg_kernel *kernel, struct deleting *d)
{
    struct pg_mapping *mapping =
        &kernel->candidates[kernel->mapping - kernel->candidates];

    mapping->schedule = isl_schedule_map_schedule_node_bottom_up(
        mapping->schedule, &visit_filter, d);
    return d->found;
}

/* Make all ASTs of the plan anew. */
isl_stat pg_plant_rebuild(struct pg_plan *plan,
                          const struct pg_options *options,
                          struct pg_report *report)
{
    for (unsigned k = 0; k < plan->n_kernel; k++)
        pg_kernel_forget_ast(&plan->kernels[k]);
    plan->host = isl_ast_node_free(plan->host);
    plan->chained = isl_ast_node_free(plan->chained);
    plan->chain = isl_ast_expr_free(plan->chain);
    plan->in = isl_ast_node_free(plan->in);
    plan->out = isl_ast_node_free(plan->out);
    plan->nonempty = isl_ast_expr_free(plan->nonempty);
    for (unsigned a = 0; plan->own && a < plan->scop->n_array; a++)
        free(plan->own[a]);
    free(plan->own);
    plan->own = NULL;
    free(plan->is_private);
    free(plan->filled);
    free(plan->extents);
    plan->is_private = plan->filled = NULL;
    plan->extents = NULL;
    return pg_build_ast(plan, options, report);
}

isl_stat pg_plant_filter(struct pg_plan *plan, unsigned kernel,
                         const char *name, const struct pg_options *options,
                         struct pg_report *report)
{
    struct deleting d = {.name = name, .delete = true};

    if (!visit_filters(&plan->kernels[kernel], &d))
        return isl_stat_error;
    return pg_plant_rebuild(plan, options, report);
}

static isl_stat plant_filters(struct planting *p,
                              const struct pg_options *options,
                              struct pg_report *report)
{
    static const char *const names[] = {"b0", "b1", "b2", "t0", "t1", "t2"};

    for (unsigned i = 0; i < sizeof(names) / sizeof(*names); i++) {
        unsigned k = (unsigned)(p->kernel - p->plan->kernels);
        struct deleting d = {.name = names[i]};

        if (visit_filters(&p->plan->kernels[k], &d) &&
            chosen(p, PG_PLANT_FILTER))
            return pg_plant_filter(p->plan, k, names[i], options, report);
    }
    return isl_stat_ok;
}

isl_stat
pg_plant(struct pg_plan *plan,
         bool (*chosen)(enum pg_plant_kind kind, const char *where, void *user),
         void *user, const struct pg_options *options, struct pg_report *report)
{
    struct planting p = {.plan = plan, .chosen = chosen, .user = user};

    for (unsigned k = 0; k < plan->n_kernel; k++) {
        struct pg_kernel *kernel = &plan->kernels[k];

        p.kernel = kernel;
        if (plant_filters(&p, options, report) != isl_stat_ok)
            return isl_stat_error;
        isl_ast_node_foreach_descendant_top_down(kernel->ast, &plant_user, &p);
        kernel->ast =
            isl_ast_node_map_descendant_bottom_up(kernel->ast, &drop, &p);
    }
    p.kernel = NULL;
    isl_ast_node_foreach_descendant_top_down(plan->host, &plant_user, &p);
    if (plan->chained)
        isl_ast_node_foreach_descendant_top_down(plan->chained, &plant_user,
                                                 &p);
    isl_ast_node_foreach_descendant_top_down(plan->in, &plant_user, &p);
    isl_ast_node_foreach_descendant_top_down(plan->out, &plant_user, &p);
    return isl_stat_ok;
}
