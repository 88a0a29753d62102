/* expr.c - see expr.h.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "verify/expr.h"
#include "support/text.h"

#include <isl/ast_type.h>
#include <isl/val.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum expr_type {
    EXPR_NUMBER,
    EXPR_NAME,
    EXPR_OP,
    EXPR_SUM /* of names times factors and a number */
};

struct expr {
    enum expr_type type;
    enum isl_ast_expr_op_type op;
    long long number;
    unsigned name, n;
    struct expr **args;
    unsigned n_term; /* SUM */
    struct term {
        unsigned name;
        long long factor;
    } *terms;
};

void pg_wrong(struct pg_fault *fault, const char *format, ...)
{
    struct pg_text text = {0};
    va_list args;

    if (fault->sentence)
        return;
    va_start(args, format);
    pg_text_add_v(&text, format, args);
    va_end(args);
    fault->sentence = pg_text_take(&text);
}

void pg_cannot(struct pg_fault *fault, const char *sentence)
{
    if (fault->sentence)
        return;
    fault->sentence = pg_strdup(sentence);
    fault->cannot = true;
}

void *pg_enlarge(void *list, size_t n, size_t size)
{
    void *larger = pg_alloc(n ? 2 * n : 1, size);

    if (n)
        memcpy(larger, list, n * size);
    free(list);
    return larger;
}

void pg_names_add(struct names *names, isl_id *id, struct pg_fault *fault)
{
    if (names->n == MAX_NAMES)
        pg_cannot(fault, "there are too many variables");
    else
        names->id[names->n++] = id;
}

void pg_names_add_text(struct names *names, isl_ctx *ctx, const char *name,
                       struct pg_fault *fault)
{
    isl_id *id = isl_id_alloc(ctx, name, NULL);

    pg_names_add(names, id, fault);
    isl_id_free(id); /* the ASTs keep it, or nobody asks for it */
}

static unsigned find_name(const struct names *names, isl_id *id,
                          struct pg_fault *fault)
{
    for (unsigned i = names->n; i > 0; i--)
        if (names->id[i - 1] == id)
            return i - 1;
    pg_wrong(fault, "unknown name '%s'", isl_id_get_name(id));
    return 0;
}

struct expr *pg_expr_take(isl_ast_expr *expr, const struct names *names,
                          struct pg_fault *fault)
{
    struct expr *result = pg_expr_compile(expr, names, fault);

    isl_ast_expr_free(expr);
    return result;
}

/* Add "factor" times "expr" to "sum"; false if that is no sum. */
static bool add_terms(struct expr *sum, const struct expr *expr,
                      long long factor)
{
    const struct term one = {expr->name, 1};
    const struct term *terms = expr->type == EXPR_NAME ? &one : expr->terms;
    unsigned n = expr->type == EXPR_NAME ? 1 : expr->n_term;

    if (expr->type == EXPR_OP)
        return false;
    sum->number += factor * expr->number;
    for (unsigned i = 0; i < n; i++) {
        sum->terms = pg_grow(sum->terms, sum->n_term, sizeof(*sum->terms));
        sum->terms[sum->n_term++] =
            (struct term){terms[i].name, factor * terms[i].factor};
    }
    return true;
}

/* Make "expr" a sum if it is one: less to evaluate. */
static void make_sum(struct expr *expr)
{
    struct expr sum = {.type = EXPR_SUM};
    bool is =
        expr->type == EXPR_OP && expr->n == 2 && expr->args[0] && expr->args[1];

    if (is && expr->op == isl_ast_expr_op_mul)
        is = expr->args[0]->type == EXPR_NUMBER
                 ? add_terms(&sum, expr->args[1], expr->args[0]->number)
                 : expr->args[1]->type == EXPR_NUMBER &&
                       add_terms(&sum, expr->args[0], expr->args[1]->number);
    else if (is && (expr->op == isl_ast_expr_op_add ||
                    expr->op == isl_ast_expr_op_sub))
        is = add_terms(&sum, expr->args[0], 1) &&
             add_terms(&sum, expr->args[1],
                       expr->op == isl_ast_expr_op_add ? 1 : -1);
    else if (expr->type == EXPR_OP && expr->op == isl_ast_expr_op_minus)
        is = expr->args[0] && add_terms(&sum, expr->args[0], -1);
    else
        is = false;
    if (!is) {
        free(sum.terms);
        return;
    }
    for (unsigned i = 0; i < expr->n; i++)
        pg_expr_free(expr->args[i]);
    free(expr->args);
    *expr = sum;
}

struct expr *pg_expr_compile(isl_ast_expr *expr, const struct names *names,
                             struct pg_fault *fault)
{
    struct expr *result;
    isl_val *val;
    isl_id *id;

    if (!expr)
        return NULL;
    result = pg_alloc(1, sizeof(*result));
    switch (isl_ast_expr_get_type(expr)) {
    case isl_ast_expr_int:
        val = isl_ast_expr_get_val(expr);
        result->type = EXPR_NUMBER;
        if (isl_val_n_abs_num_chunks(val, 8) != 1)
            pg_cannot(fault, "a number is too large");
        else
            result->number = isl_val_get_num_si(val);
        isl_val_free(val);
        break;
    case isl_ast_expr_id:
        id = isl_ast_expr_get_id(expr);
        result->type = EXPR_NAME;
        result->name = find_name(names, id, fault);
        isl_id_free(id);
        break;
    case isl_ast_expr_op:
        result->type = EXPR_OP;
        result->op = isl_ast_expr_get_op_type(expr);
        result->n = (unsigned)isl_ast_expr_get_op_n_arg(expr);
        result->args = pg_alloc(result->n + 1, sizeof(struct expr *));
        for (unsigned i = 0; i < result->n; i++)
            result->args[i] = pg_expr_take(
                isl_ast_expr_get_op_arg(expr, (int)i), names, fault);
        break;
    default:
        pg_cannot(fault, "an expression is of no kind");
    }
    if (!names->exact)
        make_sum(result);
    return result;
}

void pg_expr_free(struct expr *expr)
{
    if (!expr)
        return;
    for (unsigned i = 0; i < expr->n; i++)
        pg_expr_free(expr->args[i]);
    free(expr->args);
    free(expr->terms);
    free(expr);
}

static long long floor_div(long long a, long long b)
{
    return a >= 0 ? a / b : -((-a + b - 1) / b);
}

/* "a" and then "b" in an operation of numbers. */
static long long combine(enum isl_ast_expr_op_type type, long long a,
                         long long b, struct pg_fault *fault)
{
    if (b == 0 && type >= isl_ast_expr_op_div &&
        type <= isl_ast_expr_op_zdiv_r) {
        pg_wrong(fault, "division by zero");
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
    case isl_ast_expr_op_div: /* Generated as a floor, see AstBuilder. */
    case isl_ast_expr_op_fdiv_q:
        return floor_div(a, b);
    case isl_ast_expr_op_pdiv_q:
    case isl_ast_expr_op_pdiv_r:
        if (a < 0)
            pg_wrong(fault, "%lld is divided as if it were not negative", a);
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
        pg_cannot(fault, "an operation is not known");
        return 0;
    }
}

/* An operation, whose operands are mostly numbers, names and sums. */
static long long eval_op(const struct expr *expr, const long long *values,
                         struct pg_fault *fault) __attribute__((noinline));

__attribute__((always_inline)) static inline long long
eval(const struct expr *expr, const long long *values, struct pg_fault *fault)
{
    if (!expr) {
        pg_cannot(fault, "an expression is missing");
        return 0;
    }
    if (expr->type == EXPR_NAME)
        return values[expr->name];
    if (expr->type == EXPR_SUM) {
        long long a = expr->number;

        for (unsigned i = 0; i < expr->n_term; i++)
            a += expr->terms[i].factor * values[expr->terms[i].name];
        return a;
    }
    return expr->type == EXPR_NUMBER ? expr->number
                                     : eval_op(expr, values, fault);
}

static long long eval_op(const struct expr *expr, const long long *values,
                         struct pg_fault *fault)
{
    long long a;

    if (expr->n == 0) {
        pg_cannot(fault, "an operation has no operands");
        return 0;
    }
    a = eval(expr->args[0], values, fault);
    switch (expr->op) {
    case isl_ast_expr_op_and:
    case isl_ast_expr_op_and_then:
        for (unsigned i = 1; a && i < expr->n; i++)
            a = eval(expr->args[i], values, fault);
        return !!a;
    case isl_ast_expr_op_or:
    case isl_ast_expr_op_or_else:
        for (unsigned i = 1; !a && i < expr->n; i++)
            a = eval(expr->args[i], values, fault);
        return !!a;
    case isl_ast_expr_op_cond:
    case isl_ast_expr_op_select:
        return eval(expr->args[a ? 1 : 2], values, fault);
    case isl_ast_expr_op_minus:
        return -a;
    default:
        break;
    }
    for (unsigned i = 1; i < expr->n; i++)
        a = combine(expr->op, a, eval(expr->args[i], values, fault), fault);
    return a;
}

long long pg_expr_eval(const struct expr *expr, const long long *values,
                       struct pg_fault *fault)
{
    return eval(expr, values, fault);
}

/* "value", which has to fit. */
static __int128 fit(__int128 value, unsigned bits, struct pg_fault *fault)
{
    __int128 most = ((__int128)1 << (bits - 1)) - 1;

    if (value > most || value < -most - 1)
        pg_wrong(fault, "an index needs more than %u bits", bits);
    return value;
}

/* "a" and then "b" in an operation of numbers. */
static __int128 combine_exact(enum isl_ast_expr_op_type type, __int128 a,
                              __int128 b, struct pg_fault *fault)
{
    bool divides =
        type >= isl_ast_expr_op_div && type <= isl_ast_expr_op_zdiv_r;

    if (divides && b == 0)
        pg_wrong(fault, "division by zero");
    if (divides && b == 0)
        return 0;
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
    case isl_ast_expr_op_pdiv_q:
        return a / b;
    case isl_ast_expr_op_div:
    case isl_ast_expr_op_fdiv_q:
        return a / b - (a % b < 0);
    case isl_ast_expr_op_pdiv_r:
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
        pg_cannot(fault, "an operation is not known");
        return 0;
    }
}

__int128 pg_expr_exact(const struct expr *expr, const __int128 *values,
                       unsigned bits, struct pg_fault *fault)
{
    bool stop_at;
    __int128 a;

    if (!expr || fault->sentence || expr->type == EXPR_SUM ||
        (expr->type == EXPR_OP && expr->n == 0)) {
        pg_cannot(fault, "an expression is missing");
        return 0;
    }
    if (expr->type == EXPR_NUMBER)
        return fit(expr->number, bits, fault);
    if (expr->type == EXPR_NAME)
        return fit(values[expr->name], bits, fault);
    a = pg_expr_exact(expr->args[0], values, bits, fault);
    switch (expr->op) {
    case isl_ast_expr_op_and:
    case isl_ast_expr_op_and_then:
    case isl_ast_expr_op_or:
    case isl_ast_expr_op_or_else:
        stop_at = expr->op == isl_ast_expr_op_or ||
                  expr->op == isl_ast_expr_op_or_else;
        for (unsigned i = 1; !a == stop_at && i < expr->n; i++)
            a = pg_expr_exact(expr->args[i], values, bits, fault);
        return a != 0;
    case isl_ast_expr_op_cond:
    case isl_ast_expr_op_select:
        return pg_expr_exact(expr->args[a ? 1 : 2], values, bits, fault);
    case isl_ast_expr_op_minus:
        return fit(-a, bits, fault);
    default:
        break;
    }
    for (unsigned i = 1; i < expr->n && !fault->sentence; i++)
        a = fit(combine_exact(expr->op, a,
                              pg_expr_exact(expr->args[i], values, bits, fault),
                              fault),
                bits, fault);
    return a;
}

const struct expr *pg_expr_bound(const struct expr *expr, unsigned name,
                                 bool *strict)
{
    if (!expr || expr->type != EXPR_OP || expr->n != 2 ||
        (expr->op != isl_ast_expr_op_lt && expr->op != isl_ast_expr_op_le) ||
        expr->args[0]->type != EXPR_NAME || expr->args[0]->name != name)
        return NULL;
    *strict = expr->op == isl_ast_expr_op_lt;
    return expr->args[1];
}

long long pg_expr_partial(const struct expr *expr, unsigned name,
                          unsigned first, unsigned end, const long long *values,
                          long long *value)
{
    long long factor = 0;

    if (expr && expr->type == EXPR_NAME) {
        *value = values[name];
        return expr->name == name;
    }
    if (!expr || expr->type != EXPR_SUM)
        return 0;
    *value = expr->number;
    for (unsigned i = 0; i < expr->n_term; i++) {
        const struct term *term = &expr->terms[i];

        if (term->name == name)
            factor += term->factor;
        else if (term->name >= first && term->name < end && term->factor)
            return 0;
        else if (term->name > name && term->factor < 0)
            return 0;
        if (term->name <= name)
            *value += term->factor * values[term->name];
    }
    return factor;
}

bool pg_expr_ends_with(const struct expr *expr, unsigned name)
{
    if (expr->type == EXPR_NAME)
        return expr->name <= name;
    for (unsigned i = 0; expr->type == EXPR_SUM && i < expr->n_term; i++)
        if (expr->terms[i].name > name)
            return false;
    return expr->type == EXPR_SUM;
}
