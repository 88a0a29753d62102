/* test_reductions.c - updates of one element that go to partial results, also
 * where each iteration needs what they make of it: what is made of them, that
 * it computes the same, that what goes wrong is noticed, and what is no
 * reduction.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "polygpu/polyhedral.h"
#include "run.h"
#include "scop/scop.h"
#include "support/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static unsigned failures;

static void complain(const char *program, const char *what)
{
    printf("FAIL %s: %s\n", program, what);
    failures++;
}

/* A SCoP as it was read, and what became of it. */
struct compiled {
    isl_ctx *ctx;
    struct pg_scop *source, *scop;
    struct pg_plan *plan;
    struct pg_options options;
    struct pg_report report;
};

static struct pg_scop *read_scop(struct compiled *c, const char *name,
                                 const char *text)
{
    char *error = NULL;
    struct pg_scop *scop = pg_scop_read(c->ctx, text, &error);

    if (!scop)
        complain(name, error ? error : "no such program");
    free(error);
    return scop;
}

static void compile(struct compiled *c, const char *name, const char *text,
                    const char *sizes)
{
    c->ctx = pg_ctx_alloc();
    pg_report_init(&c->report);
    pg_options_default(&c->options);
    c->options.sizes = sizes;
    c->plan = NULL;
    c->source = read_scop(c, name, text);
    c->scop = c->source ? pg_scop_copy(c->source) : NULL;
    if (c->scop)
        c->plan = pg_compile(c->scop, &c->options, &c->report);
}

static void clear(struct compiled *c)
{
    pg_plan_free(c->plan);
    pg_scop_free(c->scop);
    pg_scop_free(c->source);
    pg_report_clear(&c->report);
    pg_ctx_free(c->ctx);
}

/* How many statements of "kind" there are. */
static unsigned count(const struct compiled *c, enum pg_stmt_kind kind)
{
    unsigned n = 0;

    for (unsigned s = 0; s < c->scop->n_stmt; s++)
        n += c->scop->stmts[s].kind == kind;
    return n;
}

static const struct {
    const char *name, *sizes;
    unsigned fills, copies; /* statements that are made */
    long long values[5][2];
    unsigned n_values;
} programs[] = {
    {"sum", NULL, 1, 1, {{0}, {1}, {9}, {2000}}, 4},
    {"sum", "{ kernel[0] -> partial[2,4] }", 1, 1, {{0}, {3}, {8}, {50}}, 4},
    {"sum", "{ kernel[0] -> partial[64] }", 1, 1, {{1}, {64}, {65}, {200}}, 4},
    {"sums_of_rows", NULL, 2, 2, {{0, 3}, {1, 1}, {5, 40}, {40, 3}}, 4},
    {"sums_of_rows",
     "{ kernel[0] -> partial[2,3] }",
     2,
     2,
     {{3, 0}, {2, 3}, {5, 11}, {1, 20}, {9, 2}},
     5},
    {"sum_of_steps", NULL, 1, 1, {{0, 4}, {1, 1}, {3, 70}, {2, 0}}, 4},
    {"sum_of_steps",
     "{ kernel[0] -> partial[1,32] }",
     1,
     1,
     {{1, 31}, {2, 33}, {3, 100}},
     3},
    {"prefix", NULL, 2, 3, {{0}, {1}, {64}, {65}, {4200}}, 5},
    {"prefix", "{ kernel[0] -> partial[3,4] }", 2, 3, {{2}, {12}, {50}}, 3},
    {"prefix", "{ kernel[0] -> partial[1] }", 2, 3, {{1}, {2}, {9}}, 3},
    {"prefix_before",
     "{ kernel[0] -> partial[3,2] }",
     2,
     4,
     {{0, 3}, {1, 1}, {2, 6}, {3, 40}},
     4},
    {"prefix_of_rows",
     "{ kernel[0] -> partial[2,3] }",
     2,
     4,
     {{0, 3}, {1, 0}, {7, 4}, {40, 2}},
     4},
};

static void check_program(unsigned i)
{
    const char *name = programs[i].name;
    char *text = read_program(name);
    struct compiled c;

    compile(&c, name, text, programs[i].sizes);
    free(text);
    if (!c.plan) {
        complain(name, c.report.n ? c.report.reasons[0].sentence : "no plan");
        clear(&c);
        return;
    }
    if (count(&c, PG_STMT_FILL) != programs[i].fills ||
        count(&c, PG_STMT_COPY) != programs[i].copies)
        complain(name, "not each of the updated elements has partial results");
    for (unsigned v = 0; v < programs[i].n_values; v++)
        for (unsigned order = 0; order < 3; order++) {
            struct run_result result;
            char *error = run_and_compare_with(
                c.source, c.plan, programs[i].values[v], order, &result);

            if (error)
                complain(name, error);
            free(error);
        }
    clear(&c);
}

/* Plant the fault number "left" in what is made of a reduction. */
struct planting {
    const struct compiled *c;
    int left;
    bool done;
};

static bool choose(enum pg_plant_kind kind, const char *where, void *user)
{
    struct planting *p = user;

    (void)where;
    if (kind != PG_PLANT_DOMAIN && kind != PG_PLANT_ACCESS)
        return false;
    p->done |= p->left == 0;
    return p->left-- == 0;
}

/* Instances left out and elements exchanged: every one is noticed. */
static void check_faults(const char *name)
{
    bool more = true;
    int n = 0;

    for (; more; n++) {
        struct planting p = {.left = n};
        struct compiled c;
        struct pg_coverage coverage;
        char *text = read_program(name);

        compile(&c, name, text, "{ kernel[0] -> partial[2,4] }");
        free(text);
        p.c = &c;
        if (!c.plan ||
            pg_plant(c.plan, &choose, &p, &c.options, &c.report) != isl_stat_ok)
            complain(name, "nothing can be planted");
        more = c.plan && p.done;
        if (more &&
            pg_verify(c.plan, c.source, &coverage, &c.report) == isl_stat_ok) {
            char *what = pg_format("fault %d is not noticed", n);

            complain(name, what);
            free(what);
        }
        clear(&c);
    }
    printf("%s: %d faults\n", name, n - 1);
    if (n < 10)
        complain(name, "there are hardly any faults");
}

/* "text" (freed) with "to" for "from". */
static char *replaced(char *text, const char *from, const char *to)
{
    char *at = strstr(text, from), *result;

    if (!at)
        return text;
    result =
        pg_format("%.*s%s%s", (int)(at - text), text, to, at + strlen(from));
    free(text);
    return result;
}

/* Statements that are no updates, or whose order matters, stay sequential. */
static void check_refused(const char *what, const char *name, const char *from,
                          const char *to)
{
    char *text = read_program(name);
    struct compiled c;

    if (!strstr(text, from))
        complain(name, "the text to be replaced is not there");
    compile(&c, what, text = replaced(text, from, to), NULL);
    free(text);
    if (c.scop && c.plan && count(&c, PG_STMT_FILL))
        complain(what, "is taken for a reduction");
    clear(&c);
}

int main(void)
{
    for (unsigned i = 0; i < sizeof(programs) / sizeof(*programs); i++)
        if (i % 3 == 0 || test_extent() != EXTENT_FEW)
            check_program(i);
    check_faults("sum");
    if (test_extent() == EXTENT_ALL)
        check_faults("sums_of_rows");
    check_faults("prefix");
    if (test_extent() == EXTENT_ALL)
        check_faults("prefix_before");
    check_refused("no operator", "sum", "update add 1 2 ", "");
    // What is summed up needs it.
    check_refused("no operator", "prefix", "update add 1 2 ", "");
    check_refused("own sum", "prefix", "read must a \"[n] -> { S1[i] -> a[i] }",
                  "read must b \"[n] -> { S1[i] -> b[i - 1] }");
    check_refused("overwritten", "prefix",
                  "write must b \"[n] -> { S2[i] -> b[i] }\"",
                  "write must s \"[n] -> { S2[i] -> s[] }\"");
    check_refused("gaps", "prefix", "{ S1[i] : 0 <= i < n }",
                  "{ S1[i] : 0 <= i < n and i mod 2 = 0 }");
    check_refused("in one statement", "sum", "\nstmt S2",
                  "\n  read must s \"[n] -> { S1[i] -> s[] }\""
                  "\n  write must a \"[n] -> { S1[i] -> a[i] }\""
                  "\nstmt S2");
    if (failures)
        printf("%u failures\n", failures);
    return failures != 0;
}
