/* work.h - isl's work, counted, and its limits.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef POLYGPU_SUPPORT_WORK_H
#define POLYGPU_SUPPORT_WORK_H

#include "polygpu/polyhedral.h"

/* work.c */
unsigned long pg_work_done(void);
double pg_work_seconds(void);
void pg_work_begin(isl_ctx *ctx, unsigned long operations, double seconds);
bool pg_work_end(bool *late);
bool pg_work_in_phase(isl_ctx *ctx);
void pg_work_add_products(unsigned long n);

#endif
