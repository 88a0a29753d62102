/* dependences.c - who must run before whom, and what crosses the border.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "dependence/dependences.h"
#include "dependence/cells.h"
#include "polygpu/polyhedral.h"
#include "scop/scop.h"
#include "support/coalesce.h"
#include "support/phase.h"

#include <isl/flow.h>

/* Every write must happen at every instance, and every access must go to one
 * element: else the reason goes to the report.
 */
static isl_stat check_accesses(const struct pg_scop *scop,
                               struct pg_phase *phase)
{
    for (unsigned i = 0; i < scop->n_stmt; i++) {
        const struct pg_stmt *stmt = &scop->stmts[i];

        for (unsigned j = 0; j < stmt->n_access; j++) {
            const struct pg_access *access = &stmt->accesses[j];
            const struct pg_array *array = &scop->arrays[access->array];
            const char *name =
                array->source_name ? array->source_name : array->name;
            isl_bool single;

            if (access->write && !access->must) {
                pg_phase_fail(phase, PG_MAY_WRITE, stmt->name,
                              "the write to '%s' may not happen; make it "
                              "unconditional",
                              name);
                return isl_stat_error;
            }
            single = isl_map_is_single_valued(access->relation);
            if (single < 0)
                return isl_stat_error;
            if (!single) {
                pg_phase_fail(phase, PG_NOT_FUNCTION, stmt->name,
                              "an access to '%s' may go to several elements; "
                              "make its subscripts affine",
                              name);
                return isl_stat_error;
            }
        }
    }
    return isl_stat_ok;
}

/* For the reads "sink" the writes { S[i] -> T[j] } that they get their values
 * from, and in "*no_source" the { A[x] } that no write of the SCoP gives.
 * The reads of an instance come before its own writes.
 */
__isl_give isl_union_map *pg_value_flow(__isl_take isl_union_map *sink,
                                        __isl_take isl_union_map *source,
                                        __isl_take isl_schedule *schedule,
                                        __isl_give isl_union_set **no_source)
{
    isl_union_access_info *info = isl_union_access_info_from_sink(sink);
    isl_union_flow *flow;
    isl_union_map *result;

    info = isl_union_access_info_set_must_source(info, source);
    info = isl_union_access_info_set_schedule(info, schedule);
    flow = isl_union_access_info_compute_flow(info);
    result = isl_union_flow_get_may_dependence(flow);
    if (no_source)
        *no_source =
            isl_union_map_range(isl_union_flow_get_may_no_source(flow));
    isl_union_flow_free(flow);
    return result;
}

/* Those of "reads", { S[i] -> A[x] }, of elements that none of "writes" has
 * written before.
 */
__isl_give isl_union_map *pg_unwritten_reads(__isl_take isl_union_map *reads,
                                             __isl_take isl_union_map *writes,
                                             __isl_take isl_schedule *schedule)
{
    isl_union_access_info *info = isl_union_access_info_from_sink(reads);
    isl_union_flow *flow;
    isl_union_map *result;

    info = isl_union_access_info_set_must_source(info, writes);
    info = isl_union_access_info_set_schedule(info, schedule);
    flow = isl_union_access_info_compute_flow(info);
    result = isl_union_flow_get_may_no_source(flow);
    isl_union_flow_free(flow);
    return result;
}

/* The reads { S[i] -> T[j] } of elements that T[j] overwrites next.  Writes
 * further on come after the next one by the dependences between writes.
 */
__isl_give isl_union_map *pg_anti_dependences(__isl_take isl_union_map *reads,
                                              __isl_take isl_union_map *writes,
                                              __isl_take isl_schedule *schedule)
{
    isl_union_access_info *info;
    isl_union_flow *flow;
    isl_union_map *result;

    info = isl_union_access_info_from_sink(isl_union_map_copy(writes));
    info = isl_union_access_info_set_may_source(info, reads);
    info = isl_union_access_info_set_kill(info, writes);
    info = isl_union_access_info_set_schedule(info, schedule);
    flow = isl_union_access_info_compute_flow(info);
    result = isl_union_flow_get_may_dependence(flow);
    isl_union_flow_free(flow);
    return result;
}

/* All pairs { S[i] -> T[j] } of an access of "source" and a later one of "sink"
 * to the same element, whoever accesses it between them; and in "*no_source",
 * if that is wanted, the { A[x] } of "sink" that no access of "source" comes
 * before. That is more pairs than value flow, of the same order, and they are
 * found without asking which of many sources is the last one.
 */
__isl_give isl_union_map *pg_all_pairs(__isl_take isl_union_map *sink,
                                       __isl_take isl_union_map *source,
                                       __isl_take isl_schedule *schedule,
                                       __isl_give isl_union_set **no_source)
{
    isl_union_access_info *info;
    isl_union_flow *flow;
    isl_union_map *result;

    info = isl_union_access_info_from_sink(isl_union_map_copy(sink));
    info = isl_union_access_info_set_may_source(info, source);
    info = isl_union_access_info_set_schedule(info, schedule);
    flow = isl_union_access_info_compute_flow(info);
    result = isl_union_flow_get_may_dependence(flow);
    if (no_source) {
        isl_union_map *found = isl_union_set_unwrap(
            isl_union_map_range(isl_union_flow_get_full_may_dependence(flow)));

        sink = isl_union_map_subtract(sink, found);
        *no_source = isl_union_map_range(isl_union_map_copy(sink));
    }
    isl_union_map_free(sink);
    isl_union_flow_free(flow);
    return result;
}

/* Make "order" simple, under the scop's context.  A dependence too many, see
 * coalesce.c, is in order.
 */
static __isl_give isl_union_map *simplify(__isl_take isl_union_map *order,
                                          const struct pg_scop *scop)
{
    order = isl_union_map_intersect_params(order, isl_set_copy(scop->context));
    order = isl_union_map_detect_equalities(order);
    return isl_union_map_coalesce(order);
}

/* All elements { A[x] } written in arrays that live on after the SCoP, and in
 * the program's arrays that do not: it is by what is moved that the host knows
 * how large they are.
 */
static __isl_give isl_union_set *written(const struct pg_scop *scop)
{
    isl_union_set *all = isl_union_set_empty(isl_set_get_space(scop->context));

    for (unsigned i = 0; i < scop->n_stmt; i++)
        for (unsigned j = 0; j < scop->stmts[i].n_access; j++) {
            const struct pg_access *access = &scop->stmts[i].accesses[j];
            isl_map *map;

            if (!access->write || pg_array_stays(&scop->arrays[access->array]))
                continue;
            map = isl_map_copy(access->relation);
            map = isl_map_intersect_domain(map,
                                           isl_set_copy(scop->stmts[i].domain));
            all = isl_union_set_add_set(all, isl_map_range(map));
        }
    return all;
}

/* "set" under the context, and then without the context's own constraints,
 * in few pieces.
 */
static __isl_give isl_union_set *tidy(__isl_take isl_union_set *set,
                                      const struct pg_scop *scop)
{
    set = isl_union_set_intersect_params(set, isl_set_copy(scop->context));
    set = isl_union_set_detect_equalities(set);
    return pg_coalesce_union(set);
}

/* Forget the dependences of "scop". */
static void forget(struct pg_scop *scop)
{
    isl_union_map_free(scop->raw);
    isl_union_map_free(scop->war);
    isl_union_map_free(scop->waw);
    isl_union_set_free(scop->live_in);
    isl_union_set_free(scop->live_out);
    scop->raw = scop->war = scop->waw = NULL;
    scop->live_in = scop->live_out = NULL;
}

/* Is access "a" of "stmt" a write of a scalar that it also reads? */
static bool carries(const struct pg_scop *scop, const struct pg_stmt *stmt,
                    unsigned a)
{
    unsigned array = stmt->accesses[a].array;

    if (!stmt->accesses[a].write || scop->arrays[array].n_dim > 0)
        return false;
    for (unsigned i = 0; i < stmt->n_access; i++)
        if (!stmt->accesses[i].write && stmt->accesses[i].array == array)
            return true;
    return false;
}

/* Does "stmt" write scalars, and beside them at most what it updates, if it
 * also hands a scalar on to its next instance?
 */
static bool writes_scalars_only(const struct pg_scop *scop,
                                const struct pg_stmt *stmt)
{
    bool carried = stmt->n_update == 0;

    for (unsigned a = 0; a < stmt->n_access; a++) {
        if (!stmt->accesses[a].write || pg_stmt_update(stmt, a))
            continue;
        if (scop->arrays[stmt->accesses[a].array].n_dim > 0)
            return false;
        carried |= carries(scop, stmt, a);
    }
    return carried;
}

/* Do the loops write scalars only, in the order of the source?  What one
 * instance has written there the next one overwrites, so that none can run
 * beside another: dependences need not be known for that.
 */
static bool has_scalars_only(const struct pg_scop *scop)
{
    if (pg_scop_has_updates(scop))
        return false;
    for (unsigned i = 0; i < scop->n_stmt; i++)
        if (isl_set_dim(scop->stmts[i].domain, isl_dim_set) > 0 &&
            !writes_scalars_only(scop, &scop->stmts[i]))
            return false;
    return true;
}

/* Set the dependences of "scop" from its "reads" and "writes": the last write
 * before a read, and so on.
 */
static void find_last(struct pg_scop *scop, __isl_take isl_union_map *reads,
                      __isl_take isl_union_map *writes)
{
    isl_schedule *order = scop->original;

    scop->raw = simplify(
        pg_value_flow(isl_union_map_copy(reads), isl_union_map_copy(writes),
                      isl_schedule_copy(order), &scop->live_in),
        scop);
    scop->waw = simplify(pg_value_flow(isl_union_map_copy(writes),
                                       isl_union_map_copy(writes),
                                       isl_schedule_copy(order), NULL),
                         scop);
    scop->war = simplify(
        pg_anti_dependences(reads, writes, isl_schedule_copy(order)), scop);
}

/* Take the "updates" out of "reads": the reads of arrays that are written only
 * where the same instance has read the element.
 */
static __isl_give isl_union_map *take_updates(__isl_keep isl_union_map **reads,
                                              __isl_keep isl_union_map *writes)
{
    isl_union_map *only = isl_union_map_subtract(isl_union_map_copy(writes),
                                                 isl_union_map_copy(*reads));
    isl_union_set *arrays =
        isl_union_set_universe(isl_union_map_range(isl_union_map_copy(writes)));
    isl_union_map *updates;

    arrays = isl_union_set_subtract(
        arrays, isl_union_set_universe(isl_union_map_range(only)));
    updates = isl_union_map_intersect(isl_union_map_copy(*reads),
                                      isl_union_map_copy(writes));
    updates = isl_union_map_intersect_range(updates, arrays);
    *reads = isl_union_map_subtract(*reads, isl_union_map_copy(updates));
    return updates;
}

/* Set the dependences of "scop" from its "reads" and "writes": all pairs.
 * Among updates read before write, write before read and write before write
 * are the same pairs, which are found once.
 */
static void find_all(struct pg_scop *scop, __isl_take isl_union_map *reads,
                     __isl_take isl_union_map *writes)
{
    isl_schedule *order = scop->original;
    isl_union_map *updates = take_updates(&reads, writes);
    isl_union_map *others = isl_union_map_subtract(isl_union_map_copy(writes),
                                                   isl_union_map_copy(updates));
    isl_union_set *live;
    isl_union_map *among =
        pg_all_pairs(isl_union_map_copy(updates), isl_union_map_copy(updates),
                     isl_schedule_copy(order), &scop->live_in);

    isl_union_map_free(updates);
    scop->raw =
        pg_all_pairs(isl_union_map_copy(reads), isl_union_map_copy(writes),
                     isl_schedule_copy(order), &live);
    scop->live_in = isl_union_set_union(scop->live_in, live);
    scop->war = pg_all_pairs(writes, reads, isl_schedule_copy(order), NULL);
    scop->waw = pg_all_pairs(isl_union_map_copy(others), others,
                             isl_schedule_copy(order), NULL);
    among = simplify(among, scop);
    scop->raw = isl_union_map_union(simplify(scop->raw, scop),
                                    isl_union_map_copy(among));
    scop->war = isl_union_map_union(simplify(scop->war, scop),
                                    isl_union_map_copy(among));
    scop->waw = isl_union_map_union(simplify(scop->waw, scop), among);
}

/* Compute scop->raw, war, waw, live_in and live_out from the accesses and the
 * original order, with dependences that "find" sets, and live_in.
 */
static isl_stat compute(struct pg_scop *scop, const struct pg_options *options,
                        struct pg_report *report,
                        void (*find)(struct pg_scop *scop,
                                     __isl_take isl_union_map *reads,
                                     __isl_take isl_union_map *writes))
{
    struct pg_phase phase;
    isl_stat result;

    pg_phase_begin(&phase, scop->ctx, "dependence analysis", options, report);
    forget(scop);
    result = check_accesses(scop, &phase);
    if (result == isl_stat_ok &&
        ((options && options->serial) || has_scalars_only(scop))) {
        pg_phase_fail(&phase, PG_NO_PARALLELISM, NULL, PG_NOTHING_PARALLEL);
        result = isl_stat_error;
    }
    if (result == isl_stat_ok) {
        /* The many reads of a stencil are few relations together. */
        find(scop, pg_coalesce_union_map(pg_cell_accesses(scop, false)),
             pg_cell_accesses(scop, true));
        scop->live_in = tidy(pg_cells_join(scop->live_in), scop);
        scop->live_out = tidy(written(scop), scop);
        if (!scop->raw || !scop->war || !scop->waw || !scop->live_in ||
            !scop->live_out)
            result = isl_stat_error;
    }
    result = pg_phase_end(&phase, result);
    if (result != isl_stat_ok)
        forget(scop);
    return result;
}

isl_stat pg_dependences(struct pg_scop *scop, const struct pg_options *options,
                        struct pg_report *report)
{
    return compute(scop, options, report, &find_last);
}

/* The same for a SCoP whose order is not changed any more: more dependences,
 * all pairs of accesses to an element, in a third of the time for tiles of
 * several steps, where each element has many writes.
 */
isl_stat pg_dependences_all(struct pg_scop *scop,
                            const struct pg_options *options,
                            struct pg_report *report)
{
    return compute(scop, options, report, &find_all);
}
