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

#endif
