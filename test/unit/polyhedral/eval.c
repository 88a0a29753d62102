/* eval.c - see eval.h.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "eval.h"

#include <isl/ast_type.h>
#include <isl/val.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum expr_type { EXPR_NUMBER, EXPR_NAME, EXPR_OP };

struct expr {
    enum expr_type type;
    enum isl_ast_expr_op_type op;
    long long number;
    unsigned name, n;
    struct expr **args;
};

void fail(char **error, const char *format, ...)
{
    va_list args;
    char buffer[500];

    if (*error)
        return;
    va_start(args, format);
    vsnprintf(buffer, sizeof(buffer), format, args);
    va_end(args);
    *error = malloc(strlen(buffer) + 1);
    strcpy(*error, buffer);
}

void names_add(struct names *names, isl_id *id, char **error)
{
    if (names->n == MAX_NAMES)
        fail(error, "too many variables");
    else
        names->id[names->n++] = id;
}

void names_add_text(struct names *names, isl_ctx *ctx, const char *name,
                    char **error)
{
    isl_id *id = isl_id_alloc(ctx, name, NULL);

    names_add(names, id, error);
    isl_id_free(id); /* the ASTs keep it, or nobody asks for it */
}

static unsigned find_name(const struct names *names, isl_id *id, char **error)
{
    for (unsigned i = names->n; i > 0; i--)
        if (names->id[i - 1] == id)
            return i - 1;
    fail(error, "unknown name '%s'", isl_id_get_name(id));
    return 0;
}

struct expr *expr_take(isl_ast_expr *expr, const struct names *names,
                       char **error)
{
    struct expr *result = expr_compile(expr, names, error);

    isl_ast_expr_free(expr);
    return result;
}

struct expr *expr_compile(isl_ast_expr *expr, const struct names *names,
                          char **error)
{
    struct expr *result;
    isl_val *val;
    isl_id *id;

    if (!expr)
        return NULL;
    result = calloc(1, sizeof(*result));
    switch (isl_ast_expr_get_type(expr)) {
    case isl_ast_expr_int:
        val = isl_ast_expr_get_val(expr);
        result->type = EXPR_NUMBER;
        result->number = isl_val_get_num_si(val);
        isl_val_free(val);
        break;
    case isl_ast_expr_id:
        id = isl_ast_expr_get_id(expr);
        result->type = EXPR_NAME;
        result->name = find_name(names, id, error);
        isl_id_free(id);
        break;
    case isl_ast_expr_op:
        result->type = EXPR_OP;
        result->op = isl_ast_expr_get_op_type(expr);
        result->n = (unsigned)isl_ast_expr_get_op_n_arg(expr);
        result->args = calloc(result->n, sizeof(struct expr *));
        for (unsigned i = 0; i < result->n; i++)
            result->args[i] =
                expr_take(isl_ast_expr_get_op_arg(expr, (int)i), names, error);
        break;
    default:
        fail(error, "an expression of no kind");
    }
    return result;
}

void expr_free(struct expr *expr)
{
    if (!expr)
        return;
    for (unsigned i = 0; i < expr->n; i++)
        expr_free(expr->args[i]);
    free(expr->args);
    free(expr);
}

static long long floor_div(long long a, long long b)
{
    return a >= 0 ? a / b : -((-a + b - 1) / b);
}

/* "a" and then "b" in an operation of numbers. */
static long long combine(enum isl_ast_expr_op_type type, long long a,
                         long long b, char **error)
{
    if (b == 0 && type >= isl_ast_expr_op_div &&
        type <= isl_ast_expr_op_zdiv_r) {
        fail(error, "division by zero");
        return 0;
    }
    switch (type) {
    case isl_ast_expr_op_max:
        return a > b ? a : b;
    case isl_ast_expr_op_min:
        return a < b ? a : b;
    case isl_ast_expr_op_add:
        return a + b;
    case isl_ast_expr_op_sub:
        return a - b;
    case isl_ast_expr_op_mul:
        return a * b;
    case isl_ast_expr_op_div:
        if (a % b)
            fail(error, "division with a remainder");
        return a / b;
    case isl_ast_expr_op_fdiv_q:
        return floor_div(a, b);
    case isl_ast_expr_op_pdiv_q:
    case isl_ast_expr_op_pdiv_r:
        if (a < 0)
            fail(error, "%lld is divided as if it were not negative", a);
        return type == isl_ast_expr_op_pdiv_q ? a / b : a % b;
    case isl_ast_expr_op_zdiv_r:
        return a % b;
    case isl_ast_expr_op_eq:
        return a == b;
    case isl_ast_expr_op_le:
        return a <= b;
    case isl_ast_expr_op_lt:
        return a < b;
    case isl_ast_expr_op_ge:
        return a >= b;
    case isl_ast_expr_op_gt:
        return a > b;
    default:
        fail(error, "an operation that is not known: %d", type);
        return 0;
    }
}

long long expr_eval(const struct expr *expr, const long long *values,
                    char **error)
{
    long long a;

    if (expr->type == EXPR_NUMBER)
        return expr->number;
    if (expr->type == EXPR_NAME)
        return values[expr->name];
    if (expr->n == 0) {
        fail(error, "an operation of nothing");
        return 0;
    }
    a = expr_eval(expr->args[0], values, error);
    switch (expr->op) {
    case isl_ast_expr_op_and:
    case isl_ast_expr_op_and_then:
        for (unsigned i = 1; a && i < expr->n; i++)
            a = expr_eval(expr->args[i], values, error);
        return !!a;
    case isl_ast_expr_op_or:
    case isl_ast_expr_op_or_else:
        for (unsigned i = 1; !a && i < expr->n; i++)
            a = expr_eval(expr->args[i], values, error);
        return !!a;
    case isl_ast_expr_op_cond:
    case isl_ast_expr_op_select:
        return expr_eval(expr->args[a ? 1 : 2], values, error);
    case isl_ast_expr_op_minus:
        return -a;
    default:
        break;
    }
    for (unsigned i = 1; i < expr->n; i++)
        a = combine(expr->op, a, expr_eval(expr->args[i], values, error),
                    error);
    return a;
}
