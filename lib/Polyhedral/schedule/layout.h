/* layout.h - arrays in the order in which the threads of wavefronts use them.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef POLYGPU_SCHEDULE_LAYOUT_H
#define POLYGPU_SCHEDULE_LAYOUT_H

#include "polygpu/polyhedral.h"

struct pg_scop *pg_scop_lay_out(const struct pg_scop *scop);

#endif
