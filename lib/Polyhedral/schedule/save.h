/* save.h - copies of inputs that the SCoP overwrites.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef POLYGPU_SCHEDULE_SAVE_H
#define POLYGPU_SCHEDULE_SAVE_H

#include "polygpu/polyhedral.h"

struct pg_scop *pg_scop_save(const struct pg_scop *scop);
struct pg_scop *pg_scop_save_in_loop(const struct pg_scop *scop);

#endif
