/* plant.h - faults planted in a plan, for tests of pg_verify.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef POLYGPU_VERIFY_PLANT_H
#define POLYGPU_VERIFY_PLANT_H

#include "polygpu/polyhedral.h"

/* Add "n" to an expression. */
void pg_plant_shift(isl_ast_expr **expr, int n);

/* Make all ASTs of the plan anew. */
isl_stat pg_plant_rebuild(struct pg_plan *plan,
                          const struct pg_options *options,
                          struct pg_report *report);

/* Leave the filter of parameter "name" out of a kernel, and make all ASTs anew.
 * An error if there is none. */
isl_stat pg_plant_filter(struct pg_plan *plan, unsigned kernel,
                         const char *name, const struct pg_options *options,
                         struct pg_report *report);

#endif
