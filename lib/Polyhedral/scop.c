/* scop.c - the SCoP: life, and what follows directly from its parts.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "internal.h"

#include <stdlib.h>
#include <string.h>

/* An empty SCoP in "ctx". */
struct pg_scop *pg_scop_alloc(isl_ctx *ctx)
{
    struct pg_scop *scop = pg_alloc(1, sizeof(*scop));

    scop->ctx = ctx;
    return scop;
}

/* Free what "stmt" holds. */
static void clear_stmt(struct pg_stmt *stmt)
{
    free(stmt->name);
    isl_set_free(stmt->domain);
    for (unsigned i = 0; i < stmt->n_access; i++)
        isl_map_free(stmt->accesses[i].relation);
    free(stmt->accesses);
}

/* Free what "array" holds. */
static void clear_array(struct pg_array *array)
{
    free(array->name);
    free(array->source_name);
    free(array->type);
    for (unsigned d = 0; array->extent && d < array->n_dim; d++)
        isl_pw_aff_free(array->extent[d]);
    free(array->extent);
}

/* Free "scop" with all that it holds, but not its context. */
void pg_scop_free(struct pg_scop *scop)
{
    if (!scop)
        return;
    free(scop->function);
    free(scop->file);
    isl_set_free(scop->context);
    for (unsigned i = 0; i < scop->n_param; i++) {
        free(scop->params[i].name);
        free(scop->params[i].source_name);
    }
    free(scop->params);
    for (unsigned i = 0; i < scop->n_array; i++)
        clear_array(&scop->arrays[i]);
    free(scop->arrays);
    for (unsigned i = 0; i < scop->n_stmt; i++)
        clear_stmt(&scop->stmts[i]);
    free(scop->stmts);
    isl_schedule_free(scop->original);
    isl_union_map_free(scop->raw);
    isl_union_map_free(scop->war);
    isl_union_map_free(scop->waw);
    isl_union_set_free(scop->live_in);
    isl_union_set_free(scop->live_out);
    isl_schedule_free(scop->schedule);
    free(scop);
}

/* All statement instances { S[i] } under the context. */
__isl_give isl_union_set *pg_scop_domain(const struct pg_scop *scop)
{
    isl_union_set *domain =
        isl_union_set_empty(isl_set_get_space(scop->context));

    for (unsigned i = 0; i < scop->n_stmt; i++)
        domain =
            isl_union_set_add_set(domain, isl_set_copy(scop->stmts[i].domain));
    return isl_union_set_intersect_params(domain, isl_set_copy(scop->context));
}

/* All writes, or all reads, { S[i] -> A[x] }, of instances that exist. */
__isl_give isl_union_map *pg_scop_accesses(const struct pg_scop *scop,
                                           bool write)
{
    isl_union_map *all = isl_union_map_empty(isl_set_get_space(scop->context));

    for (unsigned i = 0; i < scop->n_stmt; i++)
        for (unsigned j = 0; j < scop->stmts[i].n_access; j++)
            if (scop->stmts[i].accesses[j].write == write)
                all = isl_union_map_add_map(
                    all, isl_map_copy(scop->stmts[i].accesses[j].relation));
    return isl_union_map_intersect_domain(all, pg_scop_domain(scop));
}

/* All dependences { S[i] -> T[j] }: what a schedule must respect. */
__isl_give isl_union_map *pg_scop_order(const struct pg_scop *scop)
{
    isl_union_map *order = isl_union_map_copy(scop->raw);

    order = isl_union_map_union(order, isl_union_map_copy(scop->war));
    order = isl_union_map_union(order, isl_union_map_copy(scop->waw));
    return isl_union_map_coalesce(order);
}

/* The statement of this name, or -1. */
int pg_scop_find_stmt(const struct pg_scop *scop, const char *name)
{
    for (unsigned i = 0; name && i < scop->n_stmt; i++)
        if (!strcmp(scop->stmts[i].name, name))
            return (int)i;
    return -1;
}

/* The array of this name, or -1. */
int pg_scop_find_array(const struct pg_scop *scop, const char *name)
{
    for (unsigned i = 0; name && i < scop->n_array; i++)
        if (!strcmp(scop->arrays[i].name, name))
            return (int)i;
    return -1;
}
