/* conditions.c - what guarded accesses mean for copies.
 *
 * Kernels make guarded accesses always, since the device's memory is theirs.
 * The host's is not: what the program does not write is not to be written, not
 * even with the value that it has, and what it does not read may not be there.
 * So where guarded accesses are the only ones to some elements that move, the
 * array is flagged (a byte map says what was really written) or probed (it is
 * seen whether the memory is there before it is read).
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "polygpu/polyhedral.h"
#include "scop/scop.h"
#include "support/phase.h"
#include "support/values.h"

#include <isl/space.h>
#include <limits.h>

/* All elements { A[x] } of array "array" that the program surely accesses, or
 * writes.
 */
static __isl_give isl_union_set *sure(const struct pg_scop *scop,
                                      unsigned array, bool write)
{
    isl_union_map *all = isl_union_map_empty(isl_set_get_space(scop->context));

    for (unsigned i = 0; i < scop->n_stmt; i++)
        for (unsigned j = 0; j < scop->stmts[i].n_access; j++) {
            const struct pg_access *access = &scop->stmts[i].accesses[j];

            if (access->array == array && !access->guarded &&
                (access->write || !write))
                all =
                    isl_union_map_add_map(all, isl_map_copy(access->relation));
        }
    return isl_union_map_range(
        isl_union_map_intersect_domain(all, pg_scop_domain(scop)));
}

/* The number that "extent" is, or 0. */
static unsigned long number_of(__isl_keep isl_pw_aff *extent)
{
    isl_aff *aff = pg_only_expression(isl_pw_aff_copy(extent));
    isl_val *value = aff ? isl_aff_get_constant_val(aff) : NULL;
    long n = 0;

    if (value && isl_aff_is_cst(aff) == isl_bool_true &&
        isl_val_is_int(value) == isl_bool_true)
        n = isl_val_get_num_si(value);
    isl_val_free(value);
    isl_aff_free(aff);
    return n > 0 && n <= INT_MAX ? (unsigned long)n : 0;
}

/* The whole rows { A[x] } among the known elements of "array". */
static __isl_give isl_set *known(const struct pg_scop *scop, unsigned array,
                                 __isl_take isl_space *space)
{
    const struct pg_array *a = &scop->arrays[array];
    isl_set *set = isl_set_universe(space);
    unsigned long rows = a->known;

    for (unsigned d = 1; d < a->n_dim; d++) {
        unsigned long n = number_of(a->extent[d]);

        rows = n ? rows / n : 0;
        set = isl_set_lower_bound_si(set, isl_dim_set, d, 0);
        set = isl_set_upper_bound_si(set, isl_dim_set, d, (int)n - 1);
    }
    if (a->n_dim > 0) {
        set = isl_set_lower_bound_si(set, isl_dim_set, 0, 0);
        set = isl_set_upper_bound_si(set, isl_dim_set, 0, (int)rows - 1);
    }
    return set;
}

/* Are there elements of "array" in "moved" that are not among the sure ones? */
static isl_bool has_others(const struct pg_scop *scop, unsigned array,
                           __isl_keep isl_union_set *moved, bool write)
{
    isl_set *elements = pg_scop_elements(scop, moved, array);
    isl_space *space = isl_set_get_space(elements);
    isl_union_set *set = isl_union_set_from_set(elements);
    isl_union_set *others;
    isl_bool none;

    set = isl_union_set_intersect_params(set, isl_set_copy(scop->context));
    others = isl_union_set_subtract(set, sure(scop, array, write));
    if (!write && scop->arrays[array].known)
        others = isl_union_set_subtract(
            others, isl_union_set_from_set(known(scop, array, space)));
    else
        isl_space_free(space);
    none = isl_union_set_is_empty(others);
    isl_union_set_free(others);
    return isl_bool_not(none);
}

/* Does each guarded write of "stmt" write again what the instance has read of
 * the same element?  Else the reason goes to the report.
 */
static isl_stat check_guarded(const struct pg_scop *scop,
                              const struct pg_stmt *stmt,
                              struct pg_phase *phase)
{
    for (unsigned w = 0; w < stmt->n_access; w++) {
        const struct pg_access *write = &stmt->accesses[w];
        const struct pg_array *array = &scop->arrays[write->array];
        isl_bool found = isl_bool_ok(!write->write || !write->guarded ||
                                     array->kind != PG_ARRAY_MEMORY);

        for (unsigned r = 0; found == isl_bool_false && r < stmt->n_access; r++)
            if (!stmt->accesses[r].write &&
                stmt->accesses[r].array == write->array)
                found = isl_map_is_equal(stmt->accesses[r].relation,
                                         write->relation);
        if (found == isl_bool_false)
            pg_phase_fail(phase, PG_MAY_WRITE, stmt->name,
                          "the write to '%s' may not happen; make it "
                          "unconditional",
                          array->source_name ? array->source_name
                                             : array->name);
        if (found != isl_bool_true)
            return isl_stat_error;
    }
    return isl_stat_ok;
}

static bool is_guarded(const struct pg_scop *scop, unsigned array)
{
    for (unsigned i = 0; i < scop->n_stmt; i++)
        for (unsigned j = 0; j < scop->stmts[i].n_access; j++)
            if (scop->stmts[i].accesses[j].array == array &&
                scop->stmts[i].accesses[j].guarded)
                return true;
    return false;
}

/* No other statement may write a flagged array: partial results would. */
static void drop_updates(struct pg_scop *scop, unsigned array)
{
    for (unsigned i = 0; i < scop->n_stmt; i++) {
        struct pg_stmt *stmt = &scop->stmts[i];
        unsigned n = 0;

        for (unsigned u = 0; u < stmt->n_update; u++)
            if (stmt->accesses[stmt->updates[u].updated].array != array)
                stmt->updates[n++] = stmt->updates[u];
        stmt->n_update = n;
    }
}

static isl_stat look_at(struct pg_scop *scop, unsigned a)
{
    struct pg_array *array = &scop->arrays[a];
    isl_bool flagged = isl_bool_false, probed;

    if (array->kind != PG_ARRAY_MEMORY || !is_guarded(scop, a))
        return isl_stat_ok;
    probed = has_others(scop, a, scop->live_in, false);
    if (!array->dead_after)
        flagged = has_others(scop, a, scop->live_out, true);
    if (probed < 0 || flagged < 0)
        return isl_stat_error;
    array->probed = probed == isl_bool_true;
    array->flagged = flagged == isl_bool_true;
    if (array->flagged)
        drop_updates(scop, a);
    return isl_stat_ok;
}

isl_stat pg_conditions(struct pg_scop *scop, const struct pg_options *options,
                       struct pg_report *report)
{
    struct pg_phase phase;
    isl_stat result = isl_stat_ok;

    pg_phase_begin(&phase, scop->ctx, "analysis of conditions", options,
                   report);
    for (unsigned i = 0; result == isl_stat_ok && i < scop->n_stmt; i++)
        result = check_guarded(scop, &scop->stmts[i], &phase);
    for (unsigned a = 0; result == isl_stat_ok && a < scop->n_array; a++)
        result = look_at(scop, a);
    return pg_phase_end(&phase, result);
}
