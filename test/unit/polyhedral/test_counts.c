/* test_counts.c - how much a plan does, as functions of the parameters.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "run.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_PARAMS = 4, OFF = PG_TIME_OFF };

static unsigned failures;

static void expect(const char *program, const char *what, double is,
                   double least, double most)
{
    if (is >= least && is <= most)
        return;
    printf("FAIL %s: %g %s, not %g to %g\n", program, is, what, least, most);
    failures++;
}

/* The sum of a kind over all kernels. */
static double sum(const struct pg_plan *plan, enum pg_count_kind kind,
                  const double *params)
{
    double result = 0;

    for (unsigned k = 0; k < plan->n_kernel; k++)
        result += pg_count_get(plan, kind, k, params);
    return result;
}

/* Operations and launches of all kernels and threads of the last one; threads
 * may be up to those of a block more in each launch. */
struct wanted {
    const char *program;
    double params[MAX_PARAMS];
    double operations, launches, threads, operations_tolerance;
    enum pg_time time;
    double steps, alone; /* of a chain */
};

/* A part of the operations is floating-point arithmetic of either kind. */
static void weigh(struct pg_stmt *stmt, double weight)
{
    stmt->weight = weight;
    stmt->flops_single = weight / 2;
    stmt->flops_double = weight / 4;
}

/* The counts of these parts are those of the operations, scaled, but for copies
 * that the core adds, which are within the tolerance. */
static void check_flops(const struct wanted *wanted, const struct pg_plan *plan)
{
    double all = sum(plan, PG_COUNT_OPERATIONS, wanted->params);
    double least = 1 - wanted->operations_tolerance;

    expect(wanted->program, "flops (single)",
           sum(plan, PG_COUNT_FLOPS_SINGLE, wanted->params), least * all / 2,
           all / 2);
    expect(wanted->program, "flops (double)",
           sum(plan, PG_COUNT_FLOPS_DOUBLE, wanted->params), least * all / 4,
           all / 4);
}

static void check(const struct wanted *wanted, double weight)
{
    isl_ctx *ctx = pg_ctx_alloc();
    struct pg_options options;
    struct pg_report report;
    char *error = NULL, *text = read_program(wanted->program);
    struct pg_scop *scop = pg_scop_read(ctx, text, &error);
    struct pg_plan *plan = NULL;

    pg_options_default(&options);
    options.time = wanted->time;
    pg_report_init(&report);
    if (scop) {
        for (unsigned s = 0; s < scop->n_stmt; s++)
            weigh(&scop->stmts[s], weight);
        plan = pg_compile(scop, &options, &report);
    }
    if (!plan || !plan->n_count) {
        printf("FAIL %s: %s\n", wanted->program,
               error  ? error
               : plan ? "no counts"
                      : "no plan");
        failures++;
    } else {
        const struct pg_kernel *last = &plan->kernels[plan->n_kernel - 1];
        double launches = pg_count_get(plan, PG_COUNT_LAUNCHES,
                                       plan->n_kernel - 1, wanted->params);
        double slack = wanted->operations_tolerance;
        double block = (double)last->mapping->block[0] *
                       last->mapping->block[1] * last->mapping->block[2];

        expect(wanted->program, "operations",
               sum(plan, PG_COUNT_OPERATIONS, wanted->params),
               weight * wanted->operations * (1 - slack),
               weight * wanted->operations * (1 + slack));
        check_flops(wanted, plan);
        expect(wanted->program, "launches",
               sum(plan, PG_COUNT_LAUNCHES, wanted->params), wanted->launches,
               wanted->launches);
        expect(wanted->program, "steps",
               sum(plan, PG_COUNT_STEPS, wanted->params), wanted->steps,
               wanted->steps * 1.05);
        expect(wanted->program, "operations of one thread",
               sum(plan, PG_COUNT_ALONE, wanted->params),
               weight * wanted->alone * (1 - slack),
               weight * wanted->alone * (1 + slack));
        if (wanted->threads >= 0)
            expect(wanted->program, "threads",
                   pg_count_get(plan, PG_COUNT_THREADS, plan->n_kernel - 1,
                                wanted->params),
                   wanted->threads, wanted->threads * 1.1 + launches * block);
    }
    free(error);
    free(text);
    pg_plan_free(plan);
    pg_report_clear(&report);
    pg_scop_free(scop);
    pg_ctx_free(ctx);
}

int main(void)
{
    static const struct wanted wanted[] = {
        {"vector_add", {1000}, 1000, 1, 1000, 0, OFF, 0, 0},
        {"vector_add", {0}, 0, 0, 0, 0, OFF, 0, 0},
        {"vector_add", {-5}, 0, 0, 0, 0, OFF, 0, 0},
        {"vector_add", {9e18}, 9e18, 1, -1, 0, OFF, 0, 0},
        {"gemm",
         {100, 200, 300},
         100. * 200 * 301,
         1,
         4 * 7 * 256,
         0,
         OFF,
         0,
         0},
        {"gemm", {100, 200, 0}, 100. * 200, 1, 4 * 7 * 256, 0, OFF, 0, 0},
        {"gemm", {100, 0, 300}, 0, 0, 0, 0, OFF, 0, 0},
        {"transpose", {320, 640}, 320. * 640, 1, 10 * 20 * 256, 0, OFF, 0, 0},
        {"trmm",
         {100, 200},
         100. * 199 * 100 + 100 * 200,
         2,
         -1,
         0.01,
         OFF,
         0,
         0},
        {"jacobi_1d", {10, 1002}, 20000, 20, 10 * 1024, 0, OFF, 0, 0},
        {"jacobi_2d", {7, 102}, 7. * 2 * 100 * 100, 14, -1, 0, OFF, 0, 0},
        {"heat_3d", {3, 34}, 3. * 2 * 32768, 6, -1, 0, OFF, 0, 0},
        {"floyd_warshall",
         {64},
         64. * 64 * 64,
         8 * 64 - 9,
         -1,
         0.02,
         OFF,
         0,
         0},
        {"seidel_9", {102}, 10000, 298, -1, 0, OFF, 0, 0},
        {"lu", {100}, 161700 + 4950 + 171700, 198, -1, 0.4, OFF, 0, 0},
        /* Two nests in a step, within 4096 threads or not. */
        {"jacobi_1d", {10, 1002}, 20000, 1, 1024, 0, PG_TIME_AUTO, 20, 0},
        {"jacobi_1d", {10, 8192}, 20. * 8190, 20, -1, 0, PG_TIME_AUTO, 0, 0},
        /* Launches for parts of the loop. */
        {"jacobi_1d",
         {100000, 102},
         2e7,
         2,
         2048,
         0.01,
         PG_TIME_AUTO,
         200000,
         0},
        /* A sum in order, by one thread. */
        {"durbin", {100}, 15147, 1, 1024, 0.02, PG_TIME_AUTO, 598, 5249},
    };

    for (size_t i = 0; i < sizeof(wanted) / sizeof(*wanted); i++)
        check(&wanted[i], i % 2 ? 1 : 3.5);
    printf("%u failures\n", failures);
    return failures != 0;
}
