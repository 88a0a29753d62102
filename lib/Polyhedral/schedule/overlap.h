/* overlap.h - several steps of a time loop in overlapping tiles.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef POLYGPU_SCHEDULE_OVERLAP_H
#define POLYGPU_SCHEDULE_OVERLAP_H

#include "polygpu/polyhedral.h"

struct pg_scop *pg_scop_overlap(const struct pg_scop *scop,
                                const struct pg_options *options, bool forced,
                                char **not_taken);

#endif
