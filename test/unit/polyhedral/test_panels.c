/* test_panels.c - which loops are Floyd and Warshall's, by what they read.
 *
 * The variant is the same for all of these; whether it computes what the loops
 * do is up to the proof.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "polygpu/polyhedral.h"
#include "run.h"
#include "schedule/panels.h"

#include <stdlib.h>
#include <string.h>

static unsigned failures;

/* Changes of the program, by text, and whether there are tiles then. */
static const struct {
    const char *what, *from, *to;
    bool tiles;
} changes[] = {
    {"as it is", "", "", true},
    {"a part of the matrix", "0 <= k < n", "3 <= k < n - 2", true},
    {"rows of another length", "0 <= j < n", "0 <= j < n + 40", true},
    // What is read of row and column k is of another side of its update.
    {"rows backward", "[(i)]", "[(-i)]", false},
    {"columns backward", "[(j)]", "[(-j)]", false},
    {"steps backward", "[(k)]", "[(-k)]", false},
    {"rows outside",
     "[(k)] }]\\\", child: { schedule: \\\"[n] -> [{ S0[k, i, "
     "j] -> [(i)]",
     "[(i)] }]\\\", child: { schedule: \\\"[n] -> [{ S0[k, i, j] -> [(k)]",
     false},
    // Neither row nor column k.
    {"the row before", "p[k,j]", "p[k-1,j]", false},
    {"the diagonal", "p[i,k]", "p[k,k]", false},
    {"one row for all", "-> p[i,j]", "-> p[0,j]", false},
    // Row and column k are not updated in step k.
    {"an elimination", "0 <= i < n and 0 <= j < n", "k < i < n and k < j < n",
     false},
};

/* "text" with all "from" replaced, malloc'ed. */
static char *replaced(const char *text, const char *from, const char *to)
{
    size_t n = strlen(text), times = 0;
    char *result, *end;

    for (const char *at = text; *from && (at = strstr(at, from));
         at += strlen(from))
        times++;
    result = end = malloc(n + times * strlen(to) + 1);
    while (*text) {
        if (*from && !strncmp(text, from, strlen(from))) {
            memcpy(end, to, strlen(to));
            end += strlen(to);
            text += strlen(from);
        } else {
            *end++ = *text++;
        }
    }
    *end = '\0';
    return result;
}

static void check_change(unsigned i)
{
    isl_ctx *ctx = pg_ctx_alloc();
    char *text = read_program("floyd_warshall"), *changed, *error = NULL;
    struct pg_scop *scop, *variant = NULL;
    struct pg_options options;
    struct pg_report report;

    pg_options_default(&options);
    pg_report_init(&report);
    changed = replaced(text, changes[i].from, changes[i].to);
    if (*changes[i].from && !strcmp(text, changed)) {
        printf("FAIL %s: nothing is changed\n", changes[i].what);
        failures++;
    }
    scop = pg_scop_read(ctx, changed, &error);
    if (scop && pg_dependences(scop, &options, &report) == isl_stat_ok)
        variant = pg_scop_panels(scop, &options);
    if (!scop || report.n || (variant != NULL) != changes[i].tiles ||
        (variant && !pg_scop_has_panels(variant))) {
        printf("FAIL %s: %s\n", changes[i].what,
               error      ? error
               : report.n ? report.reasons[0].sentence
               : variant  ? "tiles"
                          : "no tiles");
        failures++;
    }
    pg_scop_free(variant);
    pg_scop_free(scop);
    pg_report_clear(&report);
    free(error);
    free(changed);
    free(text);
    pg_ctx_free(ctx);
}

int main(void)
{
    for (size_t i = 0; i < sizeof(changes) / sizeof(*changes); i++)
        if (i % 4 == 0 || test_extent() != EXTENT_FEW)
            check_change((unsigned)i);
    printf("%u failures\n", failures);
    return failures != 0;
}
