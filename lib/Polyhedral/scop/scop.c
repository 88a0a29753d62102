/* scop.c - the SCoP: life, and what follows directly from its parts.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "scop/scop.h"
#include "polygpu/polyhedral.h"
#include "support/text.h"

#include <isl/space.h>
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
    free(stmt->updates);
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
    isl_set_free(scop->types);
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
    isl_union_pw_aff_free(scop->blocks);
    free(scop->not_taken);
    pg_scop_free(scop->instead);
    free(scop);
}

void pg_scop_without_overlap(struct pg_scop *scop)
{
    struct pg_scop *plain = scop->instead, tiled = *scop;

    *scop = *plain;
    *plain = tiled;
    plain->instead = NULL;
    pg_scop_free(plain);
}

/* "count" extents, some of them NULL. */
static isl_pw_aff **copy_extents(isl_pw_aff *const *extents, unsigned count)
{
    isl_pw_aff **copy;

    if (!extents)
        return NULL;
    copy = pg_alloc(count, sizeof(*copy));
    for (unsigned d = 0; d < count; d++)
        copy[d] = isl_pw_aff_copy(extents[d]);
    return copy;
}

/* A copy of "array". */
static struct pg_array copy_array(const struct pg_array *array)
{
    struct pg_array copy = *array;

    copy.name = pg_strdup(array->name);
    copy.source_name = pg_strdup(array->source_name);
    copy.type = pg_strdup(array->type);
    copy.extent = copy_extents(array->extent, array->n_dim);
    return copy;
}

/* Does "scop" update elements through indices?  There are no accesses for that,
 * and no instance may happen twice.
 */
bool pg_scop_has_updates(const struct pg_scop *scop)
{
    for (unsigned a = 0; a < scop->n_array; a++)
        if (scop->arrays[a].updated)
            return true;
    return false;
}

/* Do no values of "array" go to the host? */
bool pg_array_stays(const struct pg_array *array)
{
    return array->dead_after &&
           (array->n_dim == 0 || array->kind == PG_ARRAY_TEMPORARY);
}

/* The operations and accesses of an instance. */
double pg_stmt_weight(const struct pg_stmt *stmt)
{
    return stmt->weight > 0 ? stmt->weight : 1 + stmt->n_access;
}

/* The instructions that an instance is. */
double pg_stmt_code(const struct pg_stmt *stmt)
{
    return stmt->code > 0 ? stmt->code : pg_stmt_weight(stmt);
}

/* One more array, all zero. */
struct pg_array *pg_scop_add_array(struct pg_scop *scop)
{
    scop->arrays = pg_grow(scop->arrays, scop->n_array, sizeof(*scop->arrays));
    return &scop->arrays[scop->n_array++];
}

/* A temporary for values of array "origin", with "n_more" dimensions in front
 * of those of that and with "extents" (taken); its name ends in "suffix".
 */
struct pg_array *pg_scop_add_temporary(struct pg_scop *scop, unsigned origin,
                                       const char *suffix, unsigned n_more,
                                       isl_pw_aff **extents)
{
    struct pg_array *temporary = pg_scop_add_array(scop);
    const struct pg_array *array = &scop->arrays[origin];
    char *name = pg_format("%s_%s", array->name, suffix);

    for (unsigned i = 2; pg_scop_find_array(scop, name) >= 0; i++) {
        free(name);
        name = pg_format("%s_%s%u", array->name, suffix, i);
    }
    temporary->name = name;
    temporary->source_name = pg_strdup(array->source_name);
    temporary->type = pg_strdup(array->type);
    temporary->elem_size = array->elem_size;
    temporary->kind = PG_ARRAY_TEMPORARY;
    temporary->n_dim = array->n_dim + n_more;
    temporary->extent = extents;
    temporary->dead_after = true;
    temporary->origin = origin;
    return temporary;
}

/* The operator in the text form. */
const char *pg_operator_name(enum pg_operator op)
{
    static const char *const names[] = {"none", "add",  "mul",  "and",
                                        "or",   "xor",  "min",  "max",
                                        "umin", "umax", "fmin", "fmax"};

    return names[op];
}

/* One more statement, all zero. */
struct pg_stmt *pg_scop_add_stmt(struct pg_scop *scop)
{
    scop->stmts = pg_grow(scop->stmts, scop->n_stmt, sizeof(*scop->stmts));
    return &scop->stmts[scop->n_stmt++];
}

/* One more update of "stmt", all zero. */
struct pg_update *pg_stmt_add_update(struct pg_stmt *stmt)
{
    stmt->updates =
        pg_grow(stmt->updates, stmt->n_update, sizeof(*stmt->updates));
    return &stmt->updates[stmt->n_update++];
}

/* The update that reads or writes access number "a" of "stmt", or NULL. */
const struct pg_update *pg_stmt_update(const struct pg_stmt *stmt, unsigned a)
{
    for (unsigned i = 0; i < stmt->n_update; i++)
        if (stmt->updates[i].old == a || stmt->updates[i].updated == a)
            return &stmt->updates[i];
    return NULL;
}

/* A copy of "stmt". */
struct pg_stmt pg_stmt_copy(const struct pg_stmt *stmt)
{
    struct pg_stmt copy = *stmt;

    copy.name = pg_strdup(stmt->name);
    copy.domain = isl_set_copy(stmt->domain);
    copy.accesses = pg_alloc(stmt->n_access, sizeof(*copy.accesses));
    for (unsigned i = 0; i < stmt->n_access; i++) {
        copy.accesses[i] = stmt->accesses[i];
        copy.accesses[i].relation = isl_map_copy(stmt->accesses[i].relation);
    }
    copy.n_update = 0;
    copy.updates = NULL;
    for (unsigned i = 0; i < stmt->n_update; i++)
        *pg_stmt_add_update(&copy) = stmt->updates[i];
    return copy;
}

/* A copy of "scop" without what the steps computed. */
struct pg_scop *pg_scop_copy(const struct pg_scop *scop)
{
    struct pg_scop *copy = pg_scop_alloc(scop->ctx);

    copy->function = pg_strdup(scop->function);
    copy->file = pg_strdup(scop->file);
    copy->line = scop->line;
    copy->context = isl_set_copy(scop->context);
    copy->types = isl_set_copy(scop->types);
    copy->n_param = scop->n_param;
    copy->params = pg_alloc(scop->n_param, sizeof(*copy->params));
    for (unsigned i = 0; i < scop->n_param; i++) {
        copy->params[i].name = pg_strdup(scop->params[i].name);
        copy->params[i].source_name = pg_strdup(scop->params[i].source_name);
    }
    for (unsigned i = 0; i < scop->n_array; i++)
        *pg_scop_add_array(copy) = copy_array(&scop->arrays[i]);
    for (unsigned i = 0; i < scop->n_stmt; i++)
        *pg_scop_add_stmt(copy) = pg_stmt_copy(&scop->stmts[i]);
    copy->original = isl_schedule_copy(scop->original);
    return copy;
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

/* All writes, or all reads, of array "array" by instances that exist. */
__isl_give isl_union_map *pg_scop_accesses_of(const struct pg_scop *scop,
                                              unsigned array, bool write)
{
    isl_union_map *all = isl_union_map_empty(isl_set_get_space(scop->context));

    for (unsigned i = 0; i < scop->n_stmt; i++)
        for (unsigned j = 0; j < scop->stmts[i].n_access; j++) {
            const struct pg_access *access = &scop->stmts[i].accesses[j];

            if (access->array != array || access->write != write)
                continue;
            all = isl_union_map_add_map(all, isl_map_copy(access->relation));
        }
    return isl_union_map_intersect_domain(all, pg_scop_domain(scop));
}

/* Those of "sets" that are elements { A[x] } of array "array". */
__isl_give isl_set *pg_scop_elements(const struct pg_scop *scop,
                                     __isl_keep isl_union_set *sets,
                                     unsigned array)
{
    isl_space *space = isl_set_get_space(scop->context);

    space = isl_space_set_from_params(space);
    space = isl_space_add_dims(space, isl_dim_set, scop->arrays[array].n_dim);
    space =
        isl_space_set_tuple_name(space, isl_dim_set, scop->arrays[array].name);
    return isl_union_set_extract_set(sets, space);
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
        if (scop->arrays[i].name && !strcmp(scop->arrays[i].name, name))
            return (int)i;
    return -1;
}
