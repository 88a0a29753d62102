/* test_conditions.c - accesses that the program makes under a condition only.
 *
 * A guarded write is a read of what was there and a write: it is no kill.  What
 * is written before it still matters behind it, and no array of which it may
 * write an element alone goes to the host without marks.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include <polygpu/polyhedral.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HEAD                                                                   \
    "scop \"f\" file \"f.c\" line 3\n"                                         \
    "param n \"n\"\n"                                                          \
    "context \"[n] -> { : 10 <= n <= 1000 }\"\n"                               \
    "array a \"a\" float 4 memory 1 live\n"                                    \
    "array b \"b\" float 4 memory 1 live\n"                                    \
    "array c \"c\" float 4 memory 1 live\n"

/* a[i] = 1 for i < m */
#define FIRST(m)                                                               \
    "stmt S0 line 4 domain \"[n] -> { S0[i] : 0 <= i < " m " }\"\n"            \
    "  write must a \"[n] -> { S0[i] -> a[i] }\"\n"

/* if (c[i] > 0) a[i] = b[i] */
#define GUARDED                                                                \
    "stmt S1 line 5 domain \"[n] -> { S1[i] : 0 <= i < n }\"\n"                \
    "  read must c \"[n] -> { S1[i] -> c[i] }\"\n"                             \
    "  read must guarded b \"[n] -> { S1[i] -> b[i] }\"\n"                     \
    "  read must guarded a \"[n] -> { S1[i] -> a[i] }\"\n"                     \
    "  write must guarded a \"[n] -> { S1[i] -> a[i] }\"\n"

/* b[i] = a[i] */
#define LAST                                                                   \
    "stmt S2 line 6 domain \"[n] -> { S2[i] : 0 <= i < n }\"\n"                \
    "  read must a \"[n] -> { S2[i] -> a[i] }\"\n"                             \
    "  write must b \"[n] -> { S2[i] -> b[i] }\"\n"

#define LOOP(s) "{ schedule: \\\"[n] -> [{ " s "[i] -> [(i)] }]\\\" }"
#define PART(s) "{ filter: \\\"[n] -> { " s "[i] }\\\", child: " LOOP(s) " }"
#define ORDER(m)                                                               \
    "schedule \"{ domain: \\\"[n] -> { S0[i] : 0 <= i < " m                    \
    "; S1[i] : 0 <= i < n; S2[i] : 0 <= i < n }\\\", child: { sequence: "      \
    "[ " PART("S0") ", " PART("S1") ", " PART("S2") " ] } }\"\n"

#define PROGRAM(m)                                                             \
    HEAD FIRST(m)                                                              \
    GUARDED LAST ORDER(m)

static unsigned failures;

static void check(bool holds, const char *what)
{
    if (!holds) {
        printf("FAIL %s\n", what);
        failures++;
    }
}

static struct pg_scop *read_scop(isl_ctx *ctx, const char *text)
{
    char *error = NULL;
    struct pg_scop *scop = pg_scop_read(ctx, text, &error);

    if (!scop) {
        printf("FAIL cannot be read: %s\n", error);
        exit(1);
    }
    return scop;
}

/* A SCoP with its dependences; "*result" is what pg_conditions says. */
static struct pg_scop *analyse(isl_ctx *ctx, const char *text, isl_stat *result)
{
    struct pg_scop *scop = read_scop(ctx, text);
    struct pg_report report;

    pg_report_init(&report);
    check(pg_dependences(scop, NULL, &report) == isl_stat_ok, "dependences");
    *result = pg_conditions(scop, NULL, &report);
    pg_report_clear(&report);
    return scop;
}

static void check_order(__isl_keep isl_union_map *order, const char *expected,
                        const char *what)
{
    isl_union_map *other =
        isl_union_map_read_from_str(isl_union_map_get_ctx(order), expected);

    check(isl_union_map_is_equal(order, other) == isl_bool_true, what);
    isl_union_map_free(other);
}

static bool is_live_in(const struct pg_scop *scop, const char *elements)
{
    isl_union_set *set = isl_union_set_read_from_str(scop->ctx, elements);
    bool is = isl_union_set_is_subset(set, scop->live_in) == isl_bool_true;

    isl_union_set_free(set);
    return is;
}

/* All is written before the condition: the host gets it all. */
static void test_covered(void)
{
    isl_ctx *ctx = pg_ctx_alloc();
    isl_stat result;
    struct pg_scop *scop = analyse(ctx, PROGRAM("n"), &result);

    check(result == isl_stat_ok, "covered");
    check_order(scop->raw,
                "[n] -> { S0[i] -> S1[i] : 10 <= n <= 1000 and 0 <= i < n; "
                "S1[i] -> S2[i] : 10 <= n <= 1000 and 0 <= i < n }",
                "the guarded write has the one before it as its source");
    check_order(scop->waw,
                "[n] -> { S0[i] -> S1[i] : 10 <= n <= 1000 and 0 <= i < n }",
                "writes in order");
    check(!is_live_in(scop, "[n] -> { a[0] : 10 <= n <= 1000 }"),
          "a is written first");
    check(!scop->arrays[0].flagged && !scop->arrays[0].probed,
          "no marks where all is written");
    check(scop->arrays[1].probed == false, "b is written, so it is there");
    pg_scop_free(scop);
    pg_ctx_free(ctx);
}

/* What was there before the SCoP may be left, behind element 5. */
static void test_uncovered(void)
{
    isl_ctx *ctx = pg_ctx_alloc();
    isl_stat result;
    struct pg_scop *scop = analyse(ctx, PROGRAM("5"), &result);

    check(result == isl_stat_ok, "uncovered");
    check(is_live_in(scop, "[n] -> { a[i] : 10 <= n <= 1000 and 5 <= i < n }"),
          "what a guarded write may leave is live in");
    check(!is_live_in(scop, "[n] -> { a[4] : 10 <= n <= 1000 }"),
          "what is written first is not");
    check(scop->arrays[0].flagged, "marks where a guarded write is alone");
    check(!scop->arrays[0].probed, "all of a is read for sure");
    check(!scop->arrays[1].flagged && !scop->arrays[2].flagged,
          "no marks of others");
    pg_scop_free(scop);
    pg_ctx_free(ctx);
}

/* Nobody else accesses a and b: they may not be there. */
static void test_alone(void)
{
    static const char text[] =
        HEAD GUARDED "schedule \"{ domain: \\\"[n] -> { S1[i] : 0 <= i < n "
                     "}\\\", child: " LOOP("S1") " }\"\n";
    isl_ctx *ctx = pg_ctx_alloc();
    isl_stat result;
    struct pg_scop *scop = analyse(ctx, text, &result);
    char *printed = pg_scop_to_str(scop);

    check(result == isl_stat_ok, "alone");
    check(scop->arrays[0].flagged && scop->arrays[0].probed, "a alone");
    check(!scop->arrays[1].flagged && scop->arrays[1].probed, "b alone");
    check(!scop->arrays[2].flagged && !scop->arrays[2].probed, "c for sure");
    check(strstr(printed, "  read must guarded b ") != NULL &&
              strstr(printed, "  write must guarded a ") != NULL,
          "guarded accesses are printed");
    free(printed);
    pg_scop_free(scop);
    pg_ctx_free(ctx);
}

/* Global variables are there, as far as their types say. */
static void test_known(void)
{
    static const char format[] =
        "scop \"f\" file \"f.c\" line 3\n"
        "param n \"n\"\n"
        "context \"[n] -> { : 10 <= n <= 1000 }\"\n"
        "array a \"a\" float 4 memory 2 live known %u extent 1 \"[n] -> { "
        "[(8)] }\"\n"
        "array c \"c\" float 4 memory 1 live\n"
        "stmt S1 line 5 domain \"[n] -> { S1[i] : 0 <= i < n }\"\n"
        "  read must guarded a \"[n] -> { S1[i] -> a[i, 7] }\"\n"
        "  write must c \"[n] -> { S1[i] -> c[i] }\"\n"
        "schedule \"{ domain: \\\"[n] -> { S1[i] : 0 <= i < n }\\\", "
        "child: " LOOP("S1") " }\"\n";
    static const unsigned most = 8000;

    for (unsigned known = most; known + 1 >= most; known--) {
        char text[2048];
        isl_ctx *ctx = pg_ctx_alloc();
        isl_stat result;
        struct pg_scop *scop;
        char *printed;

        snprintf(text, sizeof text, format, known);
        scop = analyse(ctx, text, &result);
        check(result == isl_stat_ok, "known");
        check(scop->arrays[0].probed == (known < most),
              "as many elements as are there");
        printed = pg_scop_to_str(scop);
        check(strstr(printed, " known ") != NULL, "known is printed");
        free(printed);
        pg_scop_free(scop);
        pg_ctx_free(ctx);
    }
}

/* What is read at places that data say has no accesses, and no part in what the
 * core finds. */
static void test_indirect(void)
{
    static const char text[] =
        "scop \"f\" file \"f.c\" line 3\n"
        "param n \"n\"\n"
        "context \"[n] -> { : 10 <= n <= 1000 }\"\n"
        "array c \"c\" float 4 memory 1 live\n"
        "array x \"x\" float 4 memory 1 live indirect\n"
        "stmt S1 line 5 domain \"[n] -> { S1[i] : 0 <= i < n }\"\n"
        "  write must c \"[n] -> { S1[i] -> c[i] }\"\n"
        "schedule \"{ domain: \\\"[n] -> { S1[i] : 0 <= i < n }\\\", "
        "child: " LOOP("S1") " }\"\n";
    isl_ctx *ctx = pg_ctx_alloc();
    isl_stat result;
    struct pg_scop *scop = analyse(ctx, text, &result), *copy, *again;
    char *printed;

    check(result == isl_stat_ok, "indirect");
    check(!scop->arrays[0].indirect && scop->arrays[1].indirect, "which");
    check(isl_union_set_is_empty(scop->live_in) == isl_bool_true,
          "nothing is live in");
    copy = pg_scop_copy(scop);
    printed = pg_scop_to_str(copy);
    again = read_scop(ctx, printed);
    check(again->arrays[1].indirect, "indirect is printed and read");
    free(printed);
    pg_scop_free(again);
    pg_scop_free(copy);
    pg_scop_free(scop);
    pg_ctx_free(ctx);
}

/* What is updated there has marks, and is no matter of the core's either: the
 * loops have nothing to write, and are parallel. */
static void test_updated(void)
{
    static const char text[] =
        "scop \"f\" file \"f.c\" line 3\n"
        "param n \"n\"\n"
        "context \"[n] -> { : 10 <= n <= 1000 }\"\n"
        "array k \"k\" int 4 memory 1 live\n"
        "array h \"h\" int 4 memory 1 live indirect updated\n"
        "stmt S1 line 5 domain \"[n] -> { S1[i] : 0 <= i < n }\"\n"
        "  read must k \"[n] -> { S1[i] -> k[i] }\"\n"
        "schedule \"{ domain: \\\"[n] -> { S1[i] : 0 <= i < n }\\\", "
        "child: " LOOP("S1") " }\"\n";
    isl_ctx *ctx = pg_ctx_alloc();
    isl_stat result;
    struct pg_scop *scop = analyse(ctx, text, &result), *again;
    char *printed;

    check(result == isl_stat_ok, "updated");
    check(scop->arrays[1].updated && scop->arrays[1].flagged, "marks");
    check(isl_union_map_is_empty(scop->raw) == isl_bool_true &&
              isl_union_map_is_empty(scop->waw) == isl_bool_true,
          "updates have no order");
    printed = pg_scop_to_str(scop);
    again = read_scop(ctx, printed);
    check(again->arrays[1].updated, "updated is printed and read");
    free(printed);
    pg_scop_free(again);
    pg_scop_free(scop);
    pg_ctx_free(ctx);
}

/* An array that is dead afterwards has no marks, and keeps its updates. */
static void test_updates(void)
{
    static const char sum[] =
        "stmt S1 line 5 update add 1 2 domain \"[n] -> { S1[i] : 0 <= i < n "
        "}\"\n"
        "  read must c \"[n] -> { S1[i] -> c[i] }\"\n"
        "  read must guarded a \"[n] -> { S1[i] -> a[0] }\"\n"
        "  write must guarded a \"[n] -> { S1[i] -> a[0] }\"\n"
        "schedule \"{ domain: \\\"[n] -> { S1[i] : 0 <= i < n }\\\", "
        "child: " LOOP("S1") " }\"\n";
    char text[4096];
    isl_ctx *ctx = pg_ctx_alloc();
    isl_stat result;
    struct pg_scop *scop;

    snprintf(text, sizeof text, "%s%s", HEAD, sum);
    scop = analyse(ctx, text, &result);
    check(scop->arrays[0].flagged && scop->stmts[0].n_update == 0,
          "no partial results of a flagged array");
    pg_scop_free(scop);
    memcpy(strstr(text, "memory 1 live"), "memory 1 dead", 13);
    scop = analyse(ctx, text, &result);
    check(!scop->arrays[0].flagged && scop->stmts[0].n_update == 1,
          "dead arrays have no marks");
    pg_scop_free(scop);
    pg_ctx_free(ctx);
}

/* A guarded write that does not read what was there would lose it. */
static void test_lost(void)
{
    static const char text[] =
        HEAD "stmt S1 line 5 domain \"[n] -> { S1[i] : 0 <= i < n }\"\n"
             "  read must a \"[n] -> { S1[i] -> a[i + 1] }\"\n"
             "  write must guarded a \"[n] -> { S1[i] -> a[i] }\"\n"
             "schedule \"{ domain: \\\"[n] -> { S1[i] : 0 <= i < n }\\\", "
             "child: " LOOP("S1") " }\"\n";
    isl_ctx *ctx = pg_ctx_alloc();
    isl_stat result;
    struct pg_scop *scop = analyse(ctx, text, &result);

    check(result == isl_stat_error, "a lost element");
    pg_scop_free(scop);
    pg_ctx_free(ctx);
}

int main(void)
{
    test_covered();
    test_uncovered();
    test_alone();
    test_known();
    test_indirect();
    test_updated();
    test_updates();
    test_lost();
    printf("%u failures\n", failures);
    return failures != 0;
}
