/* compile.c - all steps in a row.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "polygpu/polyhedral.h"

static isl_stat make(struct pg_scop *scop, const struct pg_options *options,
                     struct pg_report *report, struct pg_plan **plan)
{
    *plan = pg_map(scop, options, report);
    return *plan ? pg_build_ast(*plan, options, report) : isl_stat_error;
}

isl_stat pg_make_plan(struct pg_scop *scop, const struct pg_options *options,
                      struct pg_report *report, struct pg_plan **plan)
{
    struct pg_report unheard;
    isl_stat result;

    if (scop->instead) {
        struct pg_options first = *options;
        struct pg_budget part;

        pg_report_init(&unheard);
        if (options->budget) {
            pg_budget_begin_part(&part, options->budget, 4);
            first.budget = &part;
        }
        result = make(scop, &first, &unheard, plan);
        pg_report_clear(&unheard);
        if (result == isl_stat_ok)
            return result;
        pg_plan_free(*plan);
        pg_scop_without_overlap(scop);
    }
    return make(scop, options, report, plan);
}

/* Dependences, schedule, mapping and ASTs of "scop".  NULL and a reason when
 * nothing is to be offloaded.
 */
struct pg_plan *pg_compile(struct pg_scop *scop,
                           const struct pg_options *options,
                           struct pg_report *report)
{
    struct pg_plan *plan;

    if (pg_dependences(scop, options, report) != isl_stat_ok ||
        pg_conditions(scop, options, report) != isl_stat_ok ||
        pg_schedule(scop, options, report) != isl_stat_ok)
        return NULL;
    if (pg_make_plan(scop, options, report, &plan) != isl_stat_ok) {
        pg_plan_free(plan);
        return NULL;
    }
    pg_count_operations(plan, options);
    return plan;
}
