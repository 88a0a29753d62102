/* waves.h - tiles of permutable bands, in waves.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef POLYGPU_MAP_TILES_H
#define POLYGPU_MAP_TILES_H

#include "map/instances.h"
#include "map/nest.h"
#include "polygpu/polyhedral.h"

#include <isl/aff.h>
#include <isl/schedule_node.h>

/* The tiles of the instances at a loop of the host. */
struct pg_waves {
    struct pg_band_tiles tiles;
    isl_union_pw_aff_list *numbers; /* of tiles, all but the last: those of a */
    isl_union_pw_aff *wave;         /* wave, { S[i] -> [w] }, are independent */
    isl_union_map *order; /* the dependences in an iteration of loops outside */
    long long limit; /* for absolute values of parameters up to this the grid */
                     /* has a block for each tile */
};

bool pg_waves_find(struct pg_waves *waves, const struct pg_scop *scop,
                   __isl_keep isl_schedule_node *band,
                   const struct pg_prefix *prefix, const char *sizes,
                   unsigned kernel, bool forced);
__isl_give isl_union_pw_aff *pg_waves_in_tile(const struct pg_band_tiles *tiles,
                                              const char *wave,
                                              __isl_keep isl_union_set *domain,
                                              int i);
__isl_give isl_union_set *pg_waves_tile(const struct pg_band_tiles *tiles,
                                        const char *wave,
                                        __isl_take isl_union_set *domain);
__isl_give isl_set *pg_waves_blocks(const struct pg_band_tiles *tiles,
                                    const char *wave,
                                    __isl_keep isl_union_set *domain);
__isl_give isl_set *pg_waves_when(const struct pg_band_tiles *tiles,
                                  const char *wave,
                                  __isl_keep isl_union_set *domain);
void pg_waves_clear(struct pg_waves *waves);

#endif
