/* rounding.h - arithmetic in rounding modes other than to the nearest.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef ROUNDING_H
#define ROUNDING_H

#include <fenv.h>

enum {
    rounding_rz = FE_TOWARDZERO,
    rounding_rm = FE_DOWNWARD,
    rounding_rp = FE_UPWARD
};

#define ROUNDING_FUNCTIONS(name, type)                                         \
    type ptx_##name##_add(type a, type b, int mode);                           \
    type ptx_##name##_mul(type a, type b, int mode);                           \
    type ptx_##name##_div(type a, type b, int mode);                           \
    type ptx_##name##_fma(type a, type b, type c, int mode);                   \
    type ptx_##name##_sqrt(type a, int mode);

ROUNDING_FUNCTIONS(f32, float)
ROUNDING_FUNCTIONS(f64, double)

#endif
