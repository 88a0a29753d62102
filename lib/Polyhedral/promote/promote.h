/* promote.h - a kernel that works on shared memory and registers.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef POLYGPU_PROMOTE_PROMOTE_H
#define POLYGPU_PROMOTE_PROMOTE_H

#include "polygpu/polyhedral.h"

#include <isl/aff.h>
#include <isl/schedule_node.h>

struct pg_promoting;
struct pg_shape;

__isl_give isl_union_pw_aff_list *
pg_promote_members(const struct pg_promoting *what);
const char *pg_promote(const struct pg_promoting *what, struct pg_shape *shape,
                       struct pg_mapping *mapping);

#endif
