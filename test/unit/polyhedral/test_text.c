/* test_text.c - the text form, sizes, and steps that run out of operations.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "polygpu/polyhedral.h"
#include "support/budget.h"

#include <stdlib.h>
#include <string.h>

static unsigned failures;

static void check(bool ok, const char *what)
{
    if (ok)
        return;
    printf("FAIL %s\n", what);
    failures++;
}

#define HEAD "scop \"f\" file \"f.c\" line 1\n"
#define PARAM HEAD "param n \"n\"\n"
#define CONTEXT PARAM "context \"[n] -> { : n >= 0 }\"\n"
#define ARRAY CONTEXT "array A \"a\" float 4 memory 1 live\n"
#define STMT ARRAY "stmt S line 2 domain \"[n] -> { S[i] : 0 <= i < n }\"\n"
#define ACCESS STMT "  write must A \"[n] -> { S[i] -> A[i] }\"\n"
#define TREE                                                                   \
    "{ domain: \\\"[n] -> { S[i] : 0 <= i < n }\\\", "                         \
    "child: { schedule: \\\"[{ S[i] -> [(i)] }]\\\" } }"
#define TREE_LINE "schedule \"" TREE "\"\n"
#define WHOLE ACCESS TREE_LINE
#define COPY                                                                   \
    ARRAY "stmt S line 0 copy domain \"[n] -> { S[i] : 0 <= i < n }\"\n"

/* A text that is wrong, the line and a part of the sentence. */
static const struct {
    const char *text;
    unsigned line;
    const char *part;
} malformed[] = {
    {"", 1, "empty"},
    {"\n# nothing\n", 3, "empty"},
    {"param n \"n\"\n", 1, "begin with 'scop'"},
    {"scop \"f\" file \"f.c\" line x\n", 1, "number"},
    {"scop \"f\" file \"f.c\" line -1\n", 1, "number"},
    {"scop \"f\" fila \"f.c\" line 1\n", 1, "'fila' should be 'file'"},
    {"scop \"f\n", 1, "closing quote"},
    {HEAD HEAD, 2, "second scop"},
    {PARAM "param n \"n\"\n", 3, "twice"},
    {PARAM "param\n", 3, "missing"},
    {PARAM "context \"[n] -> { : n >= \"\n", 3, "notation"},
    {PARAM "context \"[n] -> { [i] : n >= 0 }\"\n", 3, "parameters only"},
    {PARAM "context \"[m] -> { : m >= 0 }\"\n", 3, "'m' is not among"},
    {CONTEXT "context \"{ : }\"\n", 4, "second context"},
    {CONTEXT "param m \"m\"\n", 4, "before the context"},
    {PARAM "array A \"a\" float 4 memory 1 live\n", 3, "after the context"},
    {CONTEXT "array A \"a\" float 4 disk 1 live\n", 4, "none of memory"},
    {CONTEXT "array A \"a\" float 4 memory 1 alive\n", 4, "neither live"},
    {CONTEXT "array A \"a\" float 4 temporary 0 dead\n", 4, "of is missing"},
    {ARRAY "array B \"a\" float 4 temporary 0 dead of C\n", 5, "no array 'C'"},
    {ARRAY "array B \"a\" float 4 temporary 0 dead of B\n", 5, "no array 'B'"},
    {ARRAY "array B \"a\" float 4 temporary 1 dead of A\n", 5,
     "extent is missing"},
    {ARRAY "array B \"a\" float 4 temporary 1 dead of A extent 1 "
           "\"[n] -> { [(n)] }\"\n",
     5, "dimension 0 is missing"},
    {ARRAY "stmt S line 2 of T domain \"{ S[i] }\"\n", 5, "no statement 'T'"},
    {ARRAY "stmt S line 2 of S domain \"{ S[i] }\"\n", 5, "no statement 'S'"},
    {ARRAY "stmt S line 2 part domain \"{ S[i] }\"\n", 5, "none of domain"},
    {COPY "  write must A \"[n] -> { S[i] -> A[i] }\"\n" TREE_LINE, 8,
     "not one read, then one write"},
    {COPY "  write must A \"[n] -> { S[i] -> A[i] }\"\n"
          "  read must A \"[n] -> { S[i] -> A[i] }\"\n" TREE_LINE,
     9, "not one read, then one write"},
    {CONTEXT "array A \"a\" float 4 value 1 live\n", 4, "no dimensions"},
    {CONTEXT "array A \"a\" float 0 memory 1 live\n", 4, "no size"},
    {CONTEXT "array A \"a\" float 4 memory 2 live\n", 4, "extent is missing"},
    {CONTEXT "array A \"a\" float 4 memory 2 live extent 2 \"{ [(1)] }\"\n", 4,
     "dimension 1 is missing"},
    {CONTEXT "array A \"a\" float 4 memory 2 live extent 1 \"[n] -> \"\n", 4,
     "not an expression"},
    {CONTEXT "array A \"a\" float 4 memory 2 live extent 1 \"[m]->{[(m)]}\"\n",
     4, "'m' is not among"},
    {CONTEXT "array A \"a\" float 4 memory 4000000000 live\n", 4, "number"},
    {CONTEXT "array A \"a\" float 4 memory 2000000000 live\n", 4,
     "more than 64"},
    {ARRAY "array A \"a\" float 4 memory 1 live\n", 5, "twice"},
    {ARRAY "stmt S line 2 domain \"{ S[i : }\"\n", 5, "notation"},
    {ARRAY "stmt S line 2 domain \"{ T[i] }\"\n", 5, "not one of 'S'"},
    {ARRAY "stmt S line 2 domain \"{ : }\"\n", 5, "not one of 'S'"},
    {ARRAY "stmt S line 2 domain \"[m] -> { S[i] : i < m }\"\n", 5, "'m'"},
    {ARRAY "  read must A \"{ S[i] -> A[i] }\"\n", 5, "after its statement"},
    {STMT "  read must B \"{ S[i] -> B[i] }\"\n", 6, "no array 'B'"},
    {STMT "  read perhaps A \"{ S[i] -> A[i] }\"\n", 6, "neither must"},
    {STMT "  read must A \"{ S[i] -> }\"\n", 6, "notation"},
    {STMT "  read must A \"{ T[i] -> A[i] }\"\n", 6, "does not start"},
    {STMT "  read must A \"{ S[i,j] -> A[i] }\"\n", 6, "does not start"},
    {STMT "  read must A \"{ S[i] -> A[i,i] }\"\n", 6, "does not go"},
    {STMT "  read must A \"[m] -> { S[i] -> A[m] }\"\n", 6, "'m'"},
    {STMT "  read must A \"{ S[i] -> A[i] }\" extra\n", 6, "more than"},
    {STMT "stmt S line 2 domain \"{ S[i] }\"\n", 6, "twice"},
    {ACCESS, 7, "no schedule"},
    {ACCESS "schedule \"{ domain: \"\n", 7, "not a tree"},
    {ACCESS "schedule \"{ domain: \\\"{ S[0] }\\\" }\"\n", 7, "not run every"},
    {WHOLE "schedule \"" TREE "\"\n", 8, "second schedule"},
    {WHOLE "wat\n", 8, "'wat' begins no line"},
};

static void check_malformed(void)
{
    isl_ctx *ctx = pg_ctx_alloc();

    for (size_t i = 0; i < sizeof(malformed) / sizeof(*malformed); i++) {
        char *error = NULL, line[40];
        struct pg_scop *scop = pg_scop_read(ctx, malformed[i].text, &error);

        snprintf(line, sizeof(line), "line %u: ", malformed[i].line);
        if (scop || !error || strncmp(error, line, strlen(line)) ||
            !strstr(error, malformed[i].part)) {
            printf("FAIL malformed %zu: %s\n", i, error ? error : "accepted");
            failures++;
        }
        free(error);
        pg_scop_free(scop);
    }
    pg_ctx_free(ctx);
}

/* Every beginning of a good text is either good or refused, never a crash. */
static void check_beginnings(void)
{
    isl_ctx *ctx = pg_ctx_alloc();
    size_t length = strlen(WHOLE);

    for (size_t n = 0; n <= length; n++) {
        char *text = calloc(length + 1, 1), *error = NULL;
        struct pg_scop *scop;

        memcpy(text, WHOLE, n);
        scop = pg_scop_read(ctx, text, &error);
        check(!scop == !!error, "a beginning is neither read nor refused");
        check(n < length || scop, "the whole text is not read");
        pg_scop_free(scop);
        free(error);
        free(text);
    }
    pg_ctx_free(ctx);
}

static void check_sizes(void)
{
    static const char *const good[] = {
        NULL,
        "",
        "{ }",
        "{ kernel[0] -> tile[32,32] }",
        "{ kernel[i] -> block[8,32]; kernel[0] -> grid[256] }",
        "{ kernel[i] -> block[64,4,4] }",
        "{ kernel[i] -> tile[16] : i = 1; kernel[i] -> tile[8] : i = 2 }",
        "{ kernel[i] -> stages[1]; kernel[0] -> tile[32,32,8] }",
        "{ kernel[0] -> stages[8] }",
        "{ kernel[0] -> vector[4,2,1,16] }",
    };
    static const char *const bad[] = {
        "nonsense",
        "{ kernel[0] -> tile[0] }",
        "{ kernel[0] -> tile[-3] }",
        "{ kernel[0] -> tile[i] }",
        "{ kernel[0] -> tiles[3] }",
        "{ krnl[0] -> tile[3] }",
        "{ kernel[0,1] -> tile[3] }",
        "{ kernel[0] -> block[2048] }",
        "{ kernel[0] -> block[64,64] }",
        "{ kernel[0] -> block[128,2,2] }",
        "{ kernel[0] -> grid[65536] }",
        "{ kernel[0] -> grid[1,1,1,1] }",
        "{ kernel[0] -> stages[0] }",
        "{ kernel[0] -> stages[9] }",
        "{ kernel[0] -> stages[2,2] }",
        "{ kernel[0] -> vector[2,17] }",
        "{ kernel[0] -> stages[2]; kernel[0] -> stages[3] }",
        "[n] -> { kernel[0] -> tile[n] }",
        "{ kernel[i] -> tile[i] }",
        "{ kernel[0] -> tile[] }",
        "{ kernel[0] -> [3] }",
        "{ tile[3] }",
        "{ kernel[0] -> tile[99999999999999999999] }",
        "{ kernel[0] -> tile[3]; kernel[0] -> tile[4] }",
    };

    for (size_t i = 0; i < sizeof(good) / sizeof(*good); i++) {
        char *error = pg_sizes_check(good[i]);

        if (error)
            printf("  %s: %s\n", good[i], error);
        check(!error, "good sizes are refused");
        free(error);
    }
    for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
        char *error = pg_sizes_check(bad[i]);

        if (!error)
            printf("  %s\n", bad[i]);
        check(error, "bad sizes are accepted");
        free(error);
    }
}

/* With every number of operations the compilation ends with a plan or with a
 * reason, and the scop can be printed and freed.
 */
static void check_quota(void)
{
    bool seen = false;

    for (unsigned long n = 1; n < 4000000; n += n / 5 + 1) {
        isl_ctx *ctx = pg_ctx_alloc();
        struct pg_options options = {
            .max_operations = n, .max_seconds = 600, .fusion = PG_FUSION_AUTO};
        char *error = NULL, *text;
        struct pg_scop *scop = pg_scop_read(ctx, WHOLE, &error);
        struct pg_report report;
        struct pg_plan *plan;

        pg_report_init(&report);
        plan = pg_compile(scop, &options, &report);
        check(plan || report.n == 1, "no plan and not one reason");
        if (!plan && report.n == 1)
            check(report.reasons[0].code == PG_QUOTA,
                  report.reasons[0].sentence);
        seen |= !plan;
        text = pg_scop_to_str(scop);
        check(strstr(text, "schedule"), "a scop without quota has no text");
        free(text);
        text = pg_schedule_to_str(scop);
        free(text);
        pg_plan_free(plan);
        pg_report_clear(&report);
        pg_scop_free(scop);
        pg_ctx_free(ctx);
    }
    check(seen, "the quota was never reached");
}

/* The compilation of "scop" under "options": true and *sentence unchanged if
 * there is a plan, else the only reason, malloc'ed.
 */
static bool compiles(struct pg_scop *scop, const struct pg_options *options,
                     char **sentence)
{
    struct pg_report report;
    struct pg_plan *plan;
    bool ok;

    pg_report_init(&report);
    plan = pg_compile(scop, options, &report);
    ok = plan;
    check(plan || (report.n == 1 && report.reasons[0].code == PG_QUOTA),
          "not one reason, of the quota");
    if (!plan && report.n == 1)
        *sentence = strdup(report.reasons[0].sentence);
    pg_plan_free(plan);
    pg_report_clear(&report);
    return ok;
}

/* A budget for several compilations: some get through, the one during which it
 * is spent has that as its reason, so have all after, and in the same context
 * a compilation without budget gets through again.
 */
static void check_budget(unsigned long operations, bool inner)
{
    isl_ctx *ctx = pg_ctx_alloc();
    struct pg_budget outer, budget;
    struct pg_options options;
    char *error = NULL, *sentence = NULL, *spent;
    struct pg_scop *scop = pg_scop_read(ctx, WHOLE, &error);
    unsigned done = 0;

    pg_options_default(&options);
    pg_budget_begin(&outer, "the file", "wait", operations, 0, NULL);
    pg_budget_begin(&budget, "the loops", "try less", 0, 0, &outer);
    options.budget = inner ? &budget : &outer;
    check(!pg_budget_spent(options.budget), "spent at the beginning");
    while (done < 1000 && compiles(scop, &options, &sentence))
        done++;
    check(done > 0 && done < 1000, "none or all compilations get through");
    check(sentence &&
              strstr(sentence, "the analysis of the file has taken "
                               "all of its") &&
              strstr(sentence, "; wait"),
          "the sentence is not about the budget");
    free(sentence);
    spent = pg_budget_spent(options.budget);
    check(spent, "not spent at the end");
    free(spent);
    sentence = NULL;
    check(!compiles(scop, &options, &sentence), "got through without budget");
    free(sentence);
    options.budget = NULL;
    check(compiles(scop, &options, &sentence), "the context is spoilt");
    pg_scop_free(scop);
    pg_ctx_free(ctx);
}

/* A compilation takes the same operations each time, whatever time there is. */
static void check_budget_repeats(void)
{
    unsigned long left[2];

    for (int i = 0; i < 2; i++) {
        isl_ctx *ctx = pg_ctx_alloc();
        struct pg_budget budget;
        struct pg_options options;
        char *error = NULL, *sentence = NULL;
        struct pg_scop *scop = pg_scop_read(ctx, WHOLE, &error);

        pg_options_default(&options);
        options.max_seconds = i ? 60 : 600;
        pg_budget_begin(&budget, "the loops", "", 1000000, 0, NULL);
        options.budget = &budget;
        check(compiles(scop, &options, &sentence), "a million is too few");
        left[i] = pg_budget_operations(&budget, 0);
        pg_scop_free(scop);
        pg_ctx_free(ctx);
    }
    check(left[0] == left[1], "operations are counted in two ways");
    check(left[0] > 0 && left[0] < 999000, "operations are not counted");
}

/* A budget whose time is over before anything begins. */
static void check_budget_time(void)
{
    isl_ctx *ctx = pg_ctx_alloc();
    struct pg_budget budget;
    struct pg_options options;
    char *error = NULL, *sentence = NULL;
    struct pg_scop *scop = pg_scop_read(ctx, WHOLE, &error);

    pg_options_default(&options);
    pg_budget_begin(&budget, "the loops", "wait", 0, 1e-9, NULL);
    options.budget = &budget;
    check(!compiles(scop, &options, &sentence), "got through without time");
    check(sentence && strstr(sentence, "all of its 1e-09 seconds, so that the "
                                       "outcome depends on the machine"),
          "the sentence is not about the time");
    check(budget.late, "that seconds decided is not in the budget");
    free(sentence);
    options.budget = NULL;
    check(compiles(scop, &options, &sentence), "the context is spoilt");
    pg_scop_free(scop);
    pg_ctx_free(ctx);
}

/* "text" is refused with "code" for the statement S, by the dependences. */
static void check_refusal(const char *text, enum pg_code code)
{
    isl_ctx *ctx = pg_ctx_alloc();
    struct pg_options options;
    struct pg_report report;
    char *error = NULL;
    struct pg_scop *scop = pg_scop_read(ctx, text, &error);

    pg_options_default(&options);
    pg_report_init(&report);
    check(scop, error);
    if (scop) {
        check(!pg_compile(scop, &options, &report), "not refused");
        check(report.n == 1 && report.reasons[0].code == code &&
                  report.reasons[0].stmt &&
                  !strcmp(report.reasons[0].stmt, "S"),
              "refused for another reason");
    }
    free(error);
    pg_report_clear(&report);
    pg_scop_free(scop);
    pg_ctx_free(ctx);
}

/* a[i] = f(a[i - 1]) forwards is legal, backwards or all at once is not, and
 * neither is a schedule that forgets an instance.
 */
static void check_legality(void)
{
    static const struct {
        const char *tree;
        isl_bool legal;
    } trees[] = {
        {"{ domain: \"[n] -> { S[i] : 0 <= i < n }\", "
         "child: { schedule: \"[{ S[i] -> [(2i)] }]\" } }",
         isl_bool_true},
        {"{ domain: \"[n] -> { S[i] : 0 <= i < n }\", "
         "child: { schedule: \"[{ S[i] -> [(-i)] }]\" } }",
         isl_bool_false},
        {"{ domain: \"[n] -> { S[i] : 0 <= i < n }\", "
         "child: { schedule: \"[{ S[i] -> [(0)] }]\" } }",
         isl_bool_false},
        {"{ domain: \"[n] -> { S[i] : 0 <= i < n }\" }", isl_bool_false},
        {"{ domain: \"[n] -> { S[i] : 0 <= i < n }\", child: { sequence: [ "
         "{ filter: \"{ S[i] : i < 5 }\", "
         "child: { schedule: \"[{ S[i] -> [(i)] }]\" } }, "
         "{ filter: \"{ S[i] : i >= 5 }\", "
         "child: { schedule: \"[{ S[i] -> [(i)] }]\" } } ] } }",
         isl_bool_true},
        {"{ domain: \"[n] -> { S[i] : 0 <= i < n }\", child: { sequence: [ "
         "{ filter: \"{ S[i] : i >= 5 }\", "
         "child: { schedule: \"[{ S[i] -> [(i)] }]\" } }, "
         "{ filter: \"{ S[i] : i < 5 }\", "
         "child: { schedule: \"[{ S[i] -> [(i)] }]\" } } ] } }",
         isl_bool_false},
        {"{ domain: \"[n] -> { S[i] : 0 <= i < n }\", child: { set: [ "
         "{ filter: \"{ S[i] : i < 5 }\", "
         "child: { schedule: \"[{ S[i] -> [(i)] }]\" } }, "
         "{ filter: \"{ S[i] : i >= 5 }\", "
         "child: { schedule: \"[{ S[i] -> [(i)] }]\" } } ] } }",
         isl_bool_false},
        {"{ domain: \"[n] -> { S[i] : 0 < i < n }\", "
         "child: { schedule: \"[{ S[i] -> [(i)] }]\" } }",
         isl_bool_false},
    };
    isl_ctx *ctx = pg_ctx_alloc();
    struct pg_report report;
    char *error = NULL;
    struct pg_scop *scop =
        pg_scop_read(ctx,
                     ACCESS "  read must A \"{ S[i] -> A[i - 1] }\"\n"
                            "schedule \"" TREE "\"\n",
                     &error);

    pg_report_init(&report);
    check(scop && pg_dependences(scop, NULL, &report) == isl_stat_ok,
          "no dependences");
    for (size_t i = 0; scop && i < sizeof(trees) / sizeof(*trees); i++) {
        isl_schedule *tree = isl_schedule_read_from_str(ctx, trees[i].tree);

        if (pg_schedule_is_legal(scop, tree) != trees[i].legal) {
            printf("FAIL legality of tree %zu\n", i);
            failures++;
        }
        isl_schedule_free(tree);
    }
    free(error);
    pg_report_clear(&report);
    pg_scop_free(scop);
    pg_ctx_free(ctx);
}

int main(void)
{
    check_legality();
    check_malformed();
    check_beginnings();
    check_sizes();
    check_quota();
    check_budget(60000, false);
    check_budget(60000, true);
    check_budget_repeats();
    check_budget_time();
    check_refusal(STMT "write may A \"{ S[i] -> A[i] }\"\nschedule \"" TREE
                       "\"\n",
                  PG_MAY_WRITE);
    check_refusal(STMT "read must A \"{ S[i] -> A[j] : i <= j <= i + 1 }\"\n"
                       "schedule \"" TREE "\"\n",
                  PG_NOT_FUNCTION);
    printf("%u failures\n", failures);
    return failures != 0;
}
