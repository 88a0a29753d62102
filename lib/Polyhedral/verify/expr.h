/* expr.h - expressions of isl's ASTs, translated once and evaluated often.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef POLYGPU_VERIFY_EXPR_H
#define POLYGPU_VERIFY_EXPR_H

#include <isl/ast.h>
#include <isl/id.h>
#include <stdbool.h>

enum { MAX_NAMES = 64 };

/* What is wrong, or why something cannot be said, as a malloc'ed sentence. */
struct pg_fault {
    char *sentence; /* NULL: nothing */
    bool cannot;    /* it is not wrong, but not looked at */
};

/* Set *fault, unless there is one already. */
void pg_wrong(struct pg_fault *fault, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void pg_cannot(struct pg_fault *fault, const char *sentence);

/* "list" of "n" elements with room for twice as many, or for one. */
void *pg_enlarge(void *list, size_t n, size_t size);

/* The names that expressions may have; the value of name number i is the
 * number i of the values.  The identifiers are not owned.
 */
struct names {
    isl_id *id[MAX_NAMES];
    unsigned n;
    bool exact; /* expressions keep all intermediate values */
};

void pg_names_add(struct names *names, isl_id *id, struct pg_fault *fault);
void pg_names_add_text(struct names *names, isl_ctx *ctx, const char *name,
                       struct pg_fault *fault);

struct expr;

/* "expr", which is kept; NULL for NULL. */
struct expr *pg_expr_compile(__isl_keep isl_ast_expr *expr,
                             const struct names *names, struct pg_fault *fault);
/* pg_expr_compile, and free "expr". */
struct expr *pg_expr_take(isl_ast_expr *expr, const struct names *names,
                          struct pg_fault *fault);
long long pg_expr_eval(const struct expr *expr, const long long *values,
                       struct pg_fault *fault);
void pg_expr_free(struct expr *expr);

/* The value in 128 bits of an "exact" expression; *fault if an intermediate
 * value does not fit into a signed integer of "bits" bits.
 */
__int128 pg_expr_exact(const struct expr *expr, const __int128 *values,
                       unsigned bits, struct pg_fault *fault);

/* If "expr" is a sum without names from "first" to before "end", and without a
 * negative factor of one behind name number "name", the factor of that one in
 * it, and *value is set to what it is with 0 for all names behind; else 0.
 */
long long pg_expr_partial(const struct expr *expr, unsigned name,
                          unsigned first, unsigned end, const long long *values,
                          long long *value);

/* Is "expr" a sum, or a name, without names behind "name"? */
bool pg_expr_ends_with(const struct expr *expr, unsigned name);

/* What name number "name" is below, or at most (not "*strict"), by the
 * condition "expr" of a loop; NULL: it is another condition.
 */
const struct expr *pg_expr_bound(const struct expr *expr, unsigned name,
                                 bool *strict);

#endif
