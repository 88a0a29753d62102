/* half.c - numbers of 16 bits: their values, and instructions on them.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "half.h"
#include "lanes.h"

#include <math.h>

/* ---- Rounding ----------------------------------------------------------- */

/* A binary format: bits of the fraction and of the exponent. */
struct format {
    unsigned fraction, exponent;
};

static struct format format_of(unsigned bits)
{
    return bits == 16   ? (struct format){10, 5}
           : bits == 32 ? (struct format){23, 8}
                        : (struct format){52, 11};
}

/* Does the part of "value" below bit "shift" round it up? */
static int rounds_up(int negative, uint64_t value, unsigned shift,
                     enum ptx_rounding mode)
{
    uint64_t rest, half;

    if (!shift)
        return 0;
    if (shift > 63)
        rest = value, half = UINT64_MAX; /* less than a half */
    else
        rest = value & (((uint64_t)1 << shift) - 1),
        half = (uint64_t)1 << (shift - 1);
    switch (mode) {
    case PTX_RN:
        return rest > half ||
               (rest == half && shift < 63 && (value >> shift & 1));
    case PTX_RZ:
        return 0;
    case PTX_RM:
        return negative && rest;
    default:
        return !negative && rest;
    }
}

static uint64_t too_large(int negative, struct format f, enum ptx_rounding mode)
{
    uint64_t infinity = (((uint64_t)1 << f.exponent) - 1) << f.fraction;

    if (mode == PTX_RN || mode == (negative ? PTX_RM : PTX_RP))
        return infinity;
    return infinity - 1;
}

/* magnitude * 2^scale in a format; the bits of magnitude are at most 62. */
static uint64_t rounded(int negative, uint64_t magnitude, int scale,
                        struct format f, enum ptx_rounding mode)
{
    int bias = (1 << (f.exponent - 1)) - 1, top, lowest, shift;
    uint64_t bits;

    if (!magnitude)
        return 0;
    top = 63 - __builtin_clzll(magnitude);
    /* the exponent of the last bit that is kept */
    lowest = top + scale - (int)f.fraction;
    if (lowest < 1 - bias - (int)f.fraction)
        lowest = 1 - bias - (int)f.fraction;
    shift = lowest - scale;
    if (shift <= 0)
        bits = magnitude << -shift;
    else
        bits = (shift > 63 ? 0 : magnitude >> shift) +
               (uint64_t)rounds_up(negative, magnitude, (unsigned)shift, mode);
    /* the leading bit adds 1 to the exponent, if there is one */
    bits += (uint64_t)(lowest + bias + (int)f.fraction - 1) << f.fraction;
    if (bits >> f.fraction >= ((uint64_t)1 << f.exponent) - 1)
        return too_large(negative, f, mode);
    return bits;
}

static uint64_t narrow(double value, struct format f, enum ptx_rounding mode)
{
    uint64_t sign, magnitude, bits = f.fraction + f.exponent;
    int scale, negative = signbit(value) != 0;

    sign = (uint64_t)negative << bits;
    if (isnan(value))
        return ((uint64_t)1 << bits) - 1;
    if (isinf(value))
        return sign | (((uint64_t)1 << f.exponent) - 1) << f.fraction;
    magnitude = (uint64_t)ldexp(frexp(fabs(value), &scale), 53);
    return sign | rounded(negative, magnitude, scale - 53, f, mode);
}

uint16_t ptx_to_half(double value, enum ptx_rounding mode)
{
    return (uint16_t)narrow(value, format_of(16), mode);
}

uint32_t ptx_to_single(double value, enum ptx_rounding mode)
{
    return (uint32_t)narrow(value, format_of(32), mode);
}

uint64_t ptx_from_integer(int negative, uint64_t magnitude, unsigned bits,
                          enum ptx_rounding mode)
{
    int scale = 0;

    if (magnitude >> 62) { /* what is lost is part of the rest */
        magnitude = magnitude >> 2 | ((magnitude & 3) != 0);
        scale = 2;
    }
    return (uint64_t)(negative && magnitude) << (bits - 1) |
           rounded(negative, magnitude, scale, format_of(bits), mode);
}

double ptx_half_value(uint16_t bits)
{
    int exponent = bits >> 10 & 31, fraction = bits & 1023;
    double value;

    if (exponent == 31)
        value = fraction ? NAN : INFINITY;
    else if (exponent)
        value = ldexp(1024 + fraction, exponent - 25);
    else
        value = ldexp(fraction, -24);
    return bits >> 15 ? -value : value;
}

/* The product is exact in double; of the sum, what double drops goes into the
 * last bit, which is far below those of f16. */
double ptx_half_fma(double a, double b, double c)
{
    double product = a * b, sum = product + c, from, error;
    uint64_t bits;

    if (!isfinite(sum))
        return sum;
    from = sum - product;
    error = (product - (sum - from)) + (c - from);
    memcpy(&bits, &sum, sizeof bits);
    if (error == 0 || bits & 1)
        return sum;
    bits += (error > 0) == (sum > 0) ? 1 : (uint64_t)-1;
    memcpy(&sum, &bits, sizeof sum);
    return sum;
}

/* ---- Instructions ------------------------------------------------------- */

#define VALUE(x) ptx_half_value(x)
#define NEAREST(x) ptx_to_half(x, PTX_RN)

EXECUTE2(add, uint16_t, uint16_t, uint16_t, NEAREST(VALUE(a) + VALUE(b)))
EXECUTE2(sub, uint16_t, uint16_t, uint16_t, NEAREST(VALUE(a) - VALUE(b)))
EXECUTE2(mul, uint16_t, uint16_t, uint16_t, NEAREST(VALUE(a) * VALUE(b)))
EXECUTE3(fma_rn, uint16_t, uint16_t, uint16_t, uint16_t,
         NEAREST(ptx_half_fma(VALUE(a), VALUE(b), VALUE(c))))
EXECUTE1(neg, uint16_t, uint16_t, a ^ 0x8000)
EXECUTE1(absolute, uint16_t, uint16_t, a & 0x7fff)

/* The number if the other is a NaN; -0 is less than 0. */
static uint16_t least(uint16_t a, uint16_t b)
{
    double x = VALUE(a), y = VALUE(b);

    if (isnan(x))
        return isnan(y) ? 0x7fff : b;
    return isnan(y) || x < y ? a : y < x ? b : a | b;
}

EXECUTE2(minimum, uint16_t, uint16_t, uint16_t, least(a, b))
EXECUTE2(maximum, uint16_t, uint16_t, uint16_t,
         isnan(VALUE(a)) && isnan(VALUE(b))
             ? 0x7fff
             : least(a ^ 0x8000, b ^ 0x8000) ^ 0x8000)

/* ---- Two numbers in a register ------------------------------------------ */

#define LOW(x) VALUE((uint16_t)(x))
#define HIGH(x) VALUE((uint16_t)((x) >> 16))
#define PAIR(low, high) ((uint32_t)NEAREST(high) << 16 | NEAREST(low))

EXECUTE2(add_pair, uint32_t, uint32_t, uint32_t,
         PAIR(LOW(a) + LOW(b), HIGH(a) + HIGH(b)))
EXECUTE2(sub_pair, uint32_t, uint32_t, uint32_t,
         PAIR(LOW(a) - LOW(b), HIGH(a) - HIGH(b)))
EXECUTE2(mul_pair, uint32_t, uint32_t, uint32_t,
         PAIR(LOW(a) * LOW(b), HIGH(a) * HIGH(b)))
EXECUTE3(fma_pair, uint32_t, uint32_t, uint32_t, uint32_t,
         PAIR(ptx_half_fma(LOW(a), LOW(b), LOW(c)),
              ptx_half_fma(HIGH(a), HIGH(b), HIGH(c))))
/* The first operand becomes the high half. */
static double single(uint32_t bits)
{
    float value;

    memcpy(&value, &bits, sizeof value);
    return (double)value;
}

EXECUTE2(cvt_pair, uint32_t, uint32_t, uint32_t, PAIR(single(b), single(a)))
EXECUTE1(neg_pair, uint32_t, uint32_t, a ^ 0x80008000)
EXECUTE1(absolute_pair, uint32_t, uint32_t, a & 0x7fff7fff)

const struct ptx_opcode ptx_half[] = {{"add.rn.f16", "hhh", add},
                                      {"sub.rn.f16", "hhh", sub},
                                      {"mul.rn.f16", "hhh", mul},
                                      {"fma.rn.f16", "hhhh", fma_rn},
                                      {"neg.f16", "hh", neg},
                                      {"abs.f16", "hh", absolute},
                                      {"min.f16", "hhh", minimum},
                                      {"max.f16", "hhh", maximum},
                                      {"add.rn.f16x2", "rrr", add_pair},
                                      {"sub.rn.f16x2", "rrr", sub_pair},
                                      {"mul.rn.f16x2", "rrr", mul_pair},
                                      {"fma.rn.f16x2", "rrrr", fma_pair},
                                      {"cvt.rn.f16x2.f32", "rrr", cvt_pair},
                                      {"neg.f16x2", "rr", neg_pair},
                                      {"abs.f16x2", "rr", absolute_pair},
                                      {NULL, NULL, NULL}};
