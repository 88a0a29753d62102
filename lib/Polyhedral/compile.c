/* compile.c - all steps in a row.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "polygpu/polyhedral.h"

/* Dependences, schedule, mapping and ASTs of "scop".  NULL and a reason when
 * nothing is to be offloaded.
 */
struct pg_plan *pg_compile(struct pg_scop *scop,
                           const struct pg_options *options,
                           struct pg_report *report)
{
    struct pg_plan *plan;

    if (pg_dependences(scop, options, report) != isl_stat_ok ||
        pg_schedule(scop, options, report) != isl_stat_ok)
        return NULL;
    plan = pg_map(scop, options, report);
    if (plan && pg_build_ast(plan, options, report) != isl_stat_ok) {
        pg_plan_free(plan);
        if (!scop->instead)
            return NULL;
        pg_scop_without_overlap(scop);
        pg_report_clear(report);
        pg_report_init(report);
        plan = pg_map(scop, options, report);
        if (plan && pg_build_ast(plan, options, report) != isl_stat_ok) {
            pg_plan_free(plan);
            return NULL;
        }
    }
    if (plan)
        pg_count_operations(plan, options);
    return plan;
}
