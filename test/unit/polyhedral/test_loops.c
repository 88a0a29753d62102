/* test_loops.c - loops of kernels are known by their depth, not by their names.
 *
 * A product whose parameters have the names that loops would have otherwise.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "polygpu/polyhedral.h"
#include "run.h"
#include "scop/scop.h"
#include "support/text.h"

#include <ctype.h>
#include <isl/ast.h>
#include <stdlib.h>
#include <string.h>

static unsigned failures;

static void complain(const char *what)
{
    printf("FAIL %s\n", what);
    failures++;
}

/* "text" with the word "from" as "to" everywhere; takes "text". */
static char *with_word(char *text, const char *from, const char *to)
{
    struct pg_text result = {0};
    size_t n = strlen(from);
    char before = ' ';

    for (const char *at = text; *at; before = at[-1]) {
        if (!strncmp(at, from, n) && !isalnum((unsigned char)before) &&
            !isalnum((unsigned char)at[n])) {
            pg_text_add(&result, "%s", to);
            at += n;
        } else {
            pg_text_add(&result, "%c", *at++);
        }
    }
    free(text);
    return result.data;
}

struct seen {
    unsigned loops, depths; /* bit d: at depth d */
};

static isl_bool at_node(__isl_keep isl_ast_node *node, void *user)
{
    struct seen *seen = user;
    isl_ast_expr *iterator;
    isl_id *id;
    int depth;

    if (isl_ast_node_get_type(node) != isl_ast_node_for)
        return isl_bool_true;
    iterator = isl_ast_node_for_get_iterator(node);
    id = isl_ast_expr_get_id(iterator);
    depth = pg_loop_depth(id);
    seen->loops++;
    if (depth < 0 || depth >= 32)
        complain("a loop without depth");
    else
        seen->depths |= 1U << depth;
    for (const char *const *name =
             (const char *const[]){"c0", "c2", "c3", NULL};
         *name; name++)
        if (!strcmp(isl_id_get_name(id), *name))
            complain("a loop has the name of a parameter");
    isl_id_free(id);
    isl_ast_expr_free(iterator);
    return isl_bool_true;
}

static void check_plan(const struct pg_plan *plan)
{
    static const long long values[] = {5, 3, 9};
    struct run_result result;
    struct seen seen = {0};
    char *error;

    if (plan->n_kernel != 1 || !plan->kernels[0].mapping->promotion) {
        complain("no kernel with buffers");
        return;
    }
    isl_ast_node_foreach_descendant_top_down(plan->kernels[0].ast, &at_node,
                                             &seen);
    if (seen.loops < 8 || (seen.depths & 7) != 7)
        complain("too few loops");
    error = run_and_compare(plan, values, 0, &result);
    if (error)
        complain(error);
    free(error);
}

int main(void)
{
    isl_ctx *ctx = pg_ctx_alloc();
    char *text = read_program("gemm"), *error = NULL;
    struct pg_options options;
    struct pg_report report;
    struct pg_scop *scop;
    struct pg_plan *plan;

    text = with_word(text, "n", "c0");
    text = with_word(text, "m", "c2");
    text = with_word(text, "l", "c3");
    scop = pg_scop_read(ctx, text, &error);
    pg_options_default(&options);
    options.promote = true;
    options.sizes = "{ kernel[i] -> tile[4,8,4]; kernel[i] -> block[2,4]; "
                    "kernel[i] -> grid[2,2] }";
    pg_report_init(&report);
    plan = scop ? pg_compile(scop, &options, &report) : NULL;
    if (plan)
        check_plan(plan);
    else
        complain(error ? error : "no plan");
    free(error);
    free(text);
    pg_plan_free(plan);
    pg_report_clear(&report);
    pg_scop_free(scop);
    pg_ctx_free(ctx);
    printf("%u failures\n", failures);
    return failures != 0;
}
