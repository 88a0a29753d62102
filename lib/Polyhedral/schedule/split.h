/* split.h - parts of statements that behave differently.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef POLYGPU_SCHEDULE_SPLIT_H
#define POLYGPU_SCHEDULE_SPLIT_H

#include "polygpu/polyhedral.h"

struct pg_scop *pg_scop_split(const struct pg_scop *scop);
struct pg_scop *pg_scop_beside_splits(const struct pg_scop *scop);
bool pg_scop_has_single_loops(const struct pg_scop *scop);
bool pg_stmt_is_large(const struct pg_scop *scop, const struct pg_stmt *stmt);

#endif
