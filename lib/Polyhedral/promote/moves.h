/* moves.h - loads and stores of registers.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef POLYGPU_PROMOTE_MOVES_H
#define POLYGPU_PROMOTE_MOVES_H

#include "polygpu/polyhedral.h"

struct pg_building;
struct pg_work;

__isl_give isl_schedule *pg_moves_build(struct pg_building *b,
                                        struct pg_work *work,
                                        enum pg_user_kind kind);

#endif
