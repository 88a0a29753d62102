/* test_programs.c - whole programs through the core, executed and compared.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "polygpu/polyhedral.h"
#include "run.h"
#include "schedule/tree.h"
#include "scop/scop.h"
#include "verify/run.h"

#include <stdlib.h>
#include <string.h>

static unsigned failures;

static void complain(const char *program, const char *what)
{
    printf("FAIL %s: %s\n", program, what);
    failures++;
}

struct program {
    const char *name;
    unsigned n_kernel;   /* 0: do not look */
    unsigned n_parallel; /* of every parallel kernel; 0: do not look */
    unsigned sequential; /* kernels of one thread */
    long long values[6][4];
    unsigned n_values;
    unsigned launches[6]; /* 0: do not look */
    bool refused;         /* for want of parallelism */
};

/* The programs whose kernels get buffers with the core's own sizes if they may,
 * and how many kernels do.
 */
static const struct {
    const char *name;
    unsigned n_kernel;
} promoted[] = {
    {"doitgen", 1},      {"gemm", 1},
    {"two_products", 2}, {"transpose", 1},
    {"matvec", 2},       {"jacobi_2d", 2},
    {"syrk", 1},         {"trmm", 1},
    {"fdtd_2d", 2},      {"correlation", 3},
    {"gramschmidt", 1},  {"adi", 4},
    {"batched_war", 1},  {"row_recurrence", 1},
    {"crossing_row", 1}, {"private_triangle", 1},
    {"private_some", 1}, // a stream
    {"lu", 1},
};

/* The programs with loops around kernels that can be in them, and how many such
 * kernels there are.
 */
static const struct {
    const char *name;
    unsigned n_kernel;
} chains[] = {
    {"jacobi_1d", 1},
    {"jacobi_2d", 1},
    {"heat_3d", 1},
    {"fdtd_2d", 1},
    {"adi", 1},
    {"lu", 1},
    {"cholesky", 1},
    {"gramschmidt", 1},
    {"durbin", 1},
    {"nussinov", 1},
    {"floyd_warshall", 1},
    {"seidel_5", 1},
    {"seidel_5_time", 1},
    {"seidel_9", 1},
    {"seidel_9_time", 1},
    {"pivot_vector", 1},
    {"pivot_private", 1},
    {"pivot_two", 1},
    {"pivot_behind", 1},
    {"false_dependence", 1},
    {"false_dependences", 1},
    {"handed_rows", 1},
};

static const struct program programs[] = {
    {"gemm",
     1,
     2,
     0,
     {{0, 3, 3}, {1, 1, 1}, {7, 5, 0}, {9, 11, 4}, {33, 34, 3}},
     5,
     {0, 1, 1, 1, 1},
     false},
    {"two_products", 2, 2, 0, {{0}, {1}, {7}, {13}}, 4, {0, 2, 2, 2}, false},
    {"transpose",
     1,
     2,
     0,
     {{0, 1}, {1, 1}, {9, 4}, {35, 40}},
     4,
     {0, 1, 1, 1},
     false},
    {"matvec", 2, 1, 0, {{0, 3}, {1, 1}, {5, 9}, {20, 17}}, 4, {0}, false},
    {"vector_add", 1, 1, 0, {{0}, {1}, {5}, {50}}, 4, {0, 1, 1, 1}, false},
    {"jacobi_1d",
     2,
     1,
     0,
     {{0, 9}, {1, 3}, {4, 2}, {5, 17}},
     4,
     {0, 2, 0, 10},
     false},
    {"jacobi_2d",
     2,
     2,
     0,
     {{0, 9}, {1, 3}, {4, 2}, {3, 13}},
     4,
     {0, 2, 0, 6},
     false},
    {"seidel_5", 1, 1, 0, {{0}, {3}, {8}, {15}}, 4, {0}, false},
    {"seidel_9", 1, 1, 0, {{0}, {3}, {8}, {15}}, 4, {0}, false},
    {"seidel_5_time",
     1,
     2,
     0,
     {{0, 8}, {1, 3}, {3, 7}, {5, 11}},
     4,
     {0},
     false},
    {"seidel_9_time", 1, 2, 0, {{0, 8}, {1, 3}, {3, 7}, {4, 9}}, 4, {0}, false},
    {"false_dependence",
     2,
     1,
     0,
     {{0, 9}, {1, 1}, {4, 0}, {5, 17}},
     4,
     {0, 2, 0, 10},
     false},
    {"false_dependences",
     3,
     1,
     0,
     {{0, 9}, {1, 2}, {4, 1}, {5, 17}},
     4,
     {0, 3, 0, 15},
     false},
    {"syrk", 0, 2, 0, {{0, 3}, {1, 1}, {5, 0}, {9, 6}}, 4, {0}, false},
    {"trmm", 0, 0, 0, {{0, 3}, {1, 1}, {5, 2}, {9, 6}}, 4, {0}, false},
    {"recurrence", 0, 0, 0, {{0}}, 0, {0}, true},
    {"mixed", 4, 1, 2, {{0}, {1}, {2}, {13}}, 4, {0}, false},
    {"scalar_phi", 0, 1, 3, {{0}, {1}, {2}, {13}}, 4, {0}, false},
    {"heat_3d",
     2,
     3,
     0,
     {{0, 5}, {1, 3}, {2, 8}, {1, 11}},
     4,
     {0, 2, 4, 2},
     false},
    {"batched_stencil",
     0,
     0,
     0,
     {{0, 2, 5}, {1, 1, 3}, {3, 4, 9}},
     3,
     {0, 1, 1},
     false},
    {"lu", 0, 0, 0, {{0}, {1}, {5}, {9}}, 4, {0}, false},
    {"cholesky", 0, 0, 0, {{0}, {1}, {5}, {9}}, 4, {0}, false},
    {"fdtd_2d",
     0,
     0,
     0,
     {{0, 3, 3}, {1, 1, 1}, {3, 6, 7}, {2, 9, 5}},
     4,
     {0},
     false},
    {"floyd_warshall", 8, 0, 1, {{0}, {1}, {2}, {7}}, 4, {0, 1, 7, 47}, false},
    {"correlation", 0, 0, 0, {{0, 1}, {1, 1}, {5, 4}, {6, 9}}, 4, {0}, false},
    {"durbin", 0, 0, 0, {{1}, {2}, {5}, {9}}, 4, {0}, false},
    {"gramschmidt", 0, 0, 0, {{0, 0}, {1, 1}, {5, 4}, {6, 7}}, 4, {0}, false},
    {"adi", 0, 0, 0, {{0, 4}, {1, 3}, {2, 5}, {2, 8}}, 4, {0}, false},
    {"nussinov", 0, 0, 0, {{0}, {1}, {5}, {9}}, 4, {0}, false},
    {"batched_war", 0, 0, 0, {{0, 5}, {1, 3}, {3, 11}}, 3, {0}, false},
    {"batched_triangle",
     1,
     1,
     0,
     {{0, 2, 5}, {1, 1, 3}, {4, 3, 7}},
     3,
     {0, 1, 1},
     false},
    {"batched_independent",
     1,
     2,
     0,
     {{0, 2, 5}, {1, 1, 1}, {3, 2, 9}},
     3,
     {0, 1, 1},
     false},
    {"batched_deep",
     1,
     1,
     0,
     {{0, 2, 1, 5}, {1, 2, 0, 3}, {2, 2, 2, 8}},
     3,
     {0, 1, 1},
     false},
    {"batched_2d",
     1,
     1,
     0,
     {{0, 2, 5}, {1, 1, 3}, {2, 2, 7}},
     3,
     {0, 1, 1},
     false},
    {"batched_fast",
     1,
     1,
     0,
     {{0, 2, 5}, {1, 1, 3}, {5, 2, 6}},
     3,
     {0, 1, 1},
     false},
    {"private_dead",
     1,
     2,
     0,
     {{0, 3}, {1, 1}, {7, 5}, {33, 9}},
     4,
     {0, 1, 1, 1},
     false},
    {"private_live",
     2,
     2,
     1,
     {{0, 3}, {1, 1}, {7, 5}, {33, 9}},
     4,
     {0, 2, 2, 2},
     false},
    {"doitgen",
     3,
     0,
     0,
     {{0, 3}, {1, 1}, {3, 5}, {5, 2}},
     4,
     {0, 3, 3, 3},
     false},
    {"private_time",
     1,
     2,
     0,
     {{0, 3}, {1, 1}, {3, 7}, {2, 33}},
     4,
     {0, 1, 1, 1},
     false},
    {"row_recurrence",
     1,
     1,
     0,
     {{0, 3}, {1, 1}, {7, 5}, {3, 0}},
     4,
     {0, 1, 1, 1},
     false},
    {"crossing", 1, 1, 0, {{0}, {1}, {7}, {40}}, 4, {1, 1, 1, 1}, false},
    {"crossing_some", 0, 0, 0, {{0}}, 0, {0}, true},
    {"read_first", 0, 0, 0, {{0}}, 0, {0}, true},
    {"crossing_inside", 2, 1, 1, {{0}, {1}, {7}, {40}}, 4, {0, 2, 2, 2}, false},
    {"mirrored", 1, 1, 0, {{0}, {1}, {2}, {41}}, 4, {0, 1, 1, 1}, false},
    {"handed_rows", 0, 1, 0, {{0, 3}, {1, 1}, {7, 5}, {3, 34}}, 4, {0}, false},
    {"crossing_row",
     2,
     1,
     1,
     {{0, 3}, {1, 1}, {7, 5}, {3, 34}},
     4,
     {0, 2, 2, 2},
     false},
    {"private_some",
     2,
     1,
     1,
     {{0, 3}, {3, 0}, {4, 9}, {9, 4}},
     4,
     {0, 0, 2, 2},
     false},
    {"private_triangle",
     2,
     2,
     1,
     {{1}, {2}, {3}, {35}},
     4,
     {0, 2, 2, 2},
     false},
    {"private_below", 0, 0, 0, {{0}}, 0, {0}, true},
    {"private_from", 0, 0, 0, {{0}}, 0, {0}, true},
    {"private_from_up",
     1,
     1,
     0,
     {{0, 0}, {5, 5}, {7, 2}, {40, 0}},
     4,
     {0, 0, 1, 1},
     false},
    {"private_two",
     3,
     2,
     1,
     {{0, 3}, {1, 1}, {7, 5}, {3, 34}},
     4,
     {0, 3, 3, 3},
     false},
    {"private_part",
     3,
     0,
     0,
     {{0, 3}, {1, 1}, {7, 5}, {5, 34}},
     4,
     {0, 3, 3, 3},
     false},
    {"private_small",
     2,
     0,
     0,
     {{0, 3}, {1, 1}, {7, 5}, {3, 34}},
     4,
     {0, 2, 2, 2},
     false},
    {"pivot_vector", 3, 1, 1, {{0}, {1}, {2}, {9}}, 4, {0, 1, 4, 25}, false},
    {"pivot_two", 4, 1, 2, {{2}, {3}, {4}, {9}}, 4, {0, 2, 6, 26}, false},
    {"pivot_three", 0, 0, 0, {{0}}, 0, {0}, true},
    {"pivot_row",
     1,
     1,
     0,
     {{0, 3}, {1, 1}, {7, 5}, {3, 34}},
     4,
     {0, 1, 1, 1},
     false},
    {"pivot_private", 0, 0, 0, {{0}, {1}, {2}, {9}}, 4, {0}, false},
    {"pivot_behind", 3, 1, 1, {{0}, {1}, {2}, {9}}, 4, {0, 1, 4, 18}, false},
    {"even_and_first", 2, 1, 0, {{0}, {1}, {4}, {23}}, 4, {0, 2, 2, 2}, false},
    {"remainder_cells",
     1,
     2,
     0,
     {{0, 3}, {1, 1}, {7, 5}, {13, 34}},
     4,
     {0, 1, 1, 1},
     false},
    {"offset", 1, 1, 0, {{0, 0}, {9, -4}, {20, 7}, {3, 5}}, 4, {0}, false},
};

/* The program "p" as its text says, or NULL. */
static struct pg_scop *read_scop(isl_ctx *ctx, const struct program *p)
{
    char *text = read_program(p->name), *error = NULL;
    struct pg_scop *scop = text ? pg_scop_read(ctx, text, &error) : NULL;

    if (!scop)
        complain(p->name, text ? error : "no such program");
    free(error);
    free(text);
    return scop;
}

static const char *const all_sizes[] = {
    NULL,
    "{ kernel[i] -> tile[3,2,4]; kernel[i] -> block[2,2,3]; "
    "kernel[i] -> grid[2,1] }",
    "{ kernel[i] -> tile[2]; kernel[i] -> block[5]; kernel[i] -> grid[3] }",
    "{ kernel[i] -> tile[4,4]; kernel[i] -> block[1,2]; "
    "kernel[i] -> grid[1,2] }",
};

static void check_shape(const struct program *p, const struct pg_plan *plan)
{
    unsigned sequential = 0;

    if (p->n_kernel && plan->n_kernel != p->n_kernel)
        complain(p->name, "wrong number of kernels");
    for (unsigned k = 0; k < plan->n_kernel; k++) {
        const struct pg_kernel *kernel = &plan->kernels[k];

        if (!kernel->parallel)
            sequential++;
        else if (p->n_parallel && kernel->n_parallel != p->n_parallel)
            complain(p->name, "wrong number of parallel dimensions");
    }
    if (p->n_kernel && sequential != p->sequential)
        complain(p->name, "wrong number of kernels of one thread");
}

/* Run "plan" with all values and orders, and compare it with the order of the
 * program's text; if the core made another SCoP of that, also with the original
 * order of this.  With "count", there have to be as many launches as stated.
 */
static void check_runs(const struct program *p, const struct pg_plan *plan,
                       bool count)
{
    struct pg_scop *source = read_scop(plan->scop->ctx, p);
    bool same = source->n_stmt == plan->scop->n_stmt &&
                source->n_array == plan->scop->n_array;

    for (unsigned v = 0; v < p->n_values; v++)
        for (unsigned order = 0; order < 3; order++) {
            struct run_result result;
            char *error = run_and_compare_with(source, plan, p->values[v],
                                               order, &result);

            if (!error && !same)
                error = run_and_compare(plan, p->values[v], order, &result);
            if (error) {
                printf("  parameters %lld %lld %lld order %u\n",
                       p->values[v][0], p->values[v][1], p->values[v][2],
                       order);
                complain(p->name, error);
            }
            free(error);
            if (count && p->launches[v] && result.launches != p->launches[v])
                complain(p->name, "wrong number of launches");
        }
    pg_scop_free(source);
}

/* The texts for people exist, and printing them breaks nothing. */
static void check_texts(const struct program *p, const struct pg_plan *plan)
{
    char *text = pg_plan_to_str(plan);

    if (!strstr(text, "copy out"))
        complain(p->name, "the plan's text has no copies");
    free(text);
    for (unsigned k = 0; k < plan->n_kernel; k++) {
        text = pg_kernel_to_str(plan, k, NULL, NULL);
        if (!strstr(text, "__global__ void") ||
            !strstr(text, plan->kernels[k].name))
            complain(p->name, "a kernel's text has no head");
        free(text);
    }
    text = pg_schedule_to_str(plan->scop);
    if (!strstr(text, "schedule"))
        complain(p->name, "the schedule's text has no schedule");
    free(text);
}

/* "text" after reading and printing it, or NULL. */
static char *read_and_print(const char *name, isl_ctx *ctx, const char *text)
{
    char *error, *result;
    struct pg_scop *scop = pg_scop_read(ctx, text, &error);

    if (!scop) {
        complain(name, error);
        free(error);
        return NULL;
    }
    result = pg_scop_to_str(scop);
    pg_scop_free(scop);
    return result;
}

/* The text form is a fixed point of reading and printing.  When the core made
 * the SCoP, isl may list the statements in the schedule in another order the
 * first time.
 */
static void check_round_trip(const char *name, const struct pg_scop *scop)
{
    char *first = pg_scop_to_str(scop);
    char *second = read_and_print(name, scop->ctx, first);
    char *third = second ? read_and_print(name, scop->ctx, second) : NULL;
    const char *end = strstr(first, "\nschedule ");

    if (!third || !end || strcmp(second, third) ||
        strncmp(first, second, (size_t)(end - first)))
        complain(name, "the text is not the same after reading it");
    free(first);
    free(second);
    free(third);
}

/* As many kernels as expected have buffers. */
static void check_promoted(const struct program *p, const struct pg_plan *plan)
{
    unsigned n = 0, expected = 0;

    for (unsigned k = 0; k < plan->n_kernel; k++)
        n += plan->kernels[k].mapping->n_buffer > 0;
    for (size_t i = 0; i < sizeof(promoted) / sizeof(*promoted); i++)
        if (!strcmp(promoted[i].name, p->name))
            expected = promoted[i].n_kernel;
    if (n != expected) {
        printf("  %u kernels with buffers instead of %u\n", n, expected);
        complain(p->name, "buffers against expectation, or none");
    }
}

/* Are the kernels of both plans mapped in the same way?  Then their ASTs are
 * the same as well.
 */
static bool same_kernels(const struct pg_plan *a, const struct pg_plan *b)
{
    bool same = a && b && a->n_kernel == b->n_kernel;

    for (unsigned k = 0; same && k < a->n_kernel; k++) {
        const struct pg_kernel *x = &a->kernels[k], *y = &b->kernels[k];

        same = x->mapping->n_buffer == 0 && y->mapping->n_buffer == 0 &&
               !memcmp(x->mapping->block, y->mapping->block,
                       sizeof(x->mapping->block)) &&
               !memcmp(x->mapping->grid_limit, y->mapping->grid_limit,
                       sizeof(x->mapping->grid_limit)) &&
               isl_schedule_plain_is_equal(
                   x->mapping->schedule, y->mapping->schedule) == isl_bool_true;
    }
    return same;
}

/* "plan", which has its ASTs, is as expected and right. */
static void check_plan(const struct program *p, const struct pg_plan *plan,
                       const char *sizes)
{
    if (!sizes)
        check_shape(p, plan);
    check_runs(p, plan, true);
    check_texts(p, plan);
}

/* Map "scop", which has dependences and a schedule, with these "sizes" and
 * perhaps with buffers.  A plan with buffers that maps all kernels as "plain"
 * does is not looked at again.
 */
static struct pg_plan *check_sizes(const struct program *p,
                                   struct pg_scop *scop, const char *sizes,
                                   bool promote, const struct pg_plan *plain)
{
    struct pg_options options;
    struct pg_report report;
    struct pg_plan *plan;

    pg_options_default(&options);
    options.time = PG_TIME_OFF;
    options.sizes = sizes;
    options.promote = promote;
    /* Which kernels get buffers must not depend on the machine. */
    if (promote)
        options.max_seconds = 600;
    pg_report_init(&report);
    plan = pg_map(scop, &options, &report);
    if (p->refused &&
        (plan || report.n != 1 || report.reasons[0].code != PG_NO_PARALLELISM))
        complain(p->name, "not refused for want of parallelism");
    else if (!p->refused && !plan)
        complain(p->name, report.n ? report.reasons[0].sentence
                                   : "no plan and no reason");
    if (plan && !(promote && same_kernels(plan, plain))) {
        if (pg_build_ast(plan, &options, &report) == isl_stat_ok)
            check_plan(p, plan, sizes);
        else
            complain(p->name, report.reasons[0].sentence);
    }
    if (plan && !sizes && promote)
        check_promoted(p, plan);
    pg_report_clear(&report);
    return plan;
}

static bool is_chain(const struct pg_kernel *kernel)
{
    return kernel->steps != NULL;
}

/* The loops around kernels in kernels of one block, wherever that can be: of
 * many threads, and of a few.
 */
static void check_chains(const struct program *p, struct pg_scop *scop,
                         const char *sizes)
{
    struct pg_options options;
    struct pg_report report;
    struct pg_plan *plan;
    unsigned n = 0, expected = 0;

    pg_options_default(&options);
    options.time = PG_TIME_CHAIN;
    options.sizes = sizes;
    pg_report_init(&report);
    plan = pg_map(scop, &options, &report);
    for (unsigned k = 0; plan && k < plan->n_kernel; k++)
        n += is_chain(&plan->kernels[k]);
    for (size_t i = 0; i < sizeof(chains) / sizeof(*chains); i++)
        if (!strcmp(chains[i].name, p->name))
            expected = chains[i].n_kernel;
    if (n != expected) {
        printf("  %u chains instead of %u\n", n, expected);
        complain(p->name, "chains against expectation, or none");
    }
    if (n && pg_build_ast(plan, &options, &report) == isl_stat_ok) {
        check_runs(p, plan, false);
        check_texts(p, plan);
    } else if (n) {
        complain(p->name, report.reasons[0].sentence);
    }
    pg_report_clear(&report);
    pg_plan_free(plan);
}

/* The program as pg_compile takes it, and then with buffers and other sizes;
 * "i" is its number, on which depends what is run of those usually.
 */
static void check_program(const struct program *p, size_t i)
{
    enum extent extent = test_extent();
    isl_ctx *ctx = pg_ctx_alloc();
    struct pg_report report;
    struct pg_scop *scop = read_scop(ctx, p);
    struct pg_plan *plan = NULL;

    pg_report_init(&report);
    if (scop)
        plan = pg_compile(scop, NULL, &report);
    if (plan)
        check_plan(p, plan, NULL);
    if (scop && !plan != p->refused)
        complain(p->name, report.n ? report.reasons[0].sentence
                                   : "a plan against expectation");
    for (size_t s = 0; scop && s < sizeof(all_sizes) / sizeof(*all_sizes);
         s++) {
        struct pg_plan *promoted = NULL;

        if (s && (extent == EXTENT_ALL || s == 1 + i % 3)) {
            pg_plan_free(plan);
            plan = check_sizes(p, scop, all_sizes[s], false, NULL);
        }
        if (s == 0 ? extent != EXTENT_FEW || i % 2
                   : s == 3 && (extent == EXTENT_ALL || i % 3 == 2))
            promoted = check_sizes(p, scop, all_sizes[s], true, plan);
        pg_plan_free(promoted);
    }
    if (scop)
        check_round_trip(p->name, scop);
    if (scop && !p->refused)
        check_chains(p, scop, i % 2 ? NULL : "{ kernel[i] -> block[5] }");
    pg_plan_free(plan);
    pg_report_clear(&report);
    pg_scop_free(scop);
    pg_ctx_free(ctx);
}

/* Schedules that the scheduler would not choose, but that are legal: the
 * mapping must do with what it gets.
 */
static const struct {
    struct program program;
    const char *tree;
} given[] = {
    {{"seidel_5", 1, 1, 0, {{0}, {3}, {8}, {15}}, 4, {0, 1, 11, 25}, false},
     "{ domain: \"[n] -> { S0[i,j] : 1 <= i < n - 1 and 1 <= j < n - 1 }\", "
     "child: { schedule: \"[{ S0[i,j] -> [(i)] }, { S0[i,j] -> [(j)] }]\", "
     "permutable: 1 } }"},
    {{"seidel_5_time",
      1,
      2,
      0,
      {{0, 8}, {1, 3}, {3, 7}, {5, 11}},
      4,
      {0},
      false},
     "{ domain: \"[t,n] -> { S0[s,i,j] : 0 <= s < t and 1 <= i < n - 1 and "
     "1 <= j < n - 1 }\", child: { schedule: \"[{ S0[s,i,j] -> [(s)] }, "
     "{ S0[s,i,j] -> [(s + i)] }, { S0[s,i,j] -> [(s + j)] }]\", "
     "permutable: 1 } }"},
    {{"vector_add", 1, 1, 0, {{0}, {1}, {13}}, 3, {0, 1, 1}, false},
     "{ domain: \"[n] -> { S0[i] : 0 <= i < n }\", child: { schedule: "
     "\"[{ S0[i] -> [(-i)] }]\", permutable: 1, coincident: [ 1 ] } }"},
    {{"transpose",
      1,
      1,
      0,
      {{0, 1}, {1, 1}, {9, 4}, {5, 10}},
      4,
      {0, 1, 9, 5},
      false},
     "{ domain: \"[n,m] -> { S0[i,j] : 0 <= i < n and 0 <= j < m }\", "
     "child: { schedule: \"[{ S0[i,j] -> [(i)] }, { S0[i,j] -> [(i + j)] }]"
     "\", permutable: 0, coincident: [ 0, 1 ] } }"},
};

static void check_given(unsigned g, const char *sizes)
{
    const struct program *p = &given[g].program;
    isl_ctx *ctx = pg_ctx_alloc();
    struct pg_options options;
    struct pg_report report;
    struct pg_plan *plan;
    struct pg_scop *scop = read_scop(ctx, p);

    pg_options_default(&options);
    options.sizes = sizes;
    options.time = PG_TIME_OFF;
    // Wavefronts in three dimensions take 45 million to map.
    options.max_operations *= 4;
    pg_report_init(&report);
    pg_dependences(scop, &options, &report);
    scop->schedule = isl_schedule_read_from_str(ctx, given[g].tree);
    if (pg_schedule_is_legal(scop, scop->schedule) != isl_bool_true)
        complain(p->name, "the given schedule is not legal");
    plan = pg_map(scop, &options, &report);
    if (!plan || pg_build_ast(plan, &options, &report) != isl_stat_ok) {
        complain(p->name, "no plan for the given schedule");
    } else {
        check_shape(p, plan);
        check_runs(p, plan, true);
    }
    pg_plan_free(plan);
    pg_report_clear(&report);
    pg_scop_free(scop);
    pg_ctx_free(ctx);
}

/* The original order, with bands that say what is parallel in it, is what is
 * left when the scheduler fails: every program must run with it, too.
 */
static void check_original(const struct program *p, const char *sizes)
{
    isl_ctx *ctx = pg_ctx_alloc();
    struct pg_options options;
    struct pg_report report;
    struct pg_plan *plan;
    struct pg_scop *scop = read_scop(ctx, p);
    isl_schedule_node *root;

    pg_options_default(&options);
    options.sizes = sizes;
    pg_report_init(&report);
    pg_dependences(scop, &options, &report);
    root = isl_schedule_get_root(scop->original);
    scop->schedule =
        pg_tree_annotate(root, pg_scop_domain(scop), pg_scop_order(scop));
    isl_schedule_node_free(root);
    if (pg_schedule_is_legal(scop, scop->schedule) != isl_bool_true)
        complain(p->name, "the annotated original order is not legal");
    plan = pg_map(scop, &options, &report);
    if (!plan && report.reasons[0].code != PG_NO_PARALLELISM)
        complain(p->name, report.reasons[0].sentence);
    if (plan && pg_build_ast(plan, &options, &report) != isl_stat_ok)
        complain(p->name, report.reasons[0].sentence);
    else if (plan)
        check_runs(p, plan, false);
    pg_plan_free(plan);
    pg_report_clear(&report);
    pg_scop_free(scop);
    pg_ctx_free(ctx);
}

/* A band that claims to be parallel and is not: refused by the mapping's own
 * check.
 */
static void check_false_claim(void)
{
    isl_ctx *ctx = pg_ctx_alloc();
    char *text = read_program("recurrence"), *error;
    struct pg_scop *scop = pg_scop_read(ctx, text, &error);
    struct pg_report report;
    struct pg_plan *plan;

    pg_report_init(&report);
    pg_dependences(scop, NULL, &report);
    scop->schedule = isl_schedule_read_from_str(
        ctx, "{ domain: \"[n] -> { S0[i] : 1 <= i < n }\", child: { schedule: "
             "\"[{ S0[i] -> [(i)] }]\", permutable: 1, coincident: [ 1 ] } }");
    plan = pg_map(scop, NULL, &report);
    if (plan || report.n != 1 || report.reasons[0].code != PG_SCHEDULE)
        complain("recurrence", "a false claim of parallelism is believed");
    pg_plan_free(plan);
    pg_report_clear(&report);
    pg_scop_free(scop);
    free(text);
    pg_ctx_free(ctx);
}

int main(int argc, char **argv)
{
    const char *what = argc > 1 ? argv[1] : NULL;

    for (unsigned g = 0; g < sizeof(given) / sizeof(*given); g++)
        for (size_t s = 0; s < sizeof(all_sizes) / sizeof(*all_sizes); s++)
            if (is_selected(what, g, given[g].program.name) &&
                (test_extent() != EXTENT_FEW || s == g))
                check_given(g, all_sizes[s]);
    if (is_selected(what, 0, "recurrence"))
        check_false_claim();
    for (size_t i = 0; i < sizeof(programs) / sizeof(*programs); i++) {
        if (!is_selected(what, i, programs[i].name))
            continue;
        check_original(&programs[i], all_sizes[i % 4]);
        check_program(&programs[i], i);
    }
    printf("%u failures\n", failures);
    return failures != 0;
}
