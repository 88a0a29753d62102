/* code.h - an AST as a list of steps, so that a run can stop at each user node
 * and go on later.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef POLYGPU_VERIFY_CODE_H
#define POLYGPU_VERIFY_CODE_H

#include "verify/expr.h"

#include <polygpu/polyhedral.h>

/* The values of an argument that are wanted: none of "n" means all.  They are
 * in ascending order.
 */
enum { MAX_WINDOWS = 3, MAX_WINDOW_ARGS = 8 };
struct window {
    unsigned n;
    long long low[MAX_WINDOWS], high[MAX_WINDOWS];
};

/* By statement and argument, or by array and subscript; threads have the names
 * "first" to before "end".  "only": nothing else is run, also where no loop
 * leaves it out; "plain": no loop is left out for an argument to which inner
 * ones add something.
 */
struct windows {
    unsigned first, end;
    bool only, plain;
    struct window (*stmts)[MAX_WINDOW_ARGS];
};

/* Is the instance of "n" arguments among those that are wanted? */
bool pg_code_wanted(const struct windows *windows, unsigned stmt,
                    const long long *args, unsigned n);

struct loop;

/* A user node; all expressions are those of "user", or of the call if it has
 * no annotation.
 */
struct action {
    struct pg_user *user;    /* not owned; NULL: without annotation */
    const struct loop *loop; /* around it, or NULL */
    isl_id *callee;          /* without annotation: what is called */
    unsigned depth;          /* names that have values here */
    unsigned n, n_access, n_place;
    struct expr **args, **place;
    struct expr ***access; /* rows as in pg_user, without their ends */
    unsigned *n_subscript;
    struct expr **guard, *whole, *grid[3];
};

struct code;

/* The AST "node", which has to live as long; "names" are those outside of it.
 */
struct code *pg_code_compile(isl_ast_node *node, const struct names *names,
                             struct pg_fault *fault);

/* Run from step "*at" (first: 0) on to the next user node, or to the end:
 * NULL.  "values" has room for MAX_NAMES.  *work goes
 * down with each step; *fault if nothing of it is left.
 */
const struct action *pg_code_next(const struct code *code, size_t *at,
                                  long long *values, long *work,
                                  struct pg_fault *fault);

/* The same without iterations in which all statements, or moves, have an
 * argument with a value that is not in "windows" (NULL: with all iterations).
 * An argument that is the loop's iterator, with inner ones added, is taken to
 * be below that of the next iteration: pg_code_regular says whether that of an
 * instance is.
 */
const struct action *pg_code_few(const struct code *code, size_t *at,
                                 long long *values,
                                 const struct windows *windows, long *work,
                                 struct pg_fault *fault);
bool pg_code_regular(const struct action *action, const long long *args,
                     const long long *values, const struct windows *windows,
                     struct pg_fault *fault);

/* The same in 128 bits for code with "exact" names, and of each loop only the
 * first and the last iteration; *fault if something needs more than "bits".
 */
const struct action *pg_code_jump(const struct code *code, size_t *at,
                                  __int128 *values, unsigned bits, long *work,
                                  struct pg_fault *fault);

void pg_code_free(struct code *code);

#endif
