/* float.c - arithmetic of 32 and 64 bits.
 *
 * A NaN that an instruction on f32 gives is always 0x7fffffff.  Additions and
 * multiplications without a rounding are not in the table: ptxas may fuse them.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "lanes.h"
#include "rounding.h"

#include <math.h>

/* On bits, since the compiler takes all NaNs for the same. */
static inline float plain_f32(float x)
{
    uint32_t bits;

    memcpy(&bits, &x, sizeof bits);
    bits = (bits & 0x7fffffff) > 0x7f800000 ? 0x7fffffff : bits;
    memcpy(&x, &bits, sizeof bits);
    return x;
}

static inline double plain_f64(double x)
{
    return x;
}

#define ARITHMETIC(name, type, suffix)                                         \
    EXECUTE2(add_##name, type, type, type, plain_##name(a + b))                \
    EXECUTE2(sub_##name, type, type, type, plain_##name(a - b))                \
    EXECUTE2(mul_##name, type, type, type, plain_##name(a *b))                 \
    EXECUTE2(div_##name, type, type, type, plain_##name(a / b))                \
    EXECUTE3(fma_##name, type, type, type, type,                               \
             plain_##name(fma##suffix(a, b, c)))                               \
    EXECUTE1(sqrt_##name, type, type, plain_##name(sqrt##suffix(a)))           \
    EXECUTE1(rcp_##name, type, type, plain_##name(1 / a))

ARITHMETIC(f32, float, f)
ARITHMETIC(f64, double, )

/* ---- Other roundings ---------------------------------------------------- */

#define ROUNDED(name, type, mode)                                              \
    EXECUTE2(add_##mode##_##name, type, type, type,                            \
             plain_##name(ptx_##name##_add(a, b, rounding_##mode)))            \
    EXECUTE2(sub_##mode##_##name, type, type, type,                            \
             plain_##name(ptx_##name##_add(a, -b, rounding_##mode)))           \
    EXECUTE2(mul_##mode##_##name, type, type, type,                            \
             plain_##name(ptx_##name##_mul(a, b, rounding_##mode)))            \
    EXECUTE2(div_##mode##_##name, type, type, type,                            \
             plain_##name(ptx_##name##_div(a, b, rounding_##mode)))            \
    EXECUTE3(fma_##mode##_##name, type, type, type, type,                      \
             plain_##name(ptx_##name##_fma(a, b, c, rounding_##mode)))         \
    EXECUTE1(sqrt_##mode##_##name, type, type,                                 \
             plain_##name(ptx_##name##_sqrt(a, rounding_##mode)))              \
    EXECUTE1(rcp_##mode##_##name, type, type,                                  \
             plain_##name(ptx_##name##_div(1, a, rounding_##mode)))

ROUNDED(f32, float, rz)
ROUNDED(f32, float, rm)
ROUNDED(f32, float, rp)
ROUNDED(f64, double, rz)
ROUNDED(f64, double, rm)
ROUNDED(f64, double, rp)

/* ---- Signs, least and greatest ------------------------------------------ */

/* On bits, which a NaN keeps as well.  copysign takes the sign of a. */
#define SIGNS(bits)                                                            \
    EXECUTE1(neg_f##bits, uint##bits##_t, uint##bits##_t,                      \
             a ^ (uint##bits##_t)1 << (bits - 1))                              \
    EXECUTE1(abs_f##bits, uint##bits##_t, uint##bits##_t,                      \
             a & ~((uint##bits##_t)1 << (bits - 1)))                           \
    EXECUTE2(copysign_f##bits, uint##bits##_t, uint##bits##_t, uint##bits##_t, \
             (a & (uint##bits##_t)1 << (bits - 1)) |                           \
                 (b & ~((uint##bits##_t)1 << (bits - 1))))

SIGNS(32)
SIGNS(64)

/* The number if the other is a NaN; -0 is less than 0. */
#define LEAST(name, type, bits)                                                \
    static type join_##name(type a, type b, int both)                          \
    {                                                                          \
        uint##bits##_t x, y;                                                   \
        memcpy(&x, &a, sizeof x);                                              \
        memcpy(&y, &b, sizeof y);                                              \
        x = both ? x & y : x | y;                                              \
        memcpy(&a, &x, sizeof x);                                              \
        return a;                                                              \
    }                                                                          \
    static type min_of_##name(type a, type b)                                  \
    {                                                                          \
        if (a != a || b != b)                                                  \
            return plain_##name(a != a ? b : a);                               \
        return a < b ? a : b < a ? b : join_##name(a, b, 0);                   \
    }                                                                          \
    static type max_of_##name(type a, type b)                                  \
    {                                                                          \
        if (a != a || b != b)                                                  \
            return plain_##name(a != a ? b : a);                               \
        return a > b ? a : b > a ? b : join_##name(a, b, 1);                   \
    }                                                                          \
    EXECUTE2(min_##name, type, type, type, min_of_##name(a, b))                \
    EXECUTE2(max_##name, type, type, type, max_of_##name(a, b))

LEAST(f32, float, 32)
LEAST(f64, double, 64)

#define MODE(mode, name, function, one, two, three)                            \
    {"add." #mode "." #name, two, add##function##name},                        \
        {"sub." #mode "." #name, two, sub##function##name},                    \
        {"mul." #mode "." #name, two, mul##function##name},                    \
        {"div." #mode "." #name, two, div##function##name},                    \
        {"fma." #mode "." #name, three, fma##function##name},                  \
        {"sqrt." #mode "." #name, one, sqrt##function##name},                  \
    {                                                                          \
        "rcp." #mode "." #name, one, rcp##function##name                       \
    }
#define TYPE(name, one, two, three)                                            \
    MODE(rn, name, _, one, two, three), MODE(rz, name, _rz_, one, two, three), \
        MODE(rm, name, _rm_, one, two, three),                                 \
        MODE(rp, name, _rp_, one, two, three),                                 \
        {"neg." #name, one, neg_##name}, {"abs." #name, one, abs_##name},      \
        {"copysign." #name, two, copysign_##name},                             \
        {"min." #name, two, min_##name},                                       \
    {                                                                          \
        "max." #name, two, max_##name                                          \
    }

const struct ptx_opcode ptx_float[] = {TYPE(f32, "rr", "rrr", "rrrr"),
                                       TYPE(f64, "ll", "lll", "llll"),
                                       {NULL, NULL, NULL}};
