/* accesses.h - which element an instance accesses, taken from the relations
 * themselves, without any AST.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef POLYGPU_TEST_ACCESSES_H
#define POLYGPU_TEST_ACCESSES_H

#include "eval.h"

#include <polygpu/polyhedral.h>

enum { MAX_ARGS = 8 };

/* The subscripts of an access as functions of parameters and iterators. */
struct subscripts;

struct subscripts *subscripts_read(const struct pg_scop *scop,
                                   const struct pg_stmt *stmt,
                                   const struct pg_access *access);
void subscripts_free(struct subscripts *subscripts);

/* Does the access happen at the instance "args", for these "values" of the
 * parameters?
 */
bool subscripts_happen(const struct subscripts *subscripts,
                       const long long *values, const long long *args);

/* Set "x" to the subscripts at "args". */
void subscripts_at(const struct subscripts *subscripts, const long long *values,
                   const long long *args, long long *x);

/* The condition under which values, of the parameters and then of the
 * iterators, are an instance of "stmt".
 */
struct expr *instances_of(const struct pg_scop *scop,
                          const struct pg_stmt *stmt, char **error);

#endif
