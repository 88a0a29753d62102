/* phase.c - the isl context, and one step of the core under its quota.
 *
 * isl gives NULL after an error and everything that takes a NULL gives NULL,
 * so a step computes to its end and looks only then whether it has a result.
 * What went wrong is in the context; pg_phase_end makes a reason of it.
 * isl also goes on after some errors with part of what it should have: an error
 * that nobody has claimed, by asking for it and forgetting the attempt that it
 * was in, makes a phase fail whatever it has for a result, and the next phase
 * if it was in none.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "support/phase.h"
#include "polygpu/polyhedral.h"
#include "support/budget.h"
#include "support/text.h"
#include "support/work.h"

#include <isl/options.h>
#include <isl/schedule_node.h>
#include <stdlib.h>

/* Operations of one phase, see work.c: the loops for a product of symmetric
 * matrices, the largest that is known to pay, take 21 million.  They are
 * between three and five seconds of a loaded virtual machine with two cores.
 */
enum { DEFAULT_OPERATIONS = 25000000 };

/* Seconds of processor time: ten times what a phase takes. */
static const double default_seconds = 60;

/* A context for the core: errors are results, not messages on the terminal;
 * schedule.c sets what the scheduler fuses.
 */
isl_ctx *pg_ctx_alloc(void)
{
    isl_ctx *ctx = isl_ctx_alloc();

    if (!ctx)
        return NULL;
    isl_options_set_on_error(ctx, ISL_ON_ERROR_CONTINUE);
    isl_options_set_schedule_maximize_coincidence(ctx, 1);
    isl_options_set_tile_scale_tile_loops(ctx, 1);
    isl_options_set_tile_shift_point_loops(ctx, 1);
    isl_options_set_ast_build_atomic_upper_bound(ctx, 1);
    isl_options_set_ast_build_detect_min_max(ctx, 1);
    isl_options_set_ast_build_exploit_nested_bounds(ctx, 1);
    isl_options_set_ast_always_print_block(ctx, 0);
    return ctx;
}

/* Free the context, after the last object in it. */
void pg_ctx_free(isl_ctx *ctx)
{
    isl_ctx_free(ctx);
}

/* The options that are right for almost all. */
void pg_options_default(struct pg_options *options)
{
    options->max_operations = DEFAULT_OPERATIONS;
    options->max_seconds = default_seconds;
    options->budget = NULL;
    options->sizes = NULL;
    options->fusion = PG_FUSION_AUTO;
    options->time = PG_TIME_AUTO;
    options->schedules = NULL;
    options->serial = false;
    options->threads = false;
    options->print_before = options->print_after = NULL;
    options->print = NULL;
    options->print_user = NULL;
    options->promote = false;
    options->machine = NULL;
    options->measured = false;
    options->n_attempt = 0;
    options->attempt = NULL;
}

/* Begin an attempt, which may take all ("part" is 1), half (2) or less of the
 * operations of the phase, and of what is left of the budget: something is left
 * for what is done if it fails.
 */
static void begin_attempt(struct pg_phase *phase, unsigned part)
{
    unsigned long operations = (phase->limit + part - 1) / part;
    unsigned long left = pg_budget_operations(phase->budget, 0);

    left = (left + part - 1) / part;
    phase->scarce = left && (!operations || left < operations);
    if (phase->scarce)
        operations = left;
    isl_ctx_reset_error(phase->ctx);
    pg_work_begin(phase->ctx, operations,
                  pg_budget_seconds(phase->budget, phase->seconds));
}

/* End an attempt. */
static void end_attempt(struct pg_phase *phase)
{
    bool late;

    if (!pg_work_end(&late))
        return;
    phase->quota = true;
    phase->late |= late;
    if (late)
        pg_budget_is_late(phase->budget);
}

/* Begin the step "what" (a noun for sentences): from here on "ctx"
 * fails when there are too many operations.
 */
void pg_phase_begin(struct pg_phase *phase, isl_ctx *ctx, const char *what,
                    const struct pg_options *options, struct pg_report *report)
{
    phase->ctx = ctx;
    phase->what = what;
    phase->report = report;
    phase->explained = false;
    phase->quota = false;
    phase->late = false;
    phase->limit = options ? options->max_operations : 0;
    phase->seconds = options ? options->max_seconds : default_seconds;
    phase->budget = options ? options->budget : NULL;
    if (pg_phase_erred(phase)) {
        const char *message = isl_ctx_last_error_msg(ctx);

        pg_report_add(report, PG_ISL, NULL,
                      "isl failed before the %s: %s; please report this with "
                      "the source",
                      what, message ? message : "no message");
        phase->explained = true;
    }
    begin_attempt(phase, 1);
}

/* Give a reason for the failure of this phase that is not isl's, unless it has
 * one already, or isl has failed: then that may be why.
 */
void pg_phase_fail(struct pg_phase *phase, enum pg_code code, const char *stmt,
                   const char *format, ...)
{
    va_list args;
    struct pg_text text = {0};
    char *sentence;

    if (phase->explained || pg_phase_erred(phase))
        return;
    va_start(args, format);
    pg_text_add_v(&text, format, args);
    va_end(args);
    sentence = pg_text_take(&text);
    pg_report_add(phase->report, code, stmt, "%s", sentence);
    free(sentence);
    phase->explained = true;
}

/* Has isl failed since the phase or its last attempt began?  Then nothing that
 * was computed meanwhile is to be believed.
 */
bool pg_phase_erred(const struct pg_phase *phase)
{
    return isl_ctx_last_error(phase->ctx) != isl_error_none;
}

/* Why isl has failed since the phase or its last attempt began, in words; NULL
 * if it has not.
 */
const char *pg_phase_failure(const struct pg_phase *phase)
{
    enum isl_error error = isl_ctx_last_error(phase->ctx);

    if (error == isl_error_none)
        return NULL;
    return error == isl_error_quota || error == isl_error_abort
               ? "the analysis took too long with them"
               : "isl failed with them";
}

/* Forget that isl did not understand what the user wrote, which the caller has
 * seen; not that operations or time ran out.
 */
void pg_phase_claim(struct pg_phase *phase)
{
    enum isl_error error = isl_ctx_last_error(phase->ctx);

    if (error != isl_error_quota && error != isl_error_abort)
        isl_ctx_reset_error(phase->ctx);
}

/* Forget the error of an attempt that failed, and count operations from zero
 * for the next one, which gets half as many as the phase.
 */
void pg_phase_retry(struct pg_phase *phase)
{
    pg_phase_retry_part(phase, 2);
}

/* The same for one that gets one "part"th. */
void pg_phase_retry_part(struct pg_phase *phase, unsigned part)
{
    end_attempt(phase);
    begin_attempt(phase, part);
}

/* Count operations from zero: what was done until now was an attempt of its
 * own, or comes on top of what the phase has to do.
 */
void pg_phase_restart(struct pg_phase *phase)
{
    if (pg_phase_erred(phase))
        return;
    end_attempt(phase);
    begin_attempt(phase, 1);
}

/* If isl failed in an attempt to do better than what there is already, forget
 * that: the attempt must have begun where the phase had not erred.  The first
 * time the phase begins anew to count operations, so that it gets as far as
 * without the attempt.
 */
void pg_phase_forget(struct pg_phase *phase)
{
    bool first = !phase->quota;

    if (!pg_phase_erred(phase))
        return;
    end_attempt(phase);
    begin_attempt(phase, first ? 1 : 2);
}

/* Say what was not enough. */
static void explain_quota(struct pg_phase *phase)
{
    char *spent = pg_budget_spent(phase->budget);

    if (spent)
        pg_report_add(phase->report, PG_QUOTA, NULL, "%s", spent);
    else if (phase->scarce && !phase->late)
        pg_report_add(phase->report, PG_QUOTA, NULL,
                      "the analysis of %s has not left enough of its %lu "
                      "operations for the %s; %s",
                      phase->budget->of, phase->budget->operations, phase->what,
                      phase->budget->advice);
    else if (phase->late)
        pg_report_add(phase->report, PG_QUOTA, NULL,
                      "the %s took more than %g seconds, so that the outcome "
                      "depends on the machine and its load; split the loops "
                      "into several functions",
                      phase->what, phase->seconds);
    else
        pg_report_add(phase->report, PG_QUOTA, NULL,
                      "the %s took more than %lu operations; split the loops "
                      "into several functions, or simplify bounds and "
                      "conditions",
                      phase->what, phase->limit);
    free(spent);
}

/* End the phase, with an error if "result" is one or isl has failed in the last
 * attempt.  If the phase has not explained it, then the reason is the last
 * error of isl.  The context is without limit and without error afterwards.
 */
isl_stat pg_phase_end(struct pg_phase *phase, isl_stat result)
{
    isl_ctx *ctx = phase->ctx;
    const char *message = isl_ctx_last_error_msg(ctx);

    if (phase->explained || pg_phase_erred(phase))
        result = isl_stat_error;
    end_attempt(phase);
    if (result != isl_stat_ok && !phase->explained && phase->quota)
        explain_quota(phase);
    else if (result != isl_stat_ok && !phase->explained)
        pg_report_add(phase->report, PG_ISL, NULL,
                      "the %s failed in isl: %s; please report this with the "
                      "source",
                      phase->what, message ? message : "no message");
    isl_ctx_reset_error(ctx);
    return result;
}
