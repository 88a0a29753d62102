/* numbered.h - isl's identifiers with a number that nobody reads from a name.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef POLYGPU_SUPPORT_NUMBERED_H
#define POLYGPU_SUPPORT_NUMBERED_H

#include "polygpu/polyhedral.h"

/* What a number counts: what no statement is, by enum pg_user_kind, and loops.
 */
enum { PG_NUMBERED_LOOP = PG_USER_MOVE + 1, PG_NUMBERED_KINDS };

__isl_give isl_id *pg_numbered_id(isl_ctx *ctx, const char *name, unsigned kind,
                                  unsigned number);
bool pg_numbered(__isl_keep isl_id *id, unsigned *kind, unsigned *number);

#endif
