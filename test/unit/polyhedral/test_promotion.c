/* test_promotion.c - kernels that work on shared memory and registers, executed
 * and compared.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static unsigned failures;

static void complain(const char *program, const char *what)
{
    printf("FAIL %s: %s\n", program, what);
    failures++;
}

/* A program, with what its kernels are to have: "2+1" are two buffers in shared
 * memory and one in registers.
 */
struct program {
    const char *name;
    unsigned n_loop;       /* parallel loops of its kernels */
    const char *buffers;   /* by kernel, with the core's own sizes */
    const char *given[3];  /* with those of all_sizes; NULL: the same */
    bool beyond;           /* statements run beyond their domains if they may */
    long long large[2][4]; /* for the core's own sizes */
    unsigned n_large;
    long long values[5][4]; /* for given sizes */
    unsigned n_values;
};

/* Full and partial tiles; the same in a grid that wraps around; vectors and
 * tiles of odd sizes in one block.  By the number of parallel loops.
 */
static const char *const all_sizes[][3] = {
    {"{ kernel[i] -> tile[8,4]; kernel[i] -> block[4] }",
     "{ kernel[i] -> tile[8,4]; kernel[i] -> block[8]; kernel[i] -> grid[2] }",
     "{ kernel[i] -> tile[6,3]; kernel[i] -> block[2]; kernel[i] -> grid[1] }"},
    {"{ kernel[i] -> tile[8,8,4]; kernel[i] -> block[4,4] }",
     "{ kernel[i] -> tile[8,8,4]; kernel[i] -> block[4,4]; "
     "kernel[i] -> grid[2,2] }",
     "{ kernel[i] -> tile[4,8,3]; kernel[i] -> block[2,4]; "
     "kernel[i] -> grid[1,1] }"},
    {"{ kernel[i] -> tile[2,4,8,4]; kernel[i] -> block[1,4,4] }",
     "{ kernel[i] -> tile[2,4,8,4]; kernel[i] -> block[1,4,4]; "
     "kernel[i] -> grid[2,2,2] }",
     "{ kernel[i] -> tile[2,3,6,5]; kernel[i] -> block[1,3,2]; "
     "kernel[i] -> grid[1,1,1] }"},
};

#define SAME {NULL, NULL, NULL}

static const struct program programs[] = {
    {"gemm",
     2,
     "2+1",
     SAME,
     true,
     {{17, 130, 5}, {129, 5, 17}},
     2,
     {{0, 3, 3}, {1, 1, 1}, {9, 11, 4}, {19, 26, 13}, {17, 5, 0}},
     5},
    {"product_two_k",
     2,
     "4+1",
     SAME,
     true,
     {{5, 130, 17}},
     1,
     {{0, 3, 3}, {1, 1, 1}, {9, 11, 4}, {19, 26, 13}, {17, 5, 0}},
     5},
    {"product_offset",
     2,
     "2+1",
     SAME,
     true,
     {{5, 130, 17}},
     1,
     {{0, 3, 3}, {1, 1, 1}, {9, 11, 4}, {19, 26, 13}, {17, 5, 0}},
     5},
    {"product_reversed",
     2,
     "2+1",
     SAME,
     true,
     {{5, 130, 17}},
     1,
     {{0, 3, 3}, {1, 1, 1}, {9, 11, 4}, {19, 26, 13}, {17, 5, 0}},
     5},
    {"product_strided",
     2,
     "2+1",
     SAME,
     true,
     {{9, 30, 65}},
     1,
     {{1, 2, 0}, {1, 1, 3}, {9, 11, 24}, {19, 6, 40}, {5, 17, 50}},
     5},
    {"product_backwards",
     2,
     "2+1",
     SAME,
     true,
     {{30, 11, 20}},
     1,
     {{9, 1, 0}, {3, 1, 1}, {9, 11, 9}, {16, 6, 13}, {23, 17, 11}},
     5},
    {"product_complex",
     2,
     "2+1 2+1",
     SAME,
     true,
     {{29, 25, 29}},
     1,
     {{9, 1, 0}, {3, 1, 1}, {19, 11, 9}, {26, 6, 13}, {35, 17, 11}},
     5},
    {"stencil_strided",
     2,
     "1+0",
     SAME,
     false,
     {{2, 5}, {9, 20}},
     2,
     {{0, 3}, {1, 1}, {5, 6}, {5, 13}, {5, 0}},
     5},
    {"product_partly",
     2,
     "4+2",
     SAME,
     true,
     {{5, 9, 17}},
     1,
     {{0, 3, 3}, {1, 1, 1}, {9, 11, 4}, {19, 26, 13}, {17, 5, 0}},
     5},
    {"product_constant", 2, "2+1", SAME, true, {{0}}, 1, {{0}}, 1},
    {"two_products",
     2,
     "2+1 2+1",
     SAME,
     true,
     {{7}, {33}},
     2,
     {{0}, {1}, {7}, {13}, {27}},
     5},
    {"syrk",
     2,
     "2+1",
     SAME,
     true,
     {{17, 5}, {5, 33}},
     2,
     {{0, 3}, {1, 1}, {9, 6}, {21, 13}, {5, 0}},
     5},
    {"mirror",
     2,
     "2+1",
     SAME,
     true,
     {{17, 5}, {5, 33}},
     2,
     {{0, 3}, {1, 1}, {9, 6}, {21, 13}, {5, 0}},
     5},
    {"mirror_before",
     2,
     "2+0",
     SAME,
     false,
     {{17, 5}, {5, 33}},
     2,
     {{0, 3}, {1, 1}, {9, 6}, {21, 13}, {5, 0}},
     5},
    {"mirror_read",
     2,
     "2+0",
     SAME,
     false,
     {{17, 5}, {5, 33}},
     2,
     {{0, 3}, {1, 1}, {9, 6}, {21, 13}, {5, 0}},
     5},
    {"mirror_first",
     2,
     "2+0",
     SAME,
     false,
     {{17, 5}, {5, 33}},
     2,
     {{0, 3}, {1, 1}, {9, 6}, {21, 13}, {5, 0}},
     5},
    {"product_lower",
     2,
     "2+1",
     SAME,
     true,
     {{17, 5}, {5, 33}},
     2,
     {{0, 3}, {1, 1}, {9, 6}, {21, 13}, {5, 0}},
     5},
    {"product_upper",
     2,
     "2+1",
     SAME,
     true,
     {{17, 5}, {5, 33}},
     2,
     {{0, 3}, {1, 1}, {9, 6}, {21, 13}, {5, 0}},
     5},
    {"trmm",
     2,
     "0+0 2+1",
     SAME,
     true,
     {{17, 5}, {5, 33}},
     2,
     {{0, 3}, {1, 1}, {9, 6}, {21, 13}, {5, 0}},
     5},
    {"product_own_row",
     2,
     "0+0",
     SAME,
     false,
     {{5, 130, 17}},
     1,
     {{0, 3, 3}, {1, 1, 1}, {9, 11, 4}, {19, 26, 13}, {17, 5, 0}},
     5},
    {"transpose",
     2,
     "1+0",
     {NULL, NULL, "0+0"},
     false,
     {{17, 5}, {33, 70}},
     2,
     {{0, 3}, {1, 1}, {9, 6}, {21, 13}, {5, 0}},
     5},
    {"stencil",
     2,
     "1+0",
     SAME,
     false,
     {{5}, {67}},
     2,
     {{0}, {3}, {2}, {13}, {37}},
     5},
    {"jacobi_2d",
     2,
     "1+0 1+0",
     SAME,
     false,
     {{2, 13}, {2, 37}},
     2,
     {{0, 9}, {1, 3}, {4, 2}, {3, 13}, {2, 37}},
     5},
    {"convolution_2d",
     2,
     "0+0",
     {"2+1", "2+1", "2+1"},
     true,
     {{17, 5}},
     1,
     {{0, 3}, {1, 1}, {9, 6}, {21, 5}, {5, 0}},
     5},
    {"heat_3d", /* caches do as well for so few neighbours */
     3,
     "0+0 0+0",
     {"1+0 1+0", "1+0 1+0", "1+0 1+0"},
     false,
     {{1, 3}, {2, 11}},
     2,
     {{0, 5}, {1, 3}, {2, 8}, {1, 13}},
     4},
    {"product_batched",
     3,
     "2+1",
     SAME,
     true,
     {{1, 3}, {2, 17}},
     2,
     {{0, 5}, {1, 3}, {2, 8}, {3, 13}},
     4},
    {"matvec",
     1,
     "2+1 2+1",
     SAME,
     true,
     {{33, 140}, {130, 5}},
     2,
     {{0, 3}, {1, 1}, {5, 9}, {20, 17}, {33, 0}},
     5},
    {"strided_sum",
     1,
     "2+1",
     SAME,
     true,
     {{33, 14}, {70, 5}},
     2,
     {{0, 3}, {1, 1}, {5, 9}, {20, 17}, {33, 0}},
     5},
    {"convolution",
     1,
     "2+1",
     SAME,
     true,
     {{33, 14}, {70, 5}},
     2,
     {{0, 3}, {1, 1}, {5, 9}, {20, 17}, {33, 0}},
     5},
    {"sum_some",
     1,
     "1+2",
     {"2+2", "2+2", "2+2"},
     true,
     {{7, 4, 1}},
     1,
     {{7, 4, 1}, {4, 8, 3}, {5, 2, 7}, {12, 4, 7}},
     4},
    /* Written in shared memory, of which exactly that goes to memory. */
    {"store_across",
     2,
     "1+0",
     SAME,
     false,
     {{65, 70}, {130, 3}},
     2,
     {{0, 3}, {1, 1}, {5, 9}, {20, 17}, {33, 0}},
     5},
    {"scan_rows",
     1,
     "2+0",
     SAME,
     false,
     {{33, 140}, {70, 5}},
     2,
     {{0, 3}, {1, 1}, {5, 9}, {20, 17}, {33, 0}},
     5},
    {"fields",
     1,
     "1+0",
     SAME,
     false,
     {{300, 2}, {700, 256}},
     2,
     {{0, 3}, {1, 1}, {5, 0}, {20, 3}, {33, 32}},
     5},
    /* Blocks with nothing to do must not begin with the last tile. */
    {"triangle",
     2,
     "0+0",
     SAME,
     false,
     {{131}},
     1,
     {{1}, {2}, {9}, {20}, {37}},
     5},
};

/* "text" (freed here) with all its statements total. */
static char *make_total(char *text)
{
    char *result = calloc(strlen(text) * 2, 1), *line = text;

    while (*line) {
        size_t n = strcspn(line, "\n") + 1;
        const char *domain = strstr(line, " domain ");

        if (!strncmp(line, "stmt ", 5) && domain)
            sprintf(result + strlen(result), "%.*s total%.*s",
                    (int)(domain - line), line, (int)(n - (domain - line)),
                    domain);
        else
            strncat(result, line, n);
        line += n;
    }
    free(text);
    return result;
}

static char *buffers_of(const struct pg_plan *plan)
{
    char *text = calloc(plan->n_kernel * 20 + 1, 1);

    for (unsigned k = 0; k < plan->n_kernel; k++) {
        const struct pg_kernel *kernel = &plan->kernels[k];
        unsigned n[2] = {0};

        for (unsigned i = 0; i < kernel->mapping->n_buffer; i++)
            n[kernel->mapping->buffers[i].kind == PG_BUFFER_REGISTER]++;
        sprintf(text + strlen(text), "%s%u+%u", k ? " " : "", n[0], n[1]);
    }
    return text;
}

/* What the runs of a plan have met. */
struct met {
    uint64_t barriers;
    unsigned long copied, beyond;
};

/* Run "plan" for "values" in the order "order" of threads. */
static void run(const struct program *p, const struct pg_plan *plan,
                const long long *values, unsigned order, struct met *met)
{
    struct run_result result;
    char *error = run_and_compare(plan, values, order, &result);

    met->barriers |= result.barriers;
    met->copied += result.copied + result.returned;
    met->beyond += result.beyond;
    if (error) {
        printf("  parameters %lld %lld %lld order %u\n", values[0], values[1],
               values[2], order);
        complain(p->name, error);
    }
    free(error);
}

/* Every barrier is needed: without it, something is wrong for some of the
 * values.
 */
static void check_barriers(const struct program *p, const struct pg_plan *plan,
                           uint64_t met)
{
    for (unsigned b = 0; b < 64; b++) {
        bool needed = false;

        if (!(met >> b & 1))
            continue;
        for (unsigned v = p->n_values; !needed && v-- > 0;) {
            struct run_result result;
            char *error = run_without_barriers(plan, p->values[v], 0,
                                               (uint64_t)1 << b, &result);

            needed = error != NULL;
            if (error && !strstr(error, "race: ") && !strstr(error, "wrong"))
                complain(p->name, error);
            free(error);
        }
        if (!needed) {
            printf("  barrier %u of kernel %u\n", b % 8, b / 8);
            complain(p->name, "nothing is wrong without a barrier");
        }
    }
}

/* The plan has the buffers that it should, and is right; "given": the number of
 * given sizes, or -1.
 */
static void check_plan(const struct program *p, const struct pg_plan *plan,
                       int given, bool total)
{
    const char *expected = given < 0 ? NULL : p->given[given];
    char *buffers = buffers_of(plan);
    struct met met = {0};

    expected = expected ? expected : p->buffers;
    if (strcmp(buffers, expected) != 0) {
        printf("  buffers %s instead of %s\n", buffers, expected);
        complain(p->name, "other buffers");
    }
    free(buffers);
    for (unsigned v = 0; given < 0 && v < p->n_large; v++)
        run(p, plan, p->large[v], v ? 2 : total, &met);
    for (unsigned v = 0; given >= 0 && v < p->n_values; v++)
        for (unsigned order = 0; order < 3; order++)
            if (given == 1 || order == v % 3)
                run(p, plan, p->values[v], order, &met);
    if (!met.copied != !strpbrk(expected, "123456789"))
        complain(p->name, "copies against expectation, or none");
    if (!met.beyond != !(total && p->beyond && met.copied))
        complain(p->name, "instances beyond the domains, or none");
    if (given >= 0)
        check_barriers(p, plan, met.barriers);
}

/* Programs whose statements are to be in one kernel, whatever that costs. */
static bool is_fused(const char *name)
{
    static const char *const names[] = {"mirror", "mirror_before",
                                        "mirror_read", "mirror_first"};

    for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
        if (!strcmp(names[i], name))
            return true;
    return false;
}

static void check_program(const struct program *p, int given, bool total)
{
    isl_ctx *ctx = pg_ctx_alloc();
    char *text = read_program(p->name), *error = NULL;
    unsigned before = failures;
    struct pg_options options;
    struct pg_report report;
    struct pg_scop *scop;
    struct pg_plan *plan = NULL;

    if (text && total)
        text = make_total(text);
    scop = text ? pg_scop_read(ctx, text, &error) : NULL;
    pg_options_default(&options);
    /* Which kernels get buffers must not depend on the machine. */
    options.max_operations *= 4;
    options.max_seconds = 600;
    options.promote = true;
    /* Buffers of one sweep. */
    options.time = PG_TIME_OFF;
    if (is_fused(p->name))
        options.fusion = PG_FUSION_MAX;
    options.sizes = given < 0 ? NULL : all_sizes[p->n_loop - 1][given];
    pg_report_init(&report);
    if (scop)
        plan = pg_compile(scop, &options, &report);
    if (plan)
        check_plan(p, plan, given, total);
    else
        complain(p->name, error      ? error
                          : report.n ? report.reasons[0].sentence
                                     : "no program, or no plan");
    if (failures > before)
        printf("  with sizes %s%s\n", options.sizes ? options.sizes : "chosen",
               total ? ", total" : "");
    free(error);
    free(text);
    pg_plan_free(plan);
    pg_report_clear(&report);
    pg_scop_free(scop);
    pg_ctx_free(ctx);
}

/* Is program number "i" run with the given sizes of this number (-1: the core's
 * own) and with total statements?  Usually with its own and one of the others,
 * total with one of both; all are the own sizes and the second ones either way,
 * the first ones total and the third ones not.
 */
static bool is_run(size_t i, int given, bool total)
{
    bool own = given < 0;

    switch (test_extent()) {
    case EXTENT_ALL:
        return own || given == 1 || total == (given == 0);
    case EXTENT_USUAL:
        return (own || given == (int)(i % 3)) &&
               total == (own ? i / 3 % 2 == 0 : i / 3 % 2 == 1);
    default:
        return (own ? i % 4 == 3 : i % 4 == (size_t)given) &&
               total == i / 4 % 2;
    }
}

int main(int argc, char **argv)
{
    for (size_t i = 0; i < sizeof(programs) / sizeof(*programs); i++)
        for (int given = -1; given < 3; given++)
            for (int total = 0; total < 2; total++)
                if (is_run(i, given, total) &&
                    is_selected(argc > 1 ? argv[1] : NULL, i, programs[i].name))
                    check_program(&programs[i], given, total);
    printf("%u failures\n", failures);
    return failures != 0;
}
