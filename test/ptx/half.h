/* half.h - numbers of 16 and 32 bits, rounded by integer arithmetic, so that
 * nothing depends on the compiler's own conversions.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef HALF_H
#define HALF_H

#include <stdint.h>

enum ptx_rounding { PTX_RN, PTX_RZ, PTX_RM, PTX_RP };

/* Exact. */
double ptx_half_value(uint16_t bits);

/* The nearest f16 or f32 by the mode; any NaN becomes 0x7fff or 0x7fffffff. */
uint16_t ptx_to_half(double value, enum ptx_rounding mode);
uint32_t ptx_to_single(double value, enum ptx_rounding mode);

/* An integer, given by sign and magnitude, as bits of a format of 16, 32 or 64
 * bits. */
uint64_t ptx_from_integer(int negative, uint64_t magnitude, unsigned bits,
                          enum ptx_rounding mode);

/* a * b + c, rounded such that rounding it to f16 gives what rounding the exact
 * sum gives. */
double ptx_half_fma(double a, double b, double c);

#endif
