/* test_cells.c - dependences are those that isl finds without cells.
 *
 * Cells (dependence/cells.c) are for pg_dependences only.  Here isl's flow
 * analysis gets the accesses as they are, and has to come to the same
 * relations: for some statements by hand, and for random ones with constants
 * and short loops in any subscript.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "dependence/cells.h"
#include "polygpu/polyhedral.h"
#include "scop/scop.h"

#include <isl/flow.h>
#include <isl/union_map.h>
#include <isl/union_set.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static unsigned failures;

/* Who wrote what "sink" gets, and in "*rest" what nobody wrote. */
static __isl_give isl_union_map *flow_of(__isl_keep isl_union_map *sink,
                                         __isl_keep isl_union_map *source,
                                         __isl_keep isl_union_map *kill,
                                         const struct pg_scop *scop,
                                         isl_union_set **rest)
{
    isl_union_access_info *info =
        isl_union_access_info_from_sink(isl_union_map_copy(sink));
    isl_union_flow *flow;
    isl_union_map *result;

    if (kill) {
        info = isl_union_access_info_set_may_source(info,
                                                    isl_union_map_copy(source));
        info = isl_union_access_info_set_kill(info, isl_union_map_copy(kill));
    } else {
        info = isl_union_access_info_set_must_source(
            info, isl_union_map_copy(source));
    }
    info = isl_union_access_info_set_schedule(
        info, isl_schedule_copy(scop->original));
    flow = isl_union_access_info_compute_flow(info);
    result = isl_union_flow_get_may_dependence(flow);
    if (rest)
        *rest = isl_union_map_range(isl_union_flow_get_may_no_source(flow));
    isl_union_flow_free(flow);
    return isl_union_map_intersect_params(result, isl_set_copy(scop->context));
}

static void expect_maps(const char *what, const char *text,
                        __isl_take isl_union_map *wanted,
                        __isl_keep isl_union_map *found)
{
    if (isl_union_map_is_equal(wanted, found) != isl_bool_true) {
        printf("FAIL %s of\n%s", what, text);
        failures++;
    }
    isl_union_map_free(wanted);
}

/* Hold the dependences of the SCoP "text" against isl's; in how many cells are
 * its accesses?
 */
static unsigned check(isl_ctx *ctx, const char *text)
{
    struct pg_options options;
    struct pg_report report;
    char *error = NULL;
    struct pg_scop *scop = pg_scop_read(ctx, text, &error);
    isl_union_map *reads, *writes, *all;
    isl_union_set *rest = NULL, *cells;
    unsigned n;

    if (!scop) {
        printf("FAIL cannot read (%s)\n%s", error ? error : "?", text);
        free(error);
        failures++;
        return 0;
    }
    pg_options_default(&options);
    pg_report_init(&report);
    if (pg_dependences(scop, &options, &report) != isl_stat_ok) {
        printf("FAIL no dependences of\n%s", text);
        failures++;
    } else {
        reads = pg_scop_accesses(scop, false);
        writes = pg_scop_accesses(scop, true);
        expect_maps("flow", text, flow_of(reads, writes, NULL, scop, &rest),
                    scop->raw);
        expect_maps("output dependences", text,
                    flow_of(writes, writes, NULL, scop, NULL), scop->waw);
        expect_maps("anti-dependences", text,
                    flow_of(writes, reads, writes, scop, NULL), scop->war);
        rest =
            isl_union_set_intersect_params(rest, isl_set_copy(scop->context));
        if (isl_union_set_is_equal(rest, scop->live_in) != isl_bool_true) {
            printf("FAIL live-in of\n%s", text);
            failures++;
        }
        isl_union_set_free(rest);
        isl_union_map_free(reads);
        isl_union_map_free(writes);
    }
    all = isl_union_map_union(pg_cell_accesses(scop, true),
                              pg_cell_accesses(scop, false));
    cells = isl_union_map_range(all);
    n = (unsigned)isl_union_set_n_set(cells);
    isl_union_set_free(cells);
    pg_report_clear(&report);
    pg_scop_free(scop);
    return n;
}

/* ---- By hand ------------------------------------------------------------ */

static const struct {
    const char *what;
    unsigned cells; /* with that of b */
    const char *text;
} by_hand[] = {
    {"two constants", 3,
     "scop \"f\" file \"f.c\" line 1\n"
     "param n \"n\"\n"
     "context \"[n] -> { : 0 <= n <= 1000 }\"\n"
     "array a \"a\" double 8 memory 2 live extent 1 \"[n] -> { [(2)] }\"\n"
     "array b \"b\" double 8 memory 1 live\n"
     "stmt S0 line 2 domain \"[n] -> { S0[i] : 0 <= i < n }\"\n"
     "  read must a \"[n] -> { S0[i] -> a[i, 1] }\"\n"
     "  write must a \"[n] -> { S0[i] -> a[i + 1, 0] }\"\n"
     "stmt S1 line 3 domain \"[n] -> { S1[i] : 0 <= i < n }\"\n"
     "  read must a \"[n] -> { S1[i] -> a[i, 0] }\"\n"
     "  write must b \"[n] -> { S1[i] -> b[i] }\"\n"
     "schedule \"{ domain: \\\"[n] -> { S0[i] : 0 <= i < n; S1[i] : 0 <= i < n "
     "}\\\", child: { schedule: \\\"[n] -> [{ S0[i] -> [(i)]; S1[i] -> [(i)] "
     "}]\\\", child: { sequence: [ { filter: \\\"[n] -> { S0[i] }\\\" }, { "
     "filter: \\\"[n] -> { S1[i] }\\\" } ] } } }\"\n"},
    {"a loop beside a constant", 2,
     "scop \"f\" file \"f.c\" line 1\n"
     "param n \"n\"\n"
     "context \"[n] -> { : 0 <= n <= 1000 }\"\n"
     "array a \"a\" double 8 memory 2 live extent 1 \"[n] -> { [(n)] }\"\n"
     "array b \"b\" double 8 memory 1 live\n"
     "stmt S0 line 2 domain \"[n] -> { S0[i] : 0 < i < n }\"\n"
     "  read must a \"[n] -> { S0[i] -> a[0, i] }\"\n"
     "  read must a \"[n] -> { S0[i] -> a[0, i - 1] }\"\n"
     "  read must a \"[n] -> { S0[i] -> a[0, 0] }\"\n"
     "  write must a \"[n] -> { S0[i] -> a[i, 1] }\"\n"
     "  write must b \"[n] -> { S0[i] -> b[i] }\"\n"
     "schedule \"{ domain: \\\"[n] -> { S0[i] : 0 < i < n }\\\", child: { "
     "schedule: \\\"[n] -> [{ S0[i] -> [(i)] }]\\\" } }\"\n"},
};

/* ---- Random ones -------------------------------------------------------- */

enum { TEXT = 16384 };

struct text {
    char at[TEXT];
    size_t n;
};

static void add(struct text *text, const char *format, ...)
{
    va_list args;

    va_start(args, format);
    text->n +=
        (size_t)vsnprintf(text->at + text->n, TEXT - text->n, format, args);
    va_end(args);
    if (text->n >= TEXT)
        abort();
}

static int below(int n)
{
    return rand() % n;
}

/* A subscript: a constant mostly, else the long loop or the short one. */
static void add_subscript(struct text *text)
{
    switch (below(6)) {
    case 0:
        add(text, "i + %d", below(3));
        break;
    case 1:
        add(text, "m + %d", below(2));
        break;
    default:
        add(text, "%d", below(4));
    }
}

static void add_access(struct text *text, int s, bool write)
{
    add(text, "  %s must a \"[n] -> { S%d[i, m] -> a[",
        write ? "write" : "read", s);
    add_subscript(text);
    add(text, ", ");
    add_subscript(text);
    add(text, "] }\"\n");
}

static void add_domains(struct text *text, int n_stmt)
{
    add(text, "[n] -> { ");
    for (int s = 0; s < n_stmt; s++)
        add(text, "%sS%d[i, m] : 0 <= i < n and 0 <= m < 3", s ? "; " : "", s);
    add(text, " }");
}

/* Statements behind each other in two loops. */
static void make_random(struct text *text)
{
    int n_stmt = 1 + below(3);

    text->n = 0;
    add(text, "scop \"f\" file \"f.c\" line 1\nparam n \"n\"\n"
              "context \"[n] -> { : 0 <= n <= 20 }\"\n"
              "array a \"a\" double 8 memory 2 live extent 1 \"[n] -> { [(8)] "
              "}\"\n");
    for (int s = 0; s < n_stmt; s++) {
        add(text,
            "stmt S%d line 2 domain \"[n] -> { S%d[i, m] : 0 <= i < n and 0 <= "
            "m < 3 }\"\n",
            s, s);
        for (int r = below(4); r > 0; r--)
            add_access(text, s, false);
        add_access(text, s, true);
    }
    add(text, "schedule \"{ domain: \\\"");
    add_domains(text, n_stmt);
    add(text, "\\\", child: { schedule: \\\"[n] -> [{ ");
    for (int s = 0; s < n_stmt; s++)
        add(text, "%sS%d[i, m] -> [(i)]", s ? "; " : "", s);
    add(text, " }, { ");
    for (int s = 0; s < n_stmt; s++)
        add(text, "%sS%d[i, m] -> [(m)]", s ? "; " : "", s);
    add(text, " }]\\\"");
    if (n_stmt > 1) {
        add(text, ", child: { sequence: [ ");
        for (int s = 0; s < n_stmt; s++)
            add(text, "%s{ filter: \\\"[n] -> { S%d[i, m] }\\\" }",
                s ? ", " : "", s);
        add(text, " ] }");
    }
    add(text, " } }\"\n");
}

int main(int argc, char **argv)
{
    enum { RANDOM = 300 };
    unsigned seed =
        argc > 1 ? (unsigned)strtoul(argv[1], NULL, 10) : (unsigned)time(NULL);
    isl_ctx *ctx = pg_ctx_alloc();
    struct text text;
    unsigned n = 0;

    for (size_t i = 0; i < sizeof(by_hand) / sizeof(*by_hand); i++) {
        unsigned cells = check(ctx, by_hand[i].text);

        if (cells != by_hand[i].cells) {
            printf("FAIL %s: %u cells, not %u\n", by_hand[i].what, cells,
                   by_hand[i].cells);
            failures++;
        }
    }
    printf("seed %u\n", seed);
    srand(seed);
    for (int i = 0; i < RANDOM; i++) {
        make_random(&text);
        n += check(ctx, text.at) > 1;
    }
    printf("%u of %d random SCoPs in cells\n", n, RANDOM);
    if (n < RANDOM / 10) {
        printf("FAIL too few\n");
        failures++;
    }
    pg_ctx_free(ctx);
    return failures > 0;
}
