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
         32, 1LL << 62, 1LL << 62},
        {"small sizes", "context \"[n, m, l] -> { : 0 <= n, m, l <= 4096 }\"",
         32, 1LL << 62, 1LL << 62},
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
    check("far", VECTOR("n", "1099511627776 + i"), 64, 1LL << 31, 1LL << 62);
    printf("%u failures\n", failures);
    return failures != 0;
}
