/* eval.h - expressions of isl's ASTs, translated once and evaluated often.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef POLYGPU_TEST_EVAL_H
#define POLYGPU_TEST_EVAL_H

#include <isl/ast.h>
#include <isl/id.h>

enum { MAX_NAMES = 64 };

/* Set *error to a malloc'ed sentence, unless there is one already. */
void fail(char **error, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* The names that expressions may have; the value of name number i is the
 * number i of the values.  The identifiers are not owned.
 */
struct names {
    isl_id *id[MAX_NAMES];
    unsigned n;
};

void names_add(struct names *names, isl_id *id, char **error);
void names_add_text(struct names *names, isl_ctx *ctx, const char *name,
                    char **error);

struct expr;

/* "expr", which is kept; NULL for NULL. */
struct expr *expr_compile(isl_ast_expr *expr, const struct names *names,
                          char **error);
/* expr_compile, and free "expr". */
struct expr *expr_take(isl_ast_expr *expr, const struct names *names,
                       char **error);
long long expr_eval(const struct expr *expr, const long long *values,
                    char **error);
void expr_free(struct expr *expr);

#endif
