/* moved.h - which elements go between memory and a buffer in shared memory.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef POLYGPU_PROMOTE_MOVED_H
#define POLYGPU_PROMOTE_MOVED_H

#include "polygpu/polyhedral.h"

struct pg_building;
struct pg_group;
struct pg_home;

void pg_moved_of_read(struct pg_building *b, const struct pg_group *group,
                      struct pg_home *home, __isl_keep isl_set *tiles);
void pg_moved_of_written(struct pg_building *b, const struct pg_group *group,
                         struct pg_home *home, __isl_keep isl_set *tiles);

#endif
