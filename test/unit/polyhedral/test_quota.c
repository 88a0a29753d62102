/* test_quota.c - isl fails at some point of the work on a SCoP: then there is
 * no plan and one reason, or a plan that is right, and never a crash.
 *
 *   test_quota [PROGRAM | K/N | all [POINTS [SEED]]]
 *
 * Each small program, or every N-th, or the one that is named, or all, is
 * compiled as the plugin does it: with so many operations for everything, at a
 * point chosen at random in each of POINTS equal parts of its own; and at
 * fewer such points with so many for each attempt, and with one allocation of
 * isl that fails, after which isl goes on with the next.  With POINTS they are
 * as many, and the test takes as long as one wants.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#define _DEFAULT_SOURCE
#include "polygpu/polyhedral.h"
#include "run.h"
#include "support/phase.h"
#include "support/text.h"
#include "support/work.h"
#include "verify/points.h"
#include "verify/run.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum {
    POINTS = 100,
    FEWER = 20,       /* times fewer points for attempts and allocations */
    MAX_PLANS = 64,   /* that are told apart */
    MAX_SECONDS = 300 /* of a point, whatever else the machine does */
};

/* ---- isl's allocations ---------------------------------------------------
 */

static isl_ctx *counted; /* whose allocations count, or NULL */
static unsigned long allocations, failing; /* which one fails; 0: none */

/* Functions of isl that go on with what they have freed where exactly one of
 * their allocations fails (docs/quota.md): none fails in them.
 */
static unsigned unsafe;
struct isl_tab;
struct isl_tab *__real_isl_tab_compute_reduced_basis(struct isl_tab *tab);
struct isl_tab *__wrap_isl_tab_compute_reduced_basis(struct isl_tab *tab);
struct isl_tab *__wrap_isl_tab_compute_reduced_basis(struct isl_tab *tab)
{
    unsafe++;
    tab = __real_isl_tab_compute_reduced_basis(tab);
    unsafe--;
    return tab;
}

isl_multi_pw_aff *
__real_isl_multi_pw_aff_pullback_multi_aff(isl_multi_pw_aff *mpa,
                                           isl_multi_aff *ma);
isl_multi_pw_aff *
__wrap_isl_multi_pw_aff_pullback_multi_aff(isl_multi_pw_aff *mpa,
                                           isl_multi_aff *ma);
isl_multi_pw_aff *
__wrap_isl_multi_pw_aff_pullback_multi_aff(isl_multi_pw_aff *mpa,
                                           isl_multi_aff *ma)
{
    unsafe++;
    mpa = __real_isl_multi_pw_aff_pullback_multi_aff(mpa, ma);
    unsafe--;
    return mpa;
}

isl_multi_pw_aff *
__real_isl_multi_pw_aff_pullback_pw_multi_aff(isl_multi_pw_aff *mpa,
                                              isl_pw_multi_aff *pma);
isl_multi_pw_aff *
__wrap_isl_multi_pw_aff_pullback_pw_multi_aff(isl_multi_pw_aff *mpa,
                                              isl_pw_multi_aff *pma);
isl_multi_pw_aff *
__wrap_isl_multi_pw_aff_pullback_pw_multi_aff(isl_multi_pw_aff *mpa,
                                              isl_pw_multi_aff *pma)
{
    unsafe++;
    mpa = __real_isl_multi_pw_aff_pullback_pw_multi_aff(mpa, pma);
    unsafe--;
    return mpa;
}

static bool fails(isl_ctx *ctx, bool in_phase)
{
    (void)in_phase;
    if (!ctx || ctx != counted || unsafe || ++allocations != failing)
        return false;
    isl_handle_error(ctx, isl_error_internal, "planted", __FILE__, __LINE__);
    return true;
}

/* For the address sanitizer: isl leaks a little where it fails (seen in
 * context_gbr_save).
 */
const char *__asan_default_options(void);
const char *__asan_default_options(void)
{
    return "detect_leaks=0";
}

/* ---- Programs ------------------------------------------------------------
 */

struct program {
    const char *name;
    const char *context; /* NULL: the program's own */
    const char *sizes;   /* NULL: the core's own */
    bool promote;
    enum pg_fusion fusion;
    long long values[2][3];
    unsigned n_values;
    bool large; /* only looked at if asked for */
};

#define TILES_1 "{ kernel[i] -> tile[4,2]; kernel[i] -> block[2] }"
#define SQUARE "{ kernel[i] -> tile[2,4]; kernel[i] -> block[1,2] }"
#define TILES_2 "{ kernel[i] -> tile[2,4,2]; kernel[i] -> block[1,2] }"
#define TILES_3                                                                \
    "{ kernel[i] -> tile[3,2]; kernel[i] -> block[3]; kernel[i] -> grid[2] }"
#define SMALL "[n, m] -> { : n = 3 and m = 2 }"
#define AUTO PG_FUSION_AUTO
#define MIN PG_FUSION_MIN
#define MAX PG_FUSION_MAX

static const struct program programs[] = {
    {"vector_add", NULL, NULL, false, AUTO, {{0}, {13}}, 2, false},
    {"offset", NULL, NULL, true, AUTO, {{0}, {13}}, 2, false},
    {"recurrence", NULL, NULL, true, AUTO, {{13}}, 1, false},
    {"read_first", NULL, NULL, true, AUTO, {{9, 5}}, 1, false},
    {"crossing", NULL, NULL, true, AUTO, {{9}}, 1, false},
    {"private_from", NULL, NULL, true, AUTO, {{9, 4}}, 1, false},
    {"private_below", NULL, NULL, true, AUTO, {{5, 6}}, 1, false},
    {"even_and_first", NULL, NULL, true, AUTO, {{1}, {13}}, 2, false},
    {"transpose", NULL, TILES_2, true, AUTO, {{9, 4}}, 1, false},
    {"private_from_up", NULL, NULL, true, MAX, {{7, 2}}, 1, false},
    {"scalar_phi", NULL, NULL, true, MAX, {{13}}, 1, false},
    {"seidel_5", NULL, NULL, true, AUTO, {{9}}, 1, false},
    {"private_some", NULL, NULL, false, AUTO, {{9, 4}, {4, 9}}, 2, false},
    {"mixed", NULL, TILES_1, true, MAX, {{13}}, 1, false},
    {"batched_war", NULL, NULL, false, AUTO, {{3, 3, 5}}, 1, false},
    {"private_part", NULL, NULL, false, MAX, {{9, 5}}, 1, false},
    {"pivot_vector", NULL, NULL, false, MIN, {{9}}, 1, false},
    {"stencil", "[n] -> { : n = 9 }", SQUARE, true, MAX, {{9}}, 1, false},
    {"convolution", SMALL, TILES_1, true, MAX, {{3, 2}}, 1, false},
    {"strided_sum", SMALL, TILES_1, true, MAX, {{3, 2}}, 1, false},
    {"strided_sum", NULL, TILES_1, true, AUTO, {{9, 7}}, 1, true},
    {"matvec", NULL, TILES_3, true, MIN, {{9, 7}}, 1, true},
    {"jacobi_1d", NULL, NULL, true, AUTO, {{3, 11}}, 1, true},
    {"sum",
     NULL,
     "{ kernel[0] -> partial[2,4] }",
     true,
     AUTO,
     {{13}},
     1,
     false},
    {"private_dead", NULL, NULL, true, AUTO, {{5, 6}}, 1, true},
    {"pivot_row", NULL, NULL, true, AUTO, {{9}}, 1, true},
    {"stencil", NULL, NULL, true, AUTO, {{12}}, 1, true},
    {"batched_war", NULL, NULL, true, AUTO, {{3, 3, 5}}, 1, true},
    {"product_constant", NULL, TILES_2, true, MAX, {{0}}, 1, true},
    {"gemm", NULL, TILES_2, true, AUTO, {{9, 11, 6}, {5, 3, 0}}, 2, true},
    {"mirror", NULL, TILES_2, true, MAX, {{9, 6}}, 1, true},
    {"two_products", NULL, TILES_2, true, AUTO, {{9}}, 1, true},
    {"syrk", NULL, TILES_2, true, AUTO, {{9, 6}}, 1, true},
    {"convolution_2d", NULL, TILES_2, true, AUTO, {{7, 3}}, 1, true},
};

/* What the work on a program is compared with, shared by all of its points. */
struct sweep {
    const struct program *program;
    isl_ctx *ctx;
    struct pg_scop *source;
    char *right[MAX_PLANS]; /* texts of plans that were run */
    unsigned n_right, n_plan, n_refused, failures;
    const char *how;
    unsigned long at, fault;
};

/* Where a child process is, for its parent to say if it crashes. */
static struct progress {
    char how[32];
    unsigned long at;
} *progress;

static void complain(struct sweep *s, const char *what)
{
    printf("FAIL %s, %s %lu: %s\n", s->program->name, s->how, s->at, what);
    s->failures++;
}

/* All that a plan says, malloc'ed. */
static char *text_of(const struct pg_plan *plan)
{
    struct pg_text text = {0};
    char *part = pg_plan_to_str(plan);

    pg_text_add(&text, "%u %lld %lld\n%s", plan->index_bits, plan->param_limit,
                plan->host_limit, part);
    free(part);
    for (unsigned k = 0; k < plan->n_kernel; k++) {
        part = pg_kernel_to_str(plan, k, NULL, NULL);
        pg_text_add(&text, "%s", part);
        free(part);
    }
    for (unsigned a = 0; a < plan->scop->n_array; a++)
        pg_text_add(&text, "%d", plan->is_private[a]);
    return pg_text_take(&text);
}

/* Is "plan" right?  One like that needs to be run only once. */
static void check_plan(struct sweep *s, const struct pg_plan *plan)
{
    char *text = text_of(plan);

    for (unsigned i = 0; i < s->n_right; i++)
        if (!strcmp(s->right[i], text)) {
            free(text);
            return;
        }
    for (unsigned v = 0; v < s->program->n_values; v++) {
        struct run_result result;
        char *error = run_and_compare_with(s->source, plan,
                                           s->program->values[v], 2, &result);

        if (error)
            complain(s, error);
        free(error);
    }
    if (s->n_right < MAX_PLANS)
        s->right[s->n_right++] = text;
    else
        free(text);
}

/* The plan of "scop", made as the plugin makes it: without buffers if they take
 * too long.
 */
static struct pg_plan *compile(struct pg_scop *scop, struct pg_options *options,
                               struct pg_report *report)
{
    struct pg_budget *whole = options->budget, part;
    struct pg_plan *plan;

    if (pg_dependences(scop, options, report) != isl_stat_ok ||
        pg_schedule(scop, options, report) != isl_stat_ok)
        return NULL;
    for (int pass = !options->promote; pass < 2; pass++) {
        if (pass == 0) {
            pg_budget_begin_part(&part, whole, 3);
            options->budget = &part;
        } else {
            options->budget = whole;
            options->promote = false;
            pg_report_clear(report);
        }
        plan = pg_map(scop, options, report);
        if (plan && pg_build_ast(plan, options, report) == isl_stat_ok) {
            pg_count_operations(plan, options);
            return plan;
        }
        pg_plan_free(plan);
    }
    return NULL;
}

/* Is there a plan, or the one reason why there is none: that isl has failed, or
 * that what it found until then is not parallel?
 */
static void check_reasons(struct sweep *s, const struct pg_plan *plan,
                          const struct pg_report *report, bool without_limit)
{
    const struct pg_reason *reason = report->reasons;

    if (isl_ctx_last_error(s->ctx) != isl_error_none)
        complain(s, "an error is left in the context");
    if (report->n != !plan) {
        complain(s, plan ? "a plan and a reason" : "not one reason");
    } else if (!plan && without_limit) {
        if (reason->code != PG_NO_PARALLELISM)
            complain(s, reason->sentence);
    } else if (!plan && reason->code != (s->fault ? PG_ISL : PG_QUOTA) &&
               reason->code != PG_NO_PARALLELISM) {
        complain(s, "refused for another reason");
        printf("  %s\n", reason->sentence);
    }
}

/* Compile the program with "operations" for everything and "each" for every
 * attempt (0: no limit), while s->fault says which allocation fails.  Returns
 * the operations that it took.
 */
static unsigned long compile_once(struct sweep *s, unsigned long operations,
                                  unsigned long each)
{
    unsigned long done;
    struct pg_scop *scop = pg_scop_copy(s->source);
    struct pg_options options;
    struct pg_report report;
    struct pg_budget budget;
    struct pg_plan *plan;

    pg_budget_begin(&budget, "this program", "wait", operations, 0, NULL);
    pg_options_default(&options);
    options.max_operations = each;
    options.max_seconds = 600;
    done = pg_work_done();
    options.budget = &budget;
    options.sizes = s->program->sizes;
    options.promote = s->program->promote;
    options.fusion = s->program->fusion;
    pg_report_init(&report);
    allocations = 0;
    counted = s->ctx;
    failing = s->fault;
    pg_work_fails = &fails;
    plan = compile(scop, &options, &report);
    pg_work_fails = NULL;
    done = pg_work_done() - done;
    check_reasons(s, plan, &report, !operations && !each && !s->fault);
    if (plan)
        check_plan(s, plan);
    s->n_plan += plan != NULL;
    s->n_refused += !plan;
    pg_plan_free(plan);
    pg_report_clear(&report);
    pg_scop_free(scop);
    isl_ctx_reset_error(s->ctx);
    return done;
}

/* A point in part "i" of "n" of "whole", from 1 on. */
static unsigned long point(unsigned long whole, unsigned i, unsigned n)
{
    unsigned long first = whole * i / n, next = whole * (i + 1) / n;

    return 1 + first +
           (next > first ? (unsigned long)rand() % (next - first) : 0);
}

/* Note where the work is. */
static void at(struct sweep *s, const char *how, unsigned long where)
{
    s->how = how;
    s->at = where;
    snprintf(progress->how, sizeof(progress->how), "%s", how);
    progress->at = where;
    alarm(MAX_SECONDS);
}

/* Compile the program at "n" points in each of the ways, or with "few" at fewer
 * in two of them.
 */
static void sweep(struct sweep *s, unsigned n, bool few)
{
    unsigned long operations, faults;

    at(s, "without limit", 0);
    operations = compile_once(s, 0, 0);
    faults = allocations;
    for (unsigned i = 0; i < n; i++) {
        at(s, "operations", point(operations, i, n));
        compile_once(s, s->at, 0);
        if (few && i % FEWER != (unsigned)rand() % FEWER)
            continue;
        at(s, "operations of an attempt", point(operations, i, n));
        compile_once(s, 0, s->at);
        at(s, "failing allocation", point(faults, i, n));
        s->fault = s->at;
        compile_once(s, 0, 0);
        s->fault = 0;
    }
    printf("%s: %lu operations, %lu allocations, %u plans of %u kinds, %u "
           "refusals\n",
           s->program->name, operations, faults, s->n_plan, s->n_right,
           s->n_refused);
}

/* The sweep of program "p"; the number of failures. */
static unsigned check_program(const struct program *p, unsigned n, bool few)
{
    struct sweep s = {.program = p, .ctx = pg_ctx_alloc(), .how = "reading"};
    char *text = read_program(p->name), *error = NULL;

    s.source = text ? pg_scop_read(s.ctx, text, &error) : NULL;
    if (s.source && p->context) {
        isl_set_free(s.source->context);
        s.source->context = isl_set_read_from_str(s.ctx, p->context);
    }
    if (s.source)
        sweep(&s, n, few);
    else
        complain(&s, error ? error : "no such program");
    for (unsigned i = 0; i < s.n_right; i++)
        free(s.right[i]);
    free(text);
    free(error);
    pg_scop_free(s.source);
    pg_ctx_free(s.ctx);
    return s.failures;
}

/* check_program in a process of its own, which may crash. */
static unsigned check_apart(const struct program *p, unsigned n, bool few,
                            unsigned seed)
{
    int status;
    pid_t child;

    fflush(stdout);
    child = fork();
    if (child == 0) {
        unsigned failures;

        srand(seed);
        failures = check_program(p, n, few);
        fflush(stdout);
        exit(failures > 0);
    }
    if (child < 0 || waitpid(child, &status, 0) < 0)
        return 1;
    if (WIFSIGNALED(status))
        printf("FAIL %s, %s %lu: ended by signal %d\n", p->name, progress->how,
               progress->at, WTERMSIG(status));
    return status != 0;
}

/* The end of a phase that has a result, in which isl failed if "fail"; in an
 * attempt that is forgotten if "forget".  False if that is not as it shall be.
 */
static bool ends_right(bool fail, bool forget)
{
    isl_ctx *ctx = pg_ctx_alloc();
    struct pg_options options;
    struct pg_report report;
    struct pg_phase phase;
    isl_stat end;
    bool right;

    pg_options_default(&options);
    pg_report_init(&report);
    pg_phase_begin(&phase, ctx, "test", &options, &report);
    if (fail)
        isl_handle_error(ctx, isl_error_invalid, "planted", __FILE__, __LINE__);
    if (forget)
        pg_phase_forget(&phase);
    end = pg_phase_end(&phase, isl_stat_ok);
    if (fail && !forget)
        right = end == isl_stat_error && report.n == 1 &&
                report.reasons[0].code == PG_ISL;
    else
        right = end == isl_stat_ok && report.n == 0;
    right = right && isl_ctx_last_error(ctx) == isl_error_none;
    pg_report_clear(&report);
    pg_ctx_free(ctx);
    return right;
}

/* Does an error from before a phase make it fail, once? */
static bool begins_right(void)
{
    isl_ctx *ctx = pg_ctx_alloc();
    struct pg_report report;
    struct pg_phase phase;
    bool right;

    pg_report_init(&report);
    isl_handle_error(ctx, isl_error_invalid, "planted", __FILE__, __LINE__);
    pg_phase_begin(&phase, ctx, "test", NULL, &report);
    right = pg_phase_end(&phase, isl_stat_ok) == isl_stat_error &&
            report.n == 1 && report.reasons[0].code == PG_ISL;
    pg_phase_begin(&phase, ctx, "test", NULL, &report);
    right = right && pg_phase_end(&phase, isl_stat_ok) == isl_stat_ok;
    pg_report_clear(&report);
    pg_ctx_free(ctx);
    return right;
}

/* An error that nobody claimed makes a phase fail; no error, or one of an
 * attempt that is forgotten, does not.
 */
static unsigned check_unclaimed(void)
{
    unsigned failures = 0;

    for (int fail = 0; fail < 2; fail++)
        for (int forget = 0; forget < 2; forget++)
            if (!ends_right(fail, forget)) {
                printf("FAIL end of a phase: failed %d, forgotten %d\n", fail,
                       forget);
                failures++;
            }
    if (!begins_right()) {
        printf("FAIL begin of a phase after an error\n");
        failures++;
    }
    return failures;
}

int main(int argc, char **argv)
{
    const char *what = argc > 1 ? argv[1] : NULL;
    bool all = what && !strcmp(what, "all");
    bool named = what && !strchr(what, '/');
    unsigned usual = test_extent() == EXTENT_FEW ? POINTS / 4 : POINTS;
    unsigned n = argc > 2 ? (unsigned)atoi(argv[2]) : usual;
    unsigned seed = argc > 3 ? (unsigned)atoi(argv[3]) : (unsigned)time(NULL);
    unsigned failures = check_unclaimed();

    progress = mmap(NULL, sizeof(*progress), PROT_READ | PROT_WRITE,
                    MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    printf("seed %u\n", seed);
    for (size_t i = 0; i < sizeof(programs) / sizeof(*programs); i++)
        if (all || (is_selected(what, i, programs[i].name) &&
                    (named || !programs[i].large)))
            failures += check_apart(&programs[i], n, argc < 3, seed);
    printf("%u failures\n", failures);
    return failures != 0;
}
