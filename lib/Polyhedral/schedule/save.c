/* save.c - copies of inputs that the SCoP overwrites.
 *
 * A read of what was in an array before the SCoP has to come before the write
 * that replaces it, and only for that.  With a copy of these elements, made
 * before everything else, it may come at any time: the anti-dependence is gone
 * (Di and Xue remove false dependences of stencils that way).  A copy has as
 * many elements as are read so, and exists on the device only.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "schedule/save.h"
#include "dependence/dependences.h"
#include "polygpu/polyhedral.h"
#include "schedule/expand.h"
#include "schedule/tree.h"
#include "scop/scop.h"
#include "support/coalesce.h"
#include "support/text.h"

#include <isl/space.h>
#include <stdlib.h>

/* Does every instance of read "access" of "stmt" get what was there before the
 * SCoP, and does it have to come before a write for no other reason?
 */
static bool is_overwritten_input(const struct pg_scop *scop,
                                 const struct pg_stmt *stmt,
                                 const struct pg_access *access)
{
    isl_union_map *read, *writes, *flow, *order;
    isl_bool input, implied;
    isl_map *map;

    if (access->write)
        return false;
    map = isl_map_intersect_domain(isl_map_copy(access->relation),
                                   isl_set_copy(stmt->domain));
    map = isl_map_intersect_params(map, isl_set_copy(scop->context));
    read = isl_union_map_from_map(map);
    writes = pg_scop_accesses_of(scop, access->array, true);
    flow = pg_value_flow(isl_union_map_copy(read), isl_union_map_copy(writes),
                         isl_schedule_copy(scop->original), NULL);
    input = isl_union_map_is_empty(flow);
    isl_union_map_free(flow);
    order =
        pg_anti_dependences(read, writes, isl_schedule_copy(scop->original));
    order = isl_union_map_subtract(order, isl_union_map_copy(scop->raw));
    order = isl_union_map_subtract(order, isl_union_map_copy(scop->waw));
    implied = isl_union_map_is_empty(order);
    isl_union_map_free(order);
    return input == isl_bool_true && implied == isl_bool_false;
}

/* The elements of array "array" that the "chosen" accesses of the first
 * "n_stmt" statements read.
 */
static __isl_give isl_set *elements(const struct pg_scop *scop, unsigned array,
                                    bool **chosen, unsigned n_stmt)
{
    isl_set *all = NULL;

    for (unsigned s = 0; s < n_stmt; s++)
        for (unsigned j = 0; j < scop->stmts[s].n_access; j++) {
            const struct pg_access *access = &scop->stmts[s].accesses[j];
            isl_set *set;

            if (!chosen[s][j] || access->array != array)
                continue;
            set = isl_map_range(
                isl_map_intersect_domain(isl_map_copy(access->relation),
                                         isl_set_copy(scop->stmts[s].domain)));
            set = isl_set_intersect_params(set, isl_set_copy(scop->context));
            all = all ? isl_set_union(all, set) : set;
        }
    return pg_coalesce(all);
}

/* Have a statement copy "elements" of "array", a temporary, before all others.
 */
static isl_stat add_copy(struct pg_scop *scop, unsigned array,
                         unsigned temporary, __isl_take isl_set *elements)
{
    struct pg_stmt *copy = pg_scop_add_stmt(scop);
    isl_map *read =
        isl_map_identity(isl_space_map_from_set(isl_set_get_space(elements)));

    copy->copy = true;
    copy->origin = scop->n_stmt - 1;
    copy->total = true;
    copy->name = pg_format("save%u", array);
    read = isl_map_set_tuple_name(read, isl_dim_in, copy->name);
    copy->domain = isl_set_set_tuple_name(elements, copy->name);
    copy->n_access = 2;
    copy->accesses = pg_alloc(2, sizeof(*copy->accesses));
    copy->accesses[0] = (struct pg_access){array, false, true, read};
    copy->accesses[1] = (struct pg_access){
        temporary, true, true,
        isl_map_set_tuple_name(isl_map_copy(read), isl_dim_out,
                               scop->arrays[temporary].name)};
    scop->original = isl_schedule_sequence(
        pg_tree_scan(isl_set_copy(copy->domain)), scop->original);
    return copy->domain && scop->original ? isl_stat_ok : isl_stat_error;
}

/* Have the "chosen" reads of "array" by the first "n_stmt" statements, the
 * source's, go to a copy, if there are any.
 */
static isl_stat save_array(struct pg_scop *scop, unsigned array, bool **chosen,
                           unsigned n_stmt, bool *done)
{
    isl_set *set = elements(scop, array, chosen, n_stmt);
    isl_pw_aff **extents;
    unsigned temporary;

    if (!set)
        return isl_ctx_last_error(scop->ctx) == isl_error_none ? isl_stat_ok
                                                               : isl_stat_error;
    extents = pg_set_extents(set);
    if (!extents) {
        isl_set_free(set);
        return isl_stat_ok;
    }
    pg_scop_add_temporary(scop, array, "before", 0, extents);
    temporary = scop->n_array - 1;
    for (unsigned s = 0; s < n_stmt; s++)
        for (unsigned j = 0; j < scop->stmts[s].n_access; j++) {
            struct pg_access *access = &scop->stmts[s].accesses[j];

            if (!chosen[s][j] || access->array != array)
                continue;
            access->array = temporary;
            access->relation = isl_map_set_tuple_name(
                access->relation, isl_dim_out, scop->arrays[temporary].name);
        }
    *done = true;
    return add_copy(scop, array, temporary, set);
}

/* A copy of "scop" in which inputs that are overwritten are read from copies.
 * NULL if there are none, or after an error of isl.
 */
struct pg_scop *pg_scop_save(const struct pg_scop *scop)
{
    struct pg_scop *copy = pg_scop_copy(scop);
    bool **chosen = pg_alloc(scop->n_stmt, sizeof(*chosen));
    isl_stat result = isl_stat_ok;
    bool done = false;

    for (unsigned s = 0; s < scop->n_stmt; s++) {
        const struct pg_stmt *stmt = &scop->stmts[s];

        chosen[s] = pg_alloc(stmt->n_access, sizeof(**chosen));
        for (unsigned j = 0; j < stmt->n_access; j++)
            chosen[s][j] = is_overwritten_input(scop, stmt, &stmt->accesses[j]);
    }
    for (unsigned a = 0; result == isl_stat_ok && a < scop->n_array; a++)
        if (scop->arrays[a].kind == PG_ARRAY_MEMORY &&
            scop->arrays[a].n_dim > 0)
            result = save_array(copy, a, chosen, scop->n_stmt, &done);
    for (unsigned s = 0; s < scop->n_stmt; s++)
        free(chosen[s]);
    free(chosen);
    if (result == isl_stat_ok && done)
        return copy;
    pg_scop_free(copy);
    return NULL;
}
