/* relax.h - the dependences that reductions have to keep.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef POLYGPU_SCHEDULE_RELAX_H
#define POLYGPU_SCHEDULE_RELAX_H

#include "polygpu/polyhedral.h"

const struct pg_update *pg_update_of(const struct pg_stmt *stmt, unsigned a,
                                     enum pg_operator op);
enum pg_operator pg_operator_of(const struct pg_scop *scop, const bool *chosen,
                                unsigned a);
struct pg_scop *pg_scop_relax(const struct pg_scop *scop, const bool *chosen);

#endif
