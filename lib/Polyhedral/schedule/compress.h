/* compress.h - parallel loops of which only every k-th iteration runs anything.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef POLYGPU_SCHEDULE_COMPRESS_H
#define POLYGPU_SCHEDULE_COMPRESS_H

#include "polygpu/polyhedral.h"

__isl_give isl_schedule *pg_compress(const struct pg_scop *scop,
                                     __isl_keep isl_schedule *schedule);

#endif
