/* test_nests.c - blocks for an outer loop, threads for the loops inside, and
 * barriers where threads depend on each other.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "map/user.h"
#include "polygpu/polyhedral.h"
#include "run.h"
#include "schedule/tree.h"
#include "scop/scop.h"
#include "verify/run.h"

#include <stdlib.h>
#include <string.h>

static unsigned failures;

static void complain(const char *program, const char *what)
{
    printf("FAIL %s: %s\n", program, what);
    failures++;
}

/* A program with a kernel of nests. */
struct program {
    const char *name;
    bool original;   /* with the original order instead of a new one */
    unsigned needed; /* bit b: there is a barrier number b, which some */
                     /* of the values need */
    bool plain;      /* no threads for the loops inside */
    long long values[7][4];
    unsigned n_values;
};

static const struct program programs[] = {
    {"batched_stencil",
     false,
     3,
     false,
     {{0, 2, 5},
      {2, 0, 5},
      {2, 3, 0},
      {1, 1, 3},
      {1, 2, 4},
      {5, 3, 9},
      {3, 4, 18}},
     7},
    {"batched_stencil", true, 3, false, {{0, 2, 5}, {1, 1, 3}, {3, 2, 11}}, 3},
    {"batched_war",
     true,
     1,
     false,
     {{0, 5}, {3, 0}, {3, 1}, {1, 2}, {1, 3}, {5, 14}},
     6},
    {"batched_triangle",
     false,
     3,
     false,
     {{0, 2, 5}, {2, 0, 5}, {1, 1, 1}, {1, 1, 3}, {4, 4, 5}, {3, 3, 13}},
     6},
    {"batched_independent",
     true,
     0,
     false,
     {{0, 2, 5}, {2, 0, 5}, {2, 3, 0}, {1, 1, 1}, {4, 2, 11}},
     5},
    {"batched_deep",
     false,
     15,
     false,
     {{0, 2, 2, 5}, {1, 1, 1, 3}, {2, 2, 0, 9}, {3, 2, 3, 8}},
     4},
    {"batched_2d", false, 3, false, {{0, 2, 5}, {1, 1, 3}, {3, 2, 8}}, 3},
    {"batched_fast", false, 0, true, {{0, 2, 5}, {5, 2, 6}}, 2},
};

/* Sizes, and the threads that a block has then. */
static const struct {
    const char *sizes;
    unsigned threads;
} all_sizes[] = {
    {NULL, 256},
    {"{ kernel[i] -> block[3] }", 3},
    {"{ kernel[i] -> tile[2,7]; kernel[i] -> block[4,2]; "
     "kernel[i] -> grid[2,9] }",
     4},
    {"{ kernel[i] -> block[1]; kernel[i] -> grid[1] }", 1},
};

/* Run "plan" with all values and orders of threads, without the barriers of
 * which a bit of "dropped" is set; returns how many runs give wrong values.
 */
static unsigned run_all(const struct program *p, const struct pg_plan *plan,
                        unsigned dropped, unsigned *met)
{
    unsigned wrong = 0;

    for (unsigned v = 0; v < p->n_values; v++)
        for (unsigned order = 0; order < 4; order++) {
            struct run_result result;
            char *error = run_without_barriers(plan, p->values[v], order,
                                               dropped, &result);

            *met |= result.barriers;
            if (error && dropped &&
                (strstr(error, "wrong value") || strstr(error, "race: "))) {
                wrong++;
            } else if (error) {
                printf("  parameters %lld %lld %lld order %u\n",
                       p->values[v][0], p->values[v][1], p->values[v][2],
                       order);
                complain(p->name, error);
            }
            free(error);
        }
    return wrong;
}

/* How often "part" is in "text". */
static unsigned count(const char *text, const char *part)
{
    unsigned n = 0;

    for (const char *at = text; (at = strstr(at, part)); at += strlen(part))
        n++;
    return n;
}

/* The plan is right, as it should be, and every barrier in it is needed. */
static void check_plan(const struct program *p, const struct pg_plan *plan,
                       unsigned size)
{
    unsigned threads = all_sizes[size].threads, met = 0, expected = 0;
    const struct pg_kernel *kernel = &plan->kernels[0];
    char *text;

    for (unsigned b = 0; b < 8; b++)
        expected += p->needed >> b & 1;
    if (plan->n_kernel != 1)
        complain(p->name, "not one kernel");
    if (kernel->has_barrier != (p->needed != 0))
        complain(p->name, "barriers, or none, against expectation");
    if (!p->plain &&
        (kernel->mapping->n_block != 1 || kernel->mapping->block[0] != threads))
        complain(p->name, "wrong number of threads");
    if (!p->plain &&
        (size == 0 && kernel->mapping->grid_limit[0] != PG_GRID_ALL))
        complain(p->name, "wrong limit of the grid");
    text = pg_kernel_to_str(plan, 0, NULL, NULL);
    if (count(text, "__syncthreads();") != expected)
        complain(p->name, "wrong number of barriers in the text");
    free(text);
    text = pg_plan_to_str(plan);
    if (!strstr(text, ", barriers\n") != !p->needed)
        complain(p->name, "the plan's text is wrong about barriers");
    free(text);
    run_all(p, plan, 0, &met);
    if (met != p->needed)
        complain(p->name, "wrong barriers are met");
    for (unsigned b = 0; b < 8; b++)
        if (p->needed >> b & 1 && threads > 1 &&
            !run_all(p, plan, 1u << b, &met)) {
            printf("  barrier %u, sizes %u\n", b, size);
            complain(p->name, "nothing is wrong without a barrier");
        }
}

/* Read the program "p", with its schedule. */
static struct pg_scop *read_scop(isl_ctx *ctx, const struct program *p,
                                 const struct pg_options *options,
                                 struct pg_report *report)
{
    char *text = read_program(p->name), *error;
    struct pg_scop *scop = pg_scop_read(ctx, text, &error);
    isl_schedule_node *root;

    free(text);
    pg_dependences(scop, options, report);
    if (!p->original) {
        pg_schedule(scop, options, report);
        return scop;
    }
    root = isl_schedule_get_root(scop->original);
    scop->schedule =
        pg_tree_annotate(root, pg_scop_domain(scop), pg_scop_order(scop));
    isl_schedule_node_free(root);
    return scop;
}

static void check_program(const struct program *p, unsigned size)
{
    isl_ctx *ctx = pg_ctx_alloc();
    struct pg_options options;
    struct pg_report report;
    struct pg_scop *scop;
    struct pg_plan *plan;

    pg_options_default(&options);
    options.sizes = all_sizes[size].sizes;
    pg_report_init(&report);
    scop = read_scop(ctx, p, &options, &report);
    plan = pg_map(scop, &options, &report);
    if (!plan || pg_build_ast(plan, &options, &report) != isl_stat_ok)
        complain(p->name, "no plan");
    else
        check_plan(p, plan, size);
    pg_plan_free(plan);
    pg_report_clear(&report);
    pg_scop_free(scop);
    pg_ctx_free(ctx);
}

/* Mapping with few operations: whatever runs out, if there is a plan then
 * it is right, and between the quotas for no plan and for threads inside there
 * are some for the plain mapping.
 */
static void check_quota(void)
{
    unsigned with = 0, without = 0;

    for (unsigned long n = 500; n < 400000; n += n / 3) {
        isl_ctx *ctx = pg_ctx_alloc();
        struct pg_options options,
            quota = {.max_operations = n, .max_seconds = 600};
        struct pg_report report;
        struct pg_scop *scop;
        struct pg_plan *plan;
        unsigned met = 0;

        pg_options_default(&options);
        pg_report_init(&report);
        scop = read_scop(ctx, &programs[1], &options, &report);
        plan = pg_map(scop, &quota, &report);
        if (plan && pg_build_ast(plan, &options, &report) == isl_stat_ok) {
            static const long long values[] = {2, 2, 7};
            struct run_result result;
            char *error = run_and_compare(plan, values, 2, &result);

            if (error)
                complain("quota", error);
            free(error);
            met = result.barriers;
            with += met != 0;
            without += met == 0;
        } else if (report.n != 1 || report.reasons[0].code != PG_QUOTA) {
            complain("quota", "no plan for another reason");
        }
        pg_plan_free(plan);
        pg_report_clear(&report);
        pg_scop_free(scop);
        pg_ctx_free(ctx);
    }
    if (!with || !without)
        complain("quota", "the fall-back was not used, or always");
}

/* Threads filtered above a barrier: the AST would let only some come to it, so
 * the kernel falls back on one thread for each outer iteration.
 */
static void check_fall_back(void)
{
    const struct program *p = &programs[1];
    isl_ctx *ctx = pg_ctx_alloc();
    struct pg_options options;
    struct pg_report report;
    struct pg_scop *scop;
    struct pg_plan *plan;
    isl_schedule_node *node;
    struct pg_mapping *nested;
    unsigned met = 0;

    pg_options_default(&options);
    pg_report_init(&report);
    scop = read_scop(ctx, p, &options, &report);
    plan = pg_map(scop, &options, &report);
    nested = &plan->kernels[0].candidates[0];
    node = isl_schedule_get_root(nested->schedule);
    node = isl_schedule_node_child(node, 0);
    node = isl_schedule_node_insert_filter(
        node, isl_union_set_read_from_str(
                  ctx, "[t0] -> { S0[x, s, i] : i mod 256 = t0 + 1; "
                       "S1[x, s, i] : i mod 256 = t0 + 1 }"));
    isl_schedule_free(nested->schedule);
    nested->schedule = isl_schedule_node_get_schedule(node);
    isl_schedule_node_free(node);
    if (pg_build_ast(plan, &options, &report) != isl_stat_ok || report.n)
        complain("fall-back", "no plan");
    else if (plan->kernels[0].has_barrier)
        complain("fall-back", "a barrier below a filter of threads");
    else if (plan->kernels[0].n_candidate != 2 ||
             nested->kind != PG_MAPPING_NESTED ||
             plan->kernels[0].mapping != nested + 1 ||
             plan->kernels[0].mapping->kind != PG_MAPPING_PLAIN ||
             !plan->kernels[0].choice ||
             strcmp(plan->kernels[0].choice,
                    "no threads for inner loops: not all threads of a block "
                    "would come to the same barriers") != 0)
        complain("fall-back", "not the reason that there is");
    else
        run_all(p, plan, 0, &met);
    pg_plan_free(plan);
    pg_report_clear(&report);
    pg_scop_free(scop);
    pg_ctx_free(ctx);
}

/* A legal schedule that claims falsely that the loop inside is parallel: there
 * is no place for a barrier, so the kernel is mapped without threads inside.
 */
static void check_false_claim(void)
{
    static const char tree[] =
        "{ domain: \"[b, t, n] -> { S0[x, s, i] : 0 <= x < b and 0 <= s < t "
        "and 1 <= i < n - 1; S1[x, s, i] : 0 <= x < b and 0 <= s < t and "
        "1 <= i < n - 1 }\", child: { schedule: \"[{ S0[x, s, i] -> [(x)]; "
        "S1[x, s, i] -> [(x)] }]\", coincident: [ 1 ], child: { schedule: "
        "\"[{ S0[x, s, i] -> [(s)]; S1[x, s, i] -> [(s)] }]\", child: { "
        "schedule: \"[{ S0[x, s, i] -> [(i)]; S1[x, s, i] -> [(i + 1)] }]\", "
        "coincident: [ 1 ], child: { sequence: [ "
        "{ filter: \"{ S0[x, s, i] }\" }, { filter: \"{ S1[x, s, i] }\" } "
        "] } } } } }";
    const struct program *p = &programs[1];
    isl_ctx *ctx = pg_ctx_alloc();
    struct pg_options options;
    struct pg_report report;
    struct pg_scop *scop;
    struct pg_plan *plan;
    unsigned met = 0;

    pg_options_default(&options);
    pg_report_init(&report);
    scop = read_scop(ctx, p, &options, &report);
    isl_schedule_free(scop->schedule);
    scop->schedule = isl_schedule_read_from_str(ctx, tree);
    if (pg_schedule_is_legal(scop, scop->schedule) != isl_bool_true)
        complain("false claim", "the given schedule is not legal");
    plan = pg_map(scop, &options, &report);
    if (!plan || pg_build_ast(plan, &options, &report) != isl_stat_ok)
        complain("false claim", "no plan");
    else
        run_all(p, plan, 0, &met);
    if (met)
        complain("false claim", "there are barriers");
    pg_plan_free(plan);
    pg_report_clear(&report);
    pg_scop_free(scop);
    pg_ctx_free(ctx);
}

/* With a known number of iterations inside, a block has as many warps as have
 * something to do; with less than a warp of them, threads go to the outer loop.
 */
static void check_known_sizes(void)
{
    static const struct {
        const char *context;
        unsigned threads;
        bool barrier;
    } cases[] = {
        {"context \"[b, t, n] -> { : n = 33 }\"", 256, false},
        {"context \"[b, t, n] -> { : n = 34 }\"", 32, true},
        {"context \"[b, t, n] -> { : n = 35 }\"", 64, true},
        {"context \"[b, t, n] -> { : n <= 258 }\"", 256, true},
        {"context \"[b, t, n] -> { : n <= 5000 }\"", 256, true},
    };
    char *text = read_program("batched_stencil");
    const char *line = strstr(text, "context");

    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        isl_ctx *ctx = pg_ctx_alloc();
        size_t size = strlen(text) + strlen(cases[i].context) + 1;
        char *changed = malloc(size), *error = NULL;
        struct pg_report report;
        struct pg_scop *scop;
        struct pg_plan *plan;

        snprintf(changed, size, "%.*s%s%s", (int)(line - text), text,
                 cases[i].context, strchr(line, '\n'));
        pg_report_init(&report);
        scop = pg_scop_read(ctx, changed, &error);
        plan = scop ? pg_compile(scop, NULL, &report) : NULL;
        if (!plan)
            complain("known sizes", error ? error : "no plan");
        else if (plan->kernels[0].mapping->block[0] != cases[i].threads ||
                 plan->kernels[0].has_barrier != cases[i].barrier)
            complain(cases[i].context, "wrong threads");
        free(error);
        free(changed);
        pg_plan_free(plan);
        pg_report_clear(&report);
        pg_scop_free(scop);
        pg_ctx_free(ctx);
    }
    free(text);
}

/* Make the user node a barrier. */
static isl_ast_node *at_barrier(isl_ast_node *node, isl_ast_build *build,
                                void *user)
{
    (void)build;
    (void)user;
    return pg_user_attach(node, pg_user_alloc(PG_USER_BARRIER, 0, 0));
}

/* The interpreter notices barriers that not all threads meet, or
 * that they meet in different iterations, and barriers in a kernel that claims
 * to have none.
 */
static void check_interpreter(void)
{
    static const struct {
        const char *schedule;
        bool has_barrier;
        const char *error;
    } cases[] = {
        {"[t0] -> { B[] -> [0] : t0 >= 1 }", true, "different barriers"},
        {"[t0] -> { B[] -> [c] : t0 <= c <= t0 + 1 }", true,
         "different barriers"},
        {"[b0] -> { B[] -> [b0] }", false, "claims to have no barriers"},
        /* No thread executes a statement. */
        {"[b0] -> { B[] -> [b0] }", true, "instances instead of"},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        static const long long values[] = {600 % 61, 0, 0, 0};
        isl_ctx *ctx = pg_ctx_alloc();
        char *text = read_program("vector_add"), *error;
        struct pg_scop *scop = pg_scop_read(ctx, text, &error);
        struct pg_report report;
        struct pg_plan *plan;
        struct run_result result;
        isl_ast_build *build;

        pg_report_init(&report);
        plan = pg_compile(scop, NULL, &report);
        build = isl_ast_build_from_context(isl_set_read_from_str(
            ctx, "[t0, b0] -> { : 0 <= t0 < 256 and b0 >= 0 }"));
        build = isl_ast_build_set_at_each_domain(build, &at_barrier, NULL);
        isl_ast_node_free(plan->kernels[0].ast);
        plan->kernels[0].ast = isl_ast_build_node_from_schedule_map(
            build, isl_union_map_read_from_str(ctx, cases[i].schedule));
        plan->kernels[0].has_barrier = cases[i].has_barrier;
        isl_ast_build_free(build);
        error = run_and_compare(plan, values, 0, &result);
        if (!error || !strstr(error, cases[i].error))
            complain("interpreter", error ? error : "nothing is noticed");
        free(error);
        pg_plan_free(plan);
        pg_report_clear(&report);
        pg_scop_free(scop);
        free(text);
        pg_ctx_free(ctx);
    }
}

/* Append "text" to the string of "user". */
static void keep_text(const char *text, void *user)
{
    char **all = user;
    size_t length = strlen(*all);

    *all = realloc(*all, length + strlen(text) + 1);
    strcpy(*all + length, text);
}

/* The trees after passes are those of the plain mapping, and then of the one
 * with nests, which has a barrier where one is needed, and a filter of threads
 * below it.
 */
static void check_printing(void)
{
    static const char *const parts[] = {", plain: tree after grid\n",
                                        ", plain: tree after threads\n",
                                        ", nested: tree after grid\n",
                                        "mark: \"nest\"",
                                        ", nested: tree after barriers\n",
                                        "barrier0[]",
                                        "mark: \"nest\"",
                                        ", nested: tree after threads\n",
                                        "barrier0[]",
                                        "mark: \"nest\"",
                                        "mark: \"threads\"",
                                        "t0"};
    isl_ctx *ctx = pg_ctx_alloc();
    char *text = calloc(1, 1);
    const char *at;
    struct pg_options options;
    struct pg_report report;
    struct pg_scop *scop;
    struct pg_plan *plan;

    pg_options_default(&options);
    options.print_after = "grid,barriers,threads";
    options.print = &keep_text;
    options.print_user = &text;
    pg_report_init(&report);
    scop = read_scop(ctx, &programs[1], &options, &report);
    plan = pg_map(scop, &options, &report);
    at = text;
    for (size_t i = 0; at && i < sizeof(parts) / sizeof(*parts); i++) {
        at = strstr(at, parts[i]);
        if (!at)
            complain("printing", parts[i]);
    }
    if (strstr(text, "tree after tile") || strstr(text, "tree before"))
        complain("printing", "trees that nobody asked for");
    free(text);
    pg_plan_free(plan);
    pg_report_clear(&report);
    pg_scop_free(scop);
    pg_ctx_free(ctx);
}

int main(void)
{
    check_interpreter();
    check_printing();
    check_fall_back();
    check_false_claim();
    check_known_sizes();
    check_quota();
    for (size_t i = 0; i < sizeof(programs) / sizeof(*programs); i++)
        for (size_t s = 0; s < sizeof(all_sizes) / sizeof(*all_sizes); s++)
            if (s == i % 4 || test_extent() != EXTENT_FEW)
                check_program(&programs[i], (unsigned)s);
    printf("%u failures\n", failures);
    return failures != 0;
}
