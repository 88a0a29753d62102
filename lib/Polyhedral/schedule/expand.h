/* expand.h - a copy of a scalar or array for each iteration of some loops.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef POLYGPU_SCHEDULE_EXPAND_H
#define POLYGPU_SCHEDULE_EXPAND_H

#include "polygpu/polyhedral.h"

#include <isl/aff.h>

struct pg_scop *pg_scop_expand(const struct pg_scop *scop);
struct pg_scop *pg_scop_expand_for_threads(const struct pg_scop *scop);
isl_pw_aff **pg_set_extents(__isl_keep isl_set *set);
void pg_free_extents(isl_pw_aff **extents, unsigned n);
bool pg_may_be_temporary(const struct pg_scop *scop, __isl_keep isl_set *set,
                         isl_pw_aff **extents, unsigned size);
__isl_give isl_union_pw_aff_list *
pg_loops_around(__isl_keep isl_schedule *schedule,
                __isl_take isl_union_set *stmts);
bool pg_stays_within(__isl_keep isl_union_map *relation,
                     __isl_take isl_union_pw_aff *loop);
__isl_give isl_map *pg_in_loops(__isl_take isl_map *access,
                                __isl_keep isl_union_pw_aff_list *loops,
                                const char *name);

#endif
