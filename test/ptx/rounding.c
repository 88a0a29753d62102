/* rounding.c - see rounding.h.  Compiled with -frounding-math; what is between
 * the two changes of the mode goes through volatile variables.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "rounding.h"

#include <math.h>

#define IN_MODE(type, expression)                                              \
    volatile type result;                                                      \
    int before = fegetround();                                                 \
    fesetround(mode);                                                          \
    result = expression;                                                       \
    fesetround(before);                                                        \
    return result;

#define FUNCTIONS(name, type, suffix)                                          \
    type ptx_##name##_add(type a, type b, int mode)                            \
    {                                                                          \
        volatile type x = a, y = b;                                            \
        IN_MODE(type, x + y)                                                   \
    }                                                                          \
    type ptx_##name##_mul(type a, type b, int mode)                            \
    {                                                                          \
        volatile type x = a, y = b;                                            \
        IN_MODE(type, x * y)                                                   \
    }                                                                          \
    type ptx_##name##_div(type a, type b, int mode)                            \
    {                                                                          \
        volatile type x = a, y = b;                                            \
        IN_MODE(type, x / y)                                                   \
    }                                                                          \
    type ptx_##name##_fma(type a, type b, type c, int mode)                    \
    {                                                                          \
        volatile type x = a, y = b, z = c;                                     \
        IN_MODE(type, fma##suffix(x, y, z))                                    \
    }                                                                          \
    type ptx_##name##_sqrt(type a, int mode)                                   \
    {                                                                          \
        volatile type x = a;                                                   \
        IN_MODE(type, sqrt##suffix(x))                                         \
    }

FUNCTIONS(f32, float, f)
FUNCTIONS(f64, double, )
