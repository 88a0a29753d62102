/* relax.c - the dependences that reductions have to keep.
 *
 * Updates x = x op e of one element, with an operator that is associative and
 * commutative, may come in any order, but all of them behind what else came
 * before one of them, and before what came behind one (Doerfert et al.,
 * "Polly's polyhedral scheduling in the presence of reductions", IMPACT 2015).
 * pg_scop_relax makes a SCoP with just these dependences: updates read an
 * element of another array, which all others that access the element write.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "schedule/relax.h"
#include "polygpu/polyhedral.h"
#include "scop/scop.h"
#include "support/text.h"

#include <isl/space.h>
#include <stdlib.h>

/* The update of array "a" by "stmt" with "op", or NULL; also if that accesses
 * the array in another way as well.
 */
const struct pg_update *pg_update_of(const struct pg_stmt *stmt, unsigned a,
                                     enum pg_operator op)
{
    for (unsigned j = 0; j < stmt->n_access; j++)
        if (stmt->accesses[j].array == a && !pg_stmt_update(stmt, j))
            return NULL;
    for (unsigned i = 0; i < stmt->n_update; i++)
        if (stmt->updates[i].op == op &&
            stmt->accesses[stmt->updates[i].old].array == a)
            return &stmt->updates[i];
    return NULL;
}

/* The operator with which a chosen statement updates array "a"; of several the
 * one that is in most loops.
 */
enum pg_operator pg_operator_of(const struct pg_scop *scop, const bool *chosen,
                                unsigned a)
{
    enum pg_operator op = PG_OP_NONE;
    isl_size most = -1;

    for (unsigned s = 0; s < scop->n_stmt; s++)
        for (unsigned i = 0; chosen[s] && i < scop->stmts[s].n_update; i++) {
            const struct pg_stmt *stmt = &scop->stmts[s];
            isl_size loops = isl_set_dim(stmt->domain, isl_dim_set);

            if (stmt->accesses[stmt->updates[i].old].array != a ||
                loops <= most)
                continue;
            op = stmt->updates[i].op;
            most = loops;
        }
    return op;
}

/* Have "stmt" write elements of "order", which is called "name", where it
 * accesses array "a".
 */
static void add_order(struct pg_stmt *stmt, unsigned a, unsigned order,
                      const char *name)
{
    unsigned n = stmt->n_access;
    struct pg_access *all = pg_alloc(2 * (size_t)n, sizeof(*all));

    for (unsigned j = 0; j < n; j++) {
        all[j] = stmt->accesses[j];
        if (all[j].array == a)
            all[stmt->n_access++] = (struct pg_access){
                order, true, true,
                isl_map_set_tuple_name(isl_map_copy(all[j].relation),
                                       isl_dim_out, name),
                false};
    }
    free(stmt->accesses);
    stmt->accesses = all;
}

/* Have updates of array "a" with "op" only read an element of another array
 * instead, which all others that access the array write as well.
 */
static void relax_array(struct pg_scop *scop, unsigned a, enum pg_operator op)
{
    unsigned order = scop->n_array;
    struct pg_array *array = pg_scop_add_array(scop);

    array->name = pg_format("%s_order", scop->arrays[a].name);
    array->kind = PG_ARRAY_MEMORY;
    array->n_dim = scop->arrays[a].n_dim;
    array->dead_after = true;
    array->origin = order;
    for (unsigned s = 0; s < scop->n_stmt; s++) {
        struct pg_stmt *stmt = &scop->stmts[s];
        const struct pg_update *update = pg_update_of(stmt, a, op);

        if (update) {
            struct pg_access *old = &stmt->accesses[update->old];
            struct pg_access *updated = &stmt->accesses[update->updated];
            isl_space *space = isl_map_get_space(updated->relation);

            old->array = order;
            old->relation =
                isl_map_set_tuple_name(old->relation, isl_dim_out, array->name);
            isl_map_free(updated->relation);
            updated->relation = isl_map_empty(space);
            continue;
        }
        add_order(stmt, a, order, array->name);
    }
}

/* A SCoP with the instances of "scop" and those dependences that have to be
 * kept if updates like those of the "chosen" statements may come in any order.
 * It is good for that only.
 */
struct pg_scop *pg_scop_relax(const struct pg_scop *scop, const bool *chosen)
{
    struct pg_scop *relaxed = pg_scop_copy(scop);

    for (unsigned a = 0; a < scop->n_array; a++) {
        enum pg_operator op = pg_operator_of(scop, chosen, a);

        if (op)
            relax_array(relaxed, a, op);
    }
    return relaxed;
}
