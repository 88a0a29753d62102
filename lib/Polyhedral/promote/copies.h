/* copies.h - copies to shared memory, and the barriers around them.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef POLYGPU_PROMOTE_COPIES_H
#define POLYGPU_PROMOTE_COPIES_H

#include "polygpu/polyhedral.h"

struct pg_building;
struct pg_work;

__isl_give isl_schedule *
pg_copies_build(struct pg_building *b, struct pg_work *work, unsigned p,
                bool inner, bool after, __isl_keep isl_set *tiles,
                __isl_keep isl_set *of_part, bool *ahead);
__isl_give isl_schedule *pg_copies_bring_back(struct pg_building *b,
                                              struct pg_work *work, unsigned p,
                                              bool inner,
                                              __isl_keep isl_set *tiles);
__isl_give isl_schedule *pg_copies_end(struct pg_building *b,
                                       struct pg_work *work, unsigned p,
                                       __isl_keep isl_set *tiles);

#endif
