/* witness.h - points of sets that are kept.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef POLYGPU_SUPPORT_WITNESS_H
#define POLYGPU_SUPPORT_WITNESS_H

#include "polygpu/polyhedral.h"

/* witness.c */
void pg_witness_forget(isl_ctx *ctx);

#endif
