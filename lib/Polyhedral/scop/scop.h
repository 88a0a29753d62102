/* scop.h - the SCoP: life, and what follows directly from its parts.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef POLYGPU_SCOP_SCOP_H
#define POLYGPU_SCOP_SCOP_H

#include "polygpu/polyhedral.h"

#include <isl/aff.h>

__isl_give isl_union_set *pg_scop_domain(const struct pg_scop *scop);
__isl_give isl_union_map *pg_scop_accesses(const struct pg_scop *scop,
                                           bool write);
__isl_give isl_union_map *pg_scop_accesses_of(const struct pg_scop *scop,
                                              unsigned array, bool write);
__isl_give isl_set *pg_scop_elements(const struct pg_scop *scop,
                                     __isl_keep isl_union_set *sets,
                                     unsigned array);
__isl_give isl_union_map *pg_scop_order(const struct pg_scop *scop);
int pg_scop_find_stmt(const struct pg_scop *scop, const char *name);
int pg_scop_find_array(const struct pg_scop *scop, const char *name);
double pg_stmt_weight(const struct pg_stmt *stmt);
double pg_stmt_code(const struct pg_stmt *stmt);
bool pg_array_stays(const struct pg_array *array);
bool pg_scop_has_updates(const struct pg_scop *scop);
struct pg_array *pg_scop_add_array(struct pg_scop *scop);
struct pg_array *pg_scop_add_temporary(struct pg_scop *scop, unsigned origin,
                                       const char *suffix, unsigned n_more,
                                       isl_pw_aff **extents);
const char *pg_operator_name(enum pg_operator op);
struct pg_stmt *pg_scop_add_stmt(struct pg_scop *scop);

#endif
