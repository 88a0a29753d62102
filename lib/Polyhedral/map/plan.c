/* plan.c - the end of a plan.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "map/plan.h"
#include "map/mapping.h"
#include "polygpu/polyhedral.h"

#include <stdlib.h>

/* Free what "count" holds. */
static void clear_count(struct pg_count *count)
{
    for (unsigned i = 0; i < count->n_bound; i++)
        free(count->bounds[i].factors);
    free(count->bounds);
}

/* Free all counts of "plan", which has none afterwards. */
void pg_counts_clear(struct pg_plan *plan)
{
    for (unsigned i = 0; i < plan->n_count; i++)
        clear_count(&plan->counts[i]);
    free(plan->counts);
    plan->counts = NULL;
    plan->n_count = 0;
}

/* Free what was made of the mapping of "kernel". */
void pg_kernel_forget_ast(struct pg_kernel *kernel)
{
    kernel->ast = isl_ast_node_free(kernel->ast);
    for (unsigned i = 0; kernel->inside && i < kernel->mapping->n_buffer; i++)
        isl_ast_expr_free(kernel->inside[i]);
    for (unsigned i = 0; kernel->back && i < kernel->mapping->n_buffer; i++)
        isl_ast_expr_free(kernel->back[i]);
    free(kernel->inside);
    free(kernel->back);
    kernel->inside = kernel->back = NULL;
}

/* Free what "kernel" holds. */
void pg_kernel_clear(struct pg_kernel *kernel)
{
    free(kernel->name);
    for (unsigned i = 0; i < kernel->n_host; i++)
        free(kernel->host[i]);
    free(kernel->host);
    pg_kernel_forget_ast(kernel);
    isl_union_set_free(kernel->domain);
    isl_map_free(kernel->when);
    isl_union_set_free(kernel->steps);
    isl_union_set_free(kernel->alone);
    for (unsigned i = 0; i < kernel->n_candidate; i++)
        pg_mapping_clear(&kernel->candidates[i]);
    free(kernel->candidates);
    free(kernel->choice);
    free(kernel->again);
}

/* Free "plan" with all that it holds, but not its scop. */
void pg_plan_free(struct pg_plan *plan)
{
    if (!plan)
        return;
    for (unsigned i = 0; i < plan->n_kernel; i++)
        pg_kernel_clear(&plan->kernels[i]);
    free(plan->kernels);
    isl_union_map_free(plan->host_schedule);
    isl_ast_node_free(plan->host);
    isl_union_map_free(plan->chained_schedule);
    isl_set_free(plan->chained_if);
    isl_ast_node_free(plan->chained);
    isl_ast_expr_free(plan->chain);
    isl_ast_node_free(plan->in);
    isl_ast_node_free(plan->out);
    isl_ast_expr_free(plan->nonempty);
    for (unsigned a = 0; plan->extents && a < plan->scop->n_array; a++) {
        for (unsigned d = 0;
             plan->extents[a] && d < plan->scop->arrays[a].n_dim; d++)
            isl_ast_expr_free(plan->extents[a][d]);
        free(plan->extents[a]);
    }
    free(plan->extents);
    for (unsigned a = 0; plan->own && a < plan->scop->n_array; a++)
        free(plan->own[a]);
    free(plan->own);
    free(plan->is_private);
    free(plan->filled);
    pg_counts_clear(plan);
    free(plan);
}
