/* levels.h - how large the tiles of blocks and threads are.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef POLYGPU_PROMOTE_LEVELS_H
#define POLYGPU_PROMOTE_LEVELS_H

#include "map/sizes.h"
#include "polygpu/polyhedral.h"

struct pg_group;
struct pg_groups;
struct pg_parts;
struct pg_levels;
struct pg_registers;

enum { PG_RESERVED_SHARED = 1024 }; /* bytes of each block, the system's */

bool pg_levels_choose(struct pg_levels *levels, const struct pg_parts *parts,
                      const struct pg_groups *groups,
                      const struct pg_registers *registers,
                      const struct pg_scop *scop,
                      const struct pg_options *options, unsigned kernel);
bool pg_levels_pays(const struct pg_levels *levels,
                    const struct pg_parts *parts,
                    const struct pg_groups *groups,
                    const struct pg_group *group);
void pg_levels_layout(const struct pg_levels *levels,
                      const struct pg_groups *groups,
                      const struct pg_group *group, unsigned elem_size,
                      struct pg_buffer *buffer);

#endif
