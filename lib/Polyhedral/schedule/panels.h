/* panels.h - several steps of Floyd and Warshall's algorithm in tiles.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef POLYGPU_SCHEDULE_PANELS_H
#define POLYGPU_SCHEDULE_PANELS_H

#include "polygpu/polyhedral.h"

struct pg_scop *pg_scop_panels(const struct pg_scop *scop,
                               const struct pg_options *options);

#endif
