/* levels.h - how large the tiles of blocks and threads are.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef POLYGPU_PROMOTE_LEVELS_H
#define POLYGPU_PROMOTE_LEVELS_H

#include "map/sizes.h"
#include "polygpu/polyhedral.h"

struct pg_groups;
struct pg_parts;
struct pg_levels;
struct pg_registers;

bool pg_levels_choose(struct pg_levels *levels, const struct pg_parts *parts,
                      const struct pg_groups *groups,
                      const struct pg_registers *registers,
                      const struct pg_scop *scop,
                      const struct pg_options *options, unsigned kernel);
#endif
