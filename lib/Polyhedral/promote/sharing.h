/* sharing.h - which groups of references are read from shared memory, and how
 * they lie there.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef POLYGPU_PROMOTE_SHARING_H
#define POLYGPU_PROMOTE_SHARING_H

#include "polygpu/polyhedral.h"

struct pg_group;
struct pg_groups;
struct pg_tile_sizes;

bool pg_sharing_pays(const struct pg_tile_sizes *sizes,
                     const struct pg_groups *groups,
                     const struct pg_group *group, unsigned elem_size);
void pg_sharing_layout(const struct pg_tile_sizes *sizes,
                       const struct pg_groups *groups,
                       const struct pg_group *group, unsigned elem_size,
                       struct pg_buffer *buffer);

#endif
