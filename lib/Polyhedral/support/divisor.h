/* divisor.h - the divisor of a row of isl's integers.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef POLYGPU_SUPPORT_DIVISOR_H
#define POLYGPU_SUPPORT_DIVISOR_H

#include <stdbool.h>
#include <stdint.h>

/* divisor.c */
bool pg_row_divisor(const uint64_t *row, unsigned n, uint32_t *divisor);
void pg_row_divide(uint64_t *row, unsigned n, uint32_t divisor);

#endif
