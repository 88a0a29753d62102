/* copies.h - loops over the elements that move between host and device.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef POLYGPU_GENERATE_COPIES_H
#define POLYGPU_GENERATE_COPIES_H

#include "polygpu/polyhedral.h"
#include "support/phase.h"

__isl_give isl_ast_node *pg_copies_ast(struct pg_scop *scop,
                                       __isl_keep isl_union_set *elements);
isl_stat pg_copies_in(struct pg_plan *plan, struct pg_phase *phase);

#endif
