/* tile_sizes.h - how large the tiles of blocks and threads are.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef POLYGPU_PROMOTE_TILE_SIZES_H
#define POLYGPU_PROMOTE_TILE_SIZES_H

#include "polygpu/polyhedral.h"
#include "schedule/sizes.h"

struct pg_groups;
struct pg_components;
struct pg_tile_sizes;
struct pg_registers;

bool pg_tile_sizes_choose(struct pg_tile_sizes *sizes,
                          const struct pg_components *components,
                          const struct pg_groups *groups,
                          const struct pg_registers *registers,
                          const struct pg_scop *scop,
                          const struct pg_options *options, unsigned kernel);
#endif
