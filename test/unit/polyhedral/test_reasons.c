/* test_reasons.c - refusals that the plugin's own order of calls and checks
 * keep away, and what a budget says that has too little left: each with its
 * sentence, beside a near twin that gets through.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "polygpu/polyhedral.h"
#include "run.h"
#include "support/budget.h"

#include <isl/ctx.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static unsigned failures;

static void check(bool ok, const char *what)
{
    if (ok)
        return;
    printf("FAIL %s\n", what);
    failures++;
}

/* y[i] = x[i] for 0 <= i < PARAMETER. */
#define COPY(PARAMETER)                                                        \
    "scop \"f\" file \"f.c\" line 1\n"                                         \
    "param " PARAMETER " \"n\"\n"                                              \
    "context \"[" PARAMETER "] -> { : " PARAMETER " >= 0 }\"\n"                \
    "array X \"x\" float 4 memory 1 live\n"                                    \
    "array Y \"y\" float 4 memory 1 live\n"                                    \
    "stmt S line 2 domain \"[" PARAMETER "] -> { S[i] : 0 <= i < " PARAMETER   \
    " }\"\n"                                                                   \
    "  read must X \"{ S[i] -> X[i] }\"\n"                                     \
    "  write must Y \"{ S[i] -> Y[i] }\"\n"                                    \
    "schedule \"{ domain: \\\"[" PARAMETER "] -> { S[i] : 0 <= i < " PARAMETER \
    " }\\\", child: { schedule: \\\"[{ S[i] -> [(i)] }]\\\" } }\"\n"

/* A scop in a context of its own, with what its steps are given. */
struct fixture {
    isl_ctx *ctx;
    struct pg_scop *scop;
    struct pg_options options;
    struct pg_report report;
};

static void set_up(struct fixture *f, const char *text)
{
    char *error = NULL;

    f->ctx = pg_ctx_alloc();
    f->scop = pg_scop_read(f->ctx, text, &error);
    pg_options_default(&f->options);
    pg_report_init(&f->report);
    if (!f->scop) {
        printf("FAIL the scop is not read: %s\n", error ? error : "no reason");
        exit(1);
    }
    free(error);
}

static void tear_down(struct fixture *f)
{
    pg_report_clear(&f->report);
    pg_scop_free(f->scop);
    pg_ctx_free(f->ctx);
}

/* Is there one reason, "code" with "sentence"?  Begin a new report. */
static void expect(struct fixture *f, enum pg_code code, const char *sentence)
{
    if (f->report.n != 1 || f->report.reasons[0].code != code ||
        strcmp(f->report.reasons[0].sentence, sentence) != 0) {
        printf("FAIL not the one reason: %s\n", sentence);
        for (unsigned i = 0; i < f->report.n; i++)
            printf("  but %d, %s\n", (int)f->report.reasons[i].code,
                   f->report.reasons[i].sentence);
        failures++;
    }
    pg_report_clear(&f->report);
    pg_report_init(&f->report);
}

/* Does the whole compilation get through? */
static bool gets_through(struct fixture *f)
{
    struct pg_plan *plan = pg_compile(f->scop, &f->options, &f->report);
    bool through = plan && f->report.n == 0;

    pg_plan_free(plan);
    pg_report_clear(&f->report);
    pg_report_init(&f->report);
    return through;
}

/* Each step asks for the one before, and in their order all get through. */
static void check_order(void)
{
    static const char *const no_dependences =
        "scheduling needs the dependences first; please report this with the "
        "source";
    struct fixture f;
    struct pg_plan *plan;

    set_up(&f, COPY("n"));
    check(!pg_map(f.scop, &f.options, &f.report), "mapped without a schedule");
    expect(&f, PG_SCHEDULE,
           "mapping needs the schedule first; please report this with the "
           "source");
    check(pg_schedule(f.scop, &f.options, &f.report) == isl_stat_error,
          "scheduled without dependences");
    expect(&f, PG_SCHEDULE, no_dependences);
    check(pg_schedule_threads(f.scop, &f.options, &f.report) == isl_stat_error,
          "scheduled for threads without dependences");
    expect(&f, PG_SCHEDULE, no_dependences);

    check(pg_dependences(f.scop, &f.options, &f.report) == isl_stat_ok,
          "no dependences");
    check(!pg_map(f.scop, &f.options, &f.report),
          "mapped with dependences alone");
    expect(&f, PG_SCHEDULE,
           "mapping needs the schedule first; please report this with the "
           "source");
    check(pg_schedule_threads(f.scop, &f.options, &f.report) == isl_stat_ok,
          "no schedule for threads");
    check(pg_schedule(f.scop, &f.options, &f.report) == isl_stat_ok,
          "no schedule");
    plan = pg_map(f.scop, &f.options, &f.report);
    check(plan && plan->n_kernel == 1 && f.report.n == 0,
          "no plan by the steps in their order");
    pg_plan_free(plan);
    tear_down(&f);
}

/* The scop with a parameter's name, and how it ends. */
static void check_name(const char *text, const char *sentence)
{
    struct fixture f;

    set_up(&f, text);
    if (sentence) {
        check(!pg_compile(f.scop, &f.options, &f.report),
              "a reserved name gets through");
        expect(&f, PG_UNSUPPORTED, sentence);
    } else {
        check(gets_through(&f), "a name that is free does not get through");
    }
    tear_down(&f);
}

static void check_names(void)
{
    check_name(COPY("b0"), "the parameter name 'b0' is reserved; rename it");
    check_name(COPY("t12"), "the parameter name 't12' is reserved; rename it");
    check_name(COPY("h3"), "the parameter name 'h3' is reserved; rename it");
    check_name(COPY("b"), NULL);
    check_name(COPY("b0x"), NULL);
    check_name(COPY("c0"), NULL);
}

static void check_sizes(void)
{
    struct fixture f;

    set_up(&f, COPY("n"));
    f.options.sizes = "x";
    check(!pg_compile(f.scop, &f.options, &f.report), "sizes 'x' get through");
    check(f.report.n == 1 && strstr(f.report.reasons[0].sentence,
                                    "the sizes 'x' are not understood: "),
          "not the sentence of sizes");
    check(f.report.n == 1 && f.report.reasons[0].code == PG_UNSUPPORTED,
          "not the code of sizes");
    pg_report_clear(&f.report);
    pg_report_init(&f.report);
    f.options.sizes = "{ kernel[0] -> block[64] }";
    check(gets_through(&f), "sizes that are right do not get through");
    tear_down(&f);
}

/* An error in the context from before a step is one of that step, and of no
 * other one.
 */
static void check_isl(void)
{
    struct fixture f;

    set_up(&f, COPY("n"));
    check(pg_dependences(f.scop, &f.options, &f.report) == isl_stat_ok &&
              pg_schedule(f.scop, &f.options, &f.report) == isl_stat_ok,
          "no schedule");
    check(!isl_set_read_from_str(f.ctx, "{ : nonsense"), "isl reads nonsense");
    check(isl_ctx_last_error(f.ctx) != isl_error_none, "isl has no error");
    check(!pg_map(f.scop, &f.options, &f.report), "mapped after an error");
    check(f.report.n == 1 && f.report.reasons[0].code == PG_ISL &&
              strstr(f.report.reasons[0].sentence,
                     "isl failed before the mapping: ") &&
              strstr(f.report.reasons[0].sentence,
                     "; please report this with the source"),
          "not the sentence of the error");
    pg_report_clear(&f.report);
    pg_report_init(&f.report);
    check(gets_through(&f), "the error is still there");
    tear_down(&f);
}

/* Budgets of more and more operations: first they are spent, at some the
 * scheduling has too few of what is left, and at last there is a plan.
 */
static void check_left(void)
{
    char *text = read_program("lu"), sentence[160];
    unsigned spent = 0, scarce = 0;
    bool through = false;

    check(text, "no program");
    for (unsigned long n = 1000; text && !through && n < 100000000;
         n += n / 20) {
        struct fixture f;
        struct pg_budget budget;
        struct pg_plan *plan;

        set_up(&f, text);
        pg_budget_begin(&budget, "the loops", "try less", n, 0, NULL);
        f.options.budget = &budget;
        plan = pg_compile(f.scop, &f.options, &f.report);
        through = plan;
        snprintf(sentence, sizeof(sentence),
                 "the analysis of the loops has not left enough of its %lu "
                 "operations for the scheduling; try less",
                 n);
        if (!plan && pg_budget_used(&budget) < n) {
            expect(&f, PG_QUOTA, sentence);
            scarce++;
        } else if (!plan) {
            snprintf(sentence, sizeof(sentence),
                     "the analysis of the loops has taken all of its %lu "
                     "operations; try less",
                     n);
            expect(&f, PG_QUOTA, sentence);
            spent++;
        }
        pg_plan_free(plan);
        tear_down(&f);
    }
    printf("%u budgets spent, %u with too little left\n", spent, scarce);
    check(spent > 0, "no budget is spent");
    check(scarce > 0, "no budget leaves too little");
    check(through, "no budget is enough");
    free(text);
}

int main(void)
{
    check_order();
    check_names();
    check_sizes();
    check_isl();
    check_left();
    printf("%u failures\n", failures);
    return failures != 0;
}
