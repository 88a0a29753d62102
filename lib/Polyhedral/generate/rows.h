/* rows.h - rows of constant length in arrays of one dimension.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef POLYGPU_GENERATE_ROWS_H
#define POLYGPU_GENERATE_ROWS_H

#include "polygpu/polyhedral.h"

enum { PG_MOST_ROWS = 3 };

/* Element x is [x / length[0], x % length[0] / length[1], ..., the rest]. */
struct pg_rows {
    unsigned n;
    long length[PG_MOST_ROWS];
};

struct pg_rows pg_rows_of(const struct pg_scop *scop, unsigned array);
__isl_give isl_set *pg_rows_split(__isl_take isl_set *set,
                                  struct pg_rows *rows);
__isl_give isl_ast_expr *pg_rows_join(__isl_keep isl_ast_expr *call,
                                      const struct pg_rows *rows);

#endif
