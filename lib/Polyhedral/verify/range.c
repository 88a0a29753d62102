/* range.c - see range.h.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "verify/range.h"
#include "map/buffers.h"
#include "polygpu/polyhedral.h"
#include "support/text.h"
#include "verify/code.h"

#include <stdlib.h>
#include <string.h>

enum { HOST_BITS = 64, MAX_BOX = 8 };

/* A plan for certain parameters. */
struct ranging {
    const struct pg_plan *plan;
    struct names names; /* of parameters */
    __int128 values[MAX_NAMES];
    long *work;
    struct pg_fault *fault;
    struct code **kernels;
    struct names *kernel_names;
    struct expr ***inside, ***back; /* by kernel and buffer */
};

static void evaluate(struct ranging *r, struct expr *const *all, unsigned n,
                     const __int128 *values, unsigned bits)
{
    for (unsigned i = 0; all && i < n; i++)
        if (all[i] && !r->fault->sentence)
            (void)pg_expr_exact(all[i], values, bits, r->fault);
}

/* Is access "a" of "user" one of a variable that each thread has for itself,
 * without subscripts?
 */
static bool is_own(const struct pg_plan *plan, const struct pg_user *user,
                   unsigned a)
{
    return user->kind == PG_USER_STMT &&
           !pg_plan_has_subscripts(
               plan, plan->scop->stmts[user->index].accesses[a].array);
}

/* The condition on elements of a copy, or of what goes back, at both ends of
 * its box.
 */
static void evaluate_copy(struct ranging *r, unsigned k,
                          const struct action *action, const __int128 *values)
{
    const struct pg_buffer *buffer =
        &r->plan->kernels[k].mapping->buffers[action->user->index];
    const struct expr *inside = action->user->kind == PG_USER_BACK
                                    ? r->back[k][action->user->index]
                                    : r->inside[k][action->user->index];
    unsigned n = r->kernel_names[k].n, bits = r->plan->index_bits;
    __int128 at[MAX_NAMES];

    if (!inside || action->n > MAX_BOX || action->n_place > MAX_BOX)
        return;
    for (int end = 0; end < 2; end++) {
        memcpy(at, values, n * sizeof(*at));
        for (unsigned d = 0; d < action->n; d++)
            at[n + d] =
                pg_expr_exact(action->args[d], values, bits, r->fault) +
                (end ? (__int128)(buffer->extent[d] - 1) * buffer->stride[d]
                     : 0);
        for (unsigned i = 0; i < action->n_place; i++)
            at[n + MAX_BOX + i] =
                pg_expr_exact(action->place[i], values, bits, r->fault);
        (void)pg_expr_exact(inside, at, bits, r->fault);
    }
}

/* All expressions of kernel "k", for values of the names before those of
 * threads.
 */
static void range_kernel(struct ranging *r, unsigned k, const __int128 *base,
                         const __int128 *grid)
{
    const struct pg_kernel *kernel = &r->plan->kernels[k];
    unsigned n = r->kernel_names[k].n - 6, bits = r->plan->index_bits;
    const struct action *action;

    for (int corner = 0; corner < 4; corner++) {
        __int128 values[MAX_NAMES];
        size_t at = 0;

        memcpy(values, base, n * sizeof(*values));
        for (int d = 0; d < 3; d++) {
            values[n + d] = corner & 1 ? kernel->mapping->block[d] - 1 : 0;
            values[n + 3 + d] = corner & 2 ? grid[d] - 1 : 0;
        }
        while ((action = pg_code_jump(r->kernels[k], &at, values, bits, r->work,
                                      r->fault))) {
            evaluate(r, action->args, action->n, values, bits);
            for (unsigned a = 0; a < action->n_access; a++)
                if (!is_own(r->plan, action->user, a))
                    evaluate(r, action->access[a], action->n_subscript[a],
                             values, bits);
            evaluate(r, action->guard, action->n_access, values, bits);
            evaluate(r, &action->whole, 1, values, bits);
            if (action->user && (action->user->kind == PG_USER_COPY ||
                                 action->user->kind == PG_USER_BACK))
                evaluate_copy(r, k, action, values);
            *r->work -= 4 + 4 * (long)action->n_access;
        }
    }
}

/* All expressions of a part of the host, and of the kernels that it launches.
 */
static void range_host(struct ranging *r, isl_ast_node *node)
{
    struct names names = r->names;
    const struct action *action;
    __int128 values[MAX_NAMES];
    struct code *code;
    size_t at = 0;

    code = pg_code_compile(node, &names, r->fault);
    memcpy(values, r->values, sizeof(values));
    while ((action = pg_code_jump(code, &at, values, HOST_BITS, r->work,
                                  r->fault))) {
        __int128 base[MAX_NAMES], grid[3];
        unsigned k;

        evaluate(r, action->args, action->n, values, HOST_BITS);
        if (!action->user || action->user->kind != PG_USER_LAUNCH)
            continue;
        k = action->user->index;
        memcpy(base, r->values, r->names.n * sizeof(*base));
        for (unsigned h = 0; h < action->n; h++)
            base[r->names.n + h] =
                pg_expr_exact(action->args[h], values, HOST_BITS, r->fault);
        for (int d = 0; d < 3; d++)
            grid[d] =
                pg_expr_exact(action->grid[d], values, HOST_BITS, r->fault);
        if (!r->fault->sentence && grid[0] > 0 && grid[1] > 0 && grid[2] > 0)
            range_kernel(r, k, base, grid);
    }
    pg_code_free(code);
}

/* Translate kernel "k". */
static void take_kernel(struct ranging *r, unsigned k)
{
    static const char *const ids[] = {"t0", "t1", "t2", "b0", "b1", "b2"};
    static const char *const subscripts[] = {"e0", "e1", "e2", "e3",
                                             "e4", "e5", "e6", "e7"};
    static const char *const places[] = {"i0", "i1", "i2", "i3",
                                         "i4", "i5", "i6", "i7"};
    const struct pg_kernel *kernel = &r->plan->kernels[k];
    isl_ctx *ctx = r->plan->scop->ctx;
    struct names names = r->names;

    for (unsigned h = 0; h < kernel->n_host; h++)
        pg_names_add_text(&names, ctx, kernel->host[h], r->fault);
    for (int d = 0; d < 6; d++)
        pg_names_add_text(&names, ctx, ids[d], r->fault);
    r->kernel_names[k] = names;
    r->kernels[k] = pg_code_compile(kernel->ast, &names, r->fault);
    for (int d = 0; d < MAX_BOX; d++)
        pg_names_add_text(&names, ctx, subscripts[d], r->fault);
    for (int d = 0; pg_buffers_have_places(kernel->mapping) && d < MAX_BOX; d++)
        pg_names_add_text(&names, ctx, places[d], r->fault);
    r->inside[k] = pg_alloc(kernel->mapping->n_buffer, sizeof(struct expr *));
    r->back[k] = pg_alloc(kernel->mapping->n_buffer, sizeof(struct expr *));
    for (unsigned i = 0; i < kernel->mapping->n_buffer; i++) {
        r->inside[k][i] = pg_expr_compile(kernel->inside[i], &names, r->fault);
        r->back[k][i] = pg_expr_compile(kernel->back[i], &names, r->fault);
    }
}

static void forget_kernel(struct ranging *r, unsigned k)
{
    pg_code_free(r->kernels[k]);
    for (unsigned i = 0;
         r->inside[k] && i < r->plan->kernels[k].mapping->n_buffer; i++) {
        pg_expr_free(r->inside[k][i]);
        pg_expr_free(r->back[k][i]);
    }
    free(r->inside[k]);
    free(r->back[k]);
}

void pg_range_check(const struct pg_plan *plan, const long long *values,
                    long *work, struct pg_fault *fault)
{
    struct ranging r = {.plan = plan, .work = work, .fault = fault};

    r.names.exact = true;
    r.kernels = pg_alloc(plan->n_kernel, sizeof(*r.kernels));
    r.kernel_names = pg_alloc(plan->n_kernel, sizeof(*r.kernel_names));
    r.inside = pg_alloc(plan->n_kernel, sizeof(*r.inside));
    r.back = pg_alloc(plan->n_kernel, sizeof(*r.back));
    for (unsigned p = 0; p < plan->scop->n_param; p++) {
        pg_names_add_text(&r.names, plan->scop->ctx, plan->scop->params[p].name,
                          fault);
        r.values[p] = values[p];
    }
    for (unsigned k = 0; k < plan->n_kernel && !fault->sentence; k++)
        take_kernel(&r, k);
    if (!fault->sentence)
        range_host(&r, plan->host);
    if (!r.fault->sentence && plan->chained)
        range_host(&r, plan->chained);
    if (!fault->sentence)
        range_host(&r, plan->in);
    if (!fault->sentence)
        range_host(&r, plan->out);
    for (unsigned k = 0; k < plan->n_kernel; k++)
        forget_kernel(&r, k);
    free(r.kernels);
    free(r.kernel_names);
    free(r.inside);
    free(r.back);
}
