/* test_cover.c - loaded schedules that execute some instances never or twice.
 *
 * Random trees over one loop: filters and bands with random conditions, whose
 * instances are also counted one by one.  A tree is to be taken exactly if each
 * instance reaches one leaf and none gets lost.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include <polygpu/polyhedral.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum {
    MOST = 30, /* n is at most this, so that instances can be counted */
    TREES = 400
};

static const char program[] =
    "scop \"f\" file \"f.c\" line 3\n"
    "param n \"n\"\n"
    "context \"[n] -> { : n <= 30 }\"\n"
    "array a \"a\" float 4 memory 1 live\n"
    "array c \"c\" float 4 memory 1 live\n"
    "stmt S0 line 5 domain \"[n] -> { S0[i] : 0 <= i < n }\"\n"
    "  read must a \"[n] -> { S0[i] -> a[i] }\"\n"
    "  write must c \"[n] -> { S0[i] -> c[i] }\"\n"
    "stmt S1 line 7 domain \"[n] -> { S1[i] : 0 <= i < n }\"\n"
    "  read must c \"[n] -> { S1[i] -> c[i] }\"\n"
    "  write must a \"[n] -> { S1[i] -> a[i] }\"\n"
    "schedule \"{ domain: \\\"[n] -> { S0[i] : 0 <= i < n; "
    "S1[i] : 0 <= i < n }\\\", child: { sequence: [ { filter: "
    "\\\"[n] -> { S0[i] }\\\", child: { schedule: \\\"[n] -> [{ S0[i] -> [(i)] "
    "}]\\\" } }, { filter: \\\"[n] -> { S1[i] }\\\", child: { schedule: "
    "\\\"[n] -> [{ S1[i] -> [(i)] }]\\\" } } ] } }\"\n";

#define DOMAIN                                                                 \
    "{ domain: \"[n] -> { S0[i] : 0 <= i < n; S1[i] : 0 <= i < n }\", child: "

static unsigned failures;

static void complain(const char *text, const char *what)
{
    printf("FAIL %s\n  %s\n", text, what ? what : "");
    failures++;
}

/* Give the program the schedules "text" to choose from; the malloc'ed reason
 * if it takes none, else NULL.
 */
static char *offer(const char *text)
{
    isl_ctx *ctx = pg_ctx_alloc();
    char *error = NULL, *reason = NULL;
    struct pg_scop *scop = pg_scop_read(ctx, program, &error);
    struct pg_options options;
    struct pg_report report;
    isl_stat result;

    if (!scop) {
        complain("program", error);
        exit(1);
    }
    pg_options_default(&options);
    options.schedules = text;
    pg_report_init(&report);
    result = pg_dependences(scop, &options, &report);
    if (result == isl_stat_ok)
        result = pg_schedule(scop, &options, &report);
    if (result != isl_stat_ok)
        reason = strdup(report.n ? report.reasons[0].sentence : "no reason");
    pg_report_clear(&report);
    pg_scop_free(scop);
    pg_ctx_free(ctx);
    return reason;
}

static void check_refused(const char *text, const char *part)
{
    char *reason = offer(text);

    if (!reason || !strstr(reason, part))
        complain(text, reason ? reason : "was taken");
    free(reason);
}

static void check_taken(const char *text)
{
    char *reason = offer(text);

    if (reason)
        complain(text, reason);
    free(reason);
}

/* ---- Trees by hand ------------------------------------------------------ */

#define BAND(s) "{ schedule: \"[n] -> [{ " s "[i] -> [(i)] }]\" }"
#define PART(s, band)                                                          \
    "{ filter: \"[n] -> { " s "[i] }\", child: " BAND(band) " }"
#define FILTER(s, condition)                                                   \
    "{ filter: \"[n] -> { " s "[i] : " condition " }\", child: " BAND(s) " }"

static void check_by_hand(void)
{
    check_taken(DOMAIN "{ sequence: [ " PART("S0", "S0") ", " PART(
        "S1", "S1") " ] } }\n");
    check_taken(DOMAIN "{ sequence: [ " FILTER("S0", "i > 3") ", " FILTER(
        "S0", "i <= 3") ", " PART("S1", "S1") " ] } }\n");
    check_refused(DOMAIN "{ sequence: [ " PART("S0", "S0") ", " PART(
                      "S2", "S1") " ] } }\n",
                  "no filter of a sequence or set lets through all instances "
                  "of S1 in line 7; there is no statement S2");
    check_refused(DOMAIN "{ sequence: [ " PART("S0", "S1") ", " PART(
                      "S1", "S0") " ] } }\n",
                  "a band has no value for all instances of S0 in line 5");
    check_refused(
        DOMAIN "{ sequence: [ " FILTER("S0", "i > 3") ", " FILTER(
            "S0", "i <= 4") ", " PART("S1", "S1") " ] } }\n",
        "two filters of a sequence or set let through instances of S0 in "
        "line 5, those of [n] -> { S0[i = 4] }");
    check_refused(
        DOMAIN "{ sequence: [ " FILTER("S0", "i > 3") ", " FILTER(
            "S0", "i <= 2") ", " PART("S1", "S1") " ] } }\n",
        "no filter of a sequence or set lets through instances of S0 in "
        "line 5, those of [n] -> { S0[i = 3] }");
    check_refused(DOMAIN
                  "{ sequence: [ { filter: \"[n] -> { S0[i] }\" }, " PART(
                      "S1", "S1") " ] } }\n",
                  "its bands do not tell apart all instances of S0");
    check_refused(DOMAIN
                  "{ context: \"[n] -> { [] }\", child: { sequence: [ " PART(
                      "S0", "S0") ", " PART("S1", "S1") " ] } } }\n",
                  "a node that is no domain, band");
    check_refused("{ domain: \"[n] -> { S0[i] : 0 <= i < n }\", child: " BAND(
                      "S0") " }\n",
                  "it lacks all instances of S1 in line 7");
    check_refused("no schedule\n", "isl cannot read");
}

/* ---- Random trees ------------------------------------------------------- */

static unsigned long long state;

static unsigned below(unsigned n)
{
    state = state * 6364136223846793005ULL + 1442695040888963407ULL;
    return (unsigned)(state >> 33) % n;
}

/* A condition on i; often one that goes with what others leave. */
struct condition {
    enum { ALL, LESS, NOT_LESS, EVEN, ODD, EQUAL, DIFFERENT, N_KIND } kind;
    int value;
};

static struct condition random_condition(void)
{
    struct condition c = {below(N_KIND), 4 + (int)below(2)};

    return c;
}

static int holds(struct condition c, int i)
{
    switch (c.kind) {
    case LESS:
        return i < c.value;
    case NOT_LESS:
        return i >= c.value;
    case EVEN:
        return i % 2 == 0;
    case ODD:
        return i % 2 == 1;
    case EQUAL:
        return i == c.value;
    case DIFFERENT:
        return i != c.value;
    default:
        return 1;
    }
}

static void print(struct condition c, char *text)
{
    static const char *const formats[] = {
        "i >= 0",      "i < %d", "i >= %d", "i mod 2 = 0",
        "i mod 2 = 1", "i = %d", "i != %d"};

    sprintf(text, formats[c.kind], c.value);
}

/* A tree for S0 under "depth" nodes at most, for the instances that "reach"
 * counts: how often each gets here.  "done" counts how often they reach a leaf,
 * "lost" those for which a band has no value or that no filter lets through.
 */
static void random_tree(unsigned depth, const int *reach, int *done, int *lost,
                        char *text)
{
    unsigned n = depth ? 1 + below(3) : 0;
    char condition[32];
    int left[MOST];

    if (n < 2) {
        struct condition c = random_condition();

        if (below(4))
            c.kind = ALL;
        print(c, condition);
        sprintf(text, "{ schedule: \"[n] -> [{ S0[i] -> [(%si)] : %s }]\" }",
                below(2) ? "-" : "2*", condition);
        for (int i = 0; i < MOST; i++)
            *(holds(c, i) ? &done[i] : lost) += reach[i];
        return;
    }
    memcpy(left, reach, sizeof(left));
    strcpy(text, below(2) ? "{ sequence: [ " : "{ set: [ ");
    for (unsigned f = 0; f < n; f++) {
        struct condition c = random_condition();
        int inner[MOST];

        print(c, condition);
        sprintf(text + strlen(text),
                "%s{ filter: \"[n] -> { S0[i] : %s }\", child: ", f ? ", " : "",
                condition);
        for (int i = 0; i < MOST; i++) {
            inner[i] = holds(c, i) ? reach[i] : 0;
            left[i] = holds(c, i) ? 0 : left[i];
        }
        random_tree(depth - 1, inner, done, lost, text + strlen(text));
        strcat(text, " }");
    }
    strcat(text, " ] }");
    for (int i = 0; i < MOST; i++)
        *lost += left[i];
}

static void check_random(void)
{
    unsigned taken = 0;

    for (int t = 0; t < TREES; t++) {
        int once[MOST], done[MOST] = {0}, lost = 0, complete = 1;
        char text[8192] =
            DOMAIN "{ sequence: [ { filter: \"[n] -> { S0[i] }\", "
                   "child: ";
        char *reason;

        for (int i = 0; i < MOST; i++)
            once[i] = 1;
        random_tree(below(3), once, done, &lost, text + strlen(text));
        strcat(text, " }, " PART("S1", "S1") " ] } }\n");
        for (int i = 0; i < MOST; i++)
            complete = complete && done[i] == 1;
        reason = offer(text);
        taken += !reason;
        // An instance may also get to one leaf because it is lost on its way to
        // the other one: that may be refused.
        if (complete && !lost && reason)
            complain(text, reason);
        if (!complete && (!reason || !strstr(reason, "not complete: ")))
            complain(text, reason ? reason : "was taken");
        free(reason);
    }
    printf("%u of %d random trees are complete\n", taken, TREES);
    if (taken < TREES / 20 || taken > TREES - TREES / 20)
        complain("random trees", "nearly all or none are complete");
}

int main(int argc, char **argv)
{
    state = argc > 1 ? strtoull(argv[1], NULL, 10)
                     : (unsigned long long)time(NULL) * 2654435761U;
    printf("seed %llu\n", state);
    check_by_hand();
    check_random();
    printf("%u failures\n", failures);
    return failures != 0;
}
