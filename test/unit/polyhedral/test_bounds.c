/* test_bounds.c - how wide indices are, and for which parameters.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "run.h"

#include <stdlib.h>
#include <string.h>

static unsigned failures;

/* "text" with "with" instead of the whole line that begins with "context". */
static char *replace_context(const char *text, const char *with)
{
    const char *line = strstr(text, "\ncontext") + 1;
    size_t size = strlen(text) + strlen(with) + 2;
    char *result = malloc(size);

    snprintf(result, size, "%.*s%s%s", (int)(line - text), text, with,
             strchr(line, '\n'));
    return result;
}

/* The plan for "text" has indices of "bits" bits, and a limit of parameters
 * from "least" to "most".
 */
static void check(const char *what, const char *text, unsigned bits,
                  long long least, long long most)
{
    isl_ctx *ctx = pg_ctx_alloc();
    struct pg_options options;
    struct pg_report report;
    char *error = NULL;
    struct pg_scop *scop = pg_scop_read(ctx, text, &error);
    struct pg_plan *plan = NULL;

    pg_options_default(&options);
    pg_report_init(&report);
    if (scop)
        plan = pg_compile(scop, &options, &report);
    if (!plan) {
        printf("FAIL %s: %s\n", what, error ? error : "no plan");
        failures++;
    } else if (plan->index_bits != bits || plan->param_limit < least ||
               plan->param_limit > most) {
        printf("FAIL %s: %u bits, limit %lld\n", what, plan->index_bits,
               plan->param_limit);
        failures++;
    }
    free(error);
    pg_plan_free(plan);
    pg_report_clear(&report);
    pg_scop_free(scop);
    pg_ctx_free(ctx);
}

#define INT                                                                    \
    "-2147483648 <= n <= 2147483647 and "                                      \
    "-2147483648 <= m <= 2147483647 and -2147483648 <= l <= 2147483647"
#define VECTOR(bound, at)                                                      \
    "scop \"f\" file \"f.c\" line 1\n"                                         \
    "param n \"n\"\n"                                                          \
    "context \"[n] -> { : -2147483648 <= n <= 2147483647 }\"\n"                \
    "array A \"a\" float 4 memory 1 live\n"                                    \
    "stmt S line 2 domain \"[n] -> { S[i] : 0 <= i < " bound " }\"\n"          \
    "  write must A \"[n] -> { S[i] -> A[" at "] }\"\n"                        \
    "schedule \"{ domain: \\\"[n] -> { S[i] : 0 <= i < " bound " }\\\", "      \
    "child: { schedule: \\\"[n] -> [{ S[i] -> [(i)] }]\\\" } }\"\n"

/* y[i] += A[<at>][i] for i < n and k < 7. */
#define SUM(at)                                                                \
    "scop \"f\" file \"f.c\" line 1\n"                                         \
    "param n \"n\"\n"                                                          \
    "context \"[n] -> { : }\"\n"                                               \
    "array A \"a\" float 4 memory 2 live extent 1 \"[n] -> { [(n)] }\"\n"      \
    "array y \"y\" float 4 memory 1 live\n"                                    \
    "stmt S line 2 domain \"[n] -> { S[i, k] : 0 <= i < n and 0 <= k < 7 "     \
    "}\"\n"                                                                    \
    "  read must y \"[n] -> { S[i, k] -> y[i] }\"\n"                           \
    "  read must A \"[n] -> { S[i, k] -> A[" at ", i] }\"\n"                   \
    "  write must y \"[n] -> { S[i, k] -> y[i] }\"\n"                          \
    "schedule \"{ domain: \\\"[n] -> { S[i, k] : 0 <= i < n and 0 <= k < 7 "   \
    "}\\\", child: { schedule: \\\"[n] -> [{ S[i, k] -> [(i)] }]\\\", "        \
    "child: { schedule: \\\"[n] -> [{ S[i, k] -> [(k)] }]\\\" } } }\"\n"

/* The plan for "text" has "n_shared" buffers in shared memory, of boxes of 7
 * elements in the first dimension, and a limit of parameters from "least" to
 * "most".
 */
static void check_box(const char *what, const char *text, unsigned n_shared,
                      long long least, long long most)
{
    isl_ctx *ctx = pg_ctx_alloc();
    struct pg_options options;
    struct pg_report report;
    char *error = NULL;
    struct pg_scop *scop = pg_scop_read(ctx, text, &error);
    struct pg_plan *plan = NULL;
    unsigned n = 0;

    pg_options_default(&options);
    options.promote = true;
    options.sizes = "{ kernel[i] -> tile[32,7]; kernel[i] -> block[32] }";
    pg_report_init(&report);
    if (scop)
        plan = pg_compile(scop, &options, &report);
    for (unsigned b = 0; plan && b < plan->kernels[0].mapping->n_buffer; b++) {
        const struct pg_buffer *buffer = &plan->kernels[0].mapping->buffers[b];

        n += buffer->kind == PG_BUFFER_SHARED && buffer->extent[0] == 7;
    }
    if (!plan || n != n_shared || plan->param_limit < least ||
        plan->param_limit > most) {
        printf("FAIL %s: %u buffers, limit %lld (%s)\n", what, n,
               plan ? plan->param_limit : 0,
               error      ? error
               : report.n ? report.reasons[0].sentence
                          : "a plan");
        failures++;
    }
    free(error);
    pg_plan_free(plan);
    pg_report_clear(&report);
    pg_scop_free(scop);
    pg_ctx_free(ctx);
}

/* A loop with more iterations than 64 bits count is refused for its bounds. */
static void check_endless(void)
{
    char *longer = replace_context(
        SUM("k"), "context \"[n] -> { : n = 18446744073709551616 }\"");
    isl_ctx *ctx = pg_ctx_alloc();
    struct pg_options options;
    struct pg_report report;
    struct pg_scop *scop;
    struct pg_plan *plan;
    char *error = NULL;

    scop = pg_scop_read(ctx, longer, &error);
    pg_options_default(&options);
    options.promote = true;
    pg_report_init(&report);
    plan = scop ? pg_compile(scop, &options, &report) : NULL;
    if (plan || report.n != 1 || report.reasons[0].code != PG_BOUNDS) {
        printf("FAIL endless: %s\n", error      ? error
                                     : report.n ? report.reasons[0].sentence
                                                : "a plan");
        failures++;
    }
    free(longer);
    free(error);
    pg_plan_free(plan);
    pg_report_clear(&report);
    pg_scop_free(scop);
    pg_ctx_free(ctx);
}

int main(void)
{
    static const struct {
        const char *what, *context;
        unsigned bits;
        long long least, most;
    } gemm[] = {
        {"no bounds", "context \"[n, m, l] -> { : }\"", 32,
         (1LL << 31) / 3 - (1 << 20), (1LL << 31) - 1},
        {"int", "context \"[n, m, l] -> { : " INT " }\"", 32,
         (1LL << 31) / 3 - (1 << 20), (1LL << 31) - 1},
        {"constant sizes",
         "context \"[n, m, l] -> { : n = 1024 and m = 512 "
         "and l = 1000 }\"",
         32, PG_MAX_PARAM, PG_MAX_PARAM},
        {"small sizes", "context \"[n, m, l] -> { : 0 <= n, m, l <= 4096 }\"",
         32, PG_MAX_PARAM, PG_MAX_PARAM},
    };
    char *text = read_program("gemm");

    for (size_t i = 0; i < sizeof(gemm) / sizeof(*gemm); i++) {
        char *changed = replace_context(text, gemm[i].context);

        check(gemm[i].what, changed, gemm[i].bits, gemm[i].least, gemm[i].most);
        free(changed);
    }
    free(text);
    check("coefficient 1", VECTOR("n", "i"), 32, (1LL << 30) - (1 << 24),
          (1LL << 31) - 1);
    check("coefficient 1048576", VECTOR("1048576n", "i"), 64, 1LL << 31,
          1LL << 43);
    check_box("near", SUM("1024 * k + n"), 1, 1LL << 29, (1LL << 31) - 1);
    check_box("a large stride", SUM("268435456 * k + n"), 1, 1LL << 26,
              1LL << 28);
    check_box("backwards", SUM("-1024 * k + n"), 1, 1LL << 29, (1LL << 31) - 1);
    check_box("too far for an int", SUM("-1073741823 * k + n"), 0, 1,
              1LL << 62);
    check_endless();
    check("far", VECTOR("n", "1099511627776 + i"), 64, 1LL << 31, 1LL << 62);
    printf("%u failures\n", failures);
    return failures != 0;
}
