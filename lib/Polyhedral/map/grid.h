/* grid.h - how many blocks and threads a mapping has.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef POLYGPU_MAP_GRID_H
#define POLYGPU_MAP_GRID_H

#include "polygpu/polyhedral.h"

#include <isl/aff.h>

struct pg_shape;

/* How kernel "number" is mapped. */
struct pg_gridded {
    const struct pg_kernel *kernel;
    unsigned number;
    const struct pg_shape *shape;
    isl_union_pw_aff_list *members; /* in their final order */
    isl_set *blocks; /* of tiles, by parameters b0, ...; NULL: of members */
};

long long pg_grid_size(__isl_keep isl_union_set *domain,
                       __isl_keep isl_union_pw_aff *member);
__isl_give isl_set *pg_without_block(__isl_take isl_set *set, unsigned d);

isl_stat pg_grid_describe(const struct pg_gridded *m,
                          struct pg_mapping *mapping);

#endif
