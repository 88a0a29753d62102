/* integer.c - integer arithmetic.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "cuda/cuda_driver.h"
#include "lanes.h"

/* Arithmetic wraps, so it is that of unsigned types; those of 16 bits are made
 * 32 bits wide first, since C would make them int. */
#define WRAPPING(bits, wide)                                                   \
    EXECUTE2(add##bits, uint##bits##_t, uint##bits##_t, uint##bits##_t,        \
             (uint##wide##_t)a + b)                                            \
    EXECUTE2(sub##bits, uint##bits##_t, uint##bits##_t, uint##bits##_t,        \
             (uint##wide##_t)a - b)                                            \
    EXECUTE2(mul_lo##bits, uint##bits##_t, uint##bits##_t, uint##bits##_t,     \
             (uint##wide##_t)a *b)                                             \
    EXECUTE3(mad_lo##bits, uint##bits##_t, uint##bits##_t, uint##bits##_t,     \
             uint##bits##_t, (uint##wide##_t)a *b + c)                         \
    EXECUTE1(neg##bits, uint##bits##_t, uint##bits##_t, 0 - (uint##wide##_t)a) \
    EXECUTE1(abs##bits, uint##bits##_t, int##bits##_t,                         \
             a < 0 ? 0 - (uint##wide##_t)a : (uint##wide##_t)a)                \
    EXECUTE2(min_s##bits, int##bits##_t, int##bits##_t, int##bits##_t,         \
             a < b ? a : b)                                                    \
    EXECUTE2(min_u##bits, uint##bits##_t, uint##bits##_t, uint##bits##_t,      \
             a < b ? a : b)                                                    \
    EXECUTE2(max_s##bits, int##bits##_t, int##bits##_t, int##bits##_t,         \
             a < b ? b : a)                                                    \
    EXECUTE2(max_u##bits, uint##bits##_t, uint##bits##_t, uint##bits##_t,      \
             a < b ? b : a)

WRAPPING(16, 32)
WRAPPING(32, 32)
WRAPPING(64, 64)

__extension__ typedef __int128 int128;
__extension__ typedef unsigned __int128 uint128;

#define PRODUCTS(bits, sign, type, wide)                                       \
    EXECUTE2(mul_hi_##sign##bits, type, type, type, (wide)a *b >> bits)        \
    EXECUTE3(mad_hi_##sign##bits, type, type, type, type,                      \
             (uint64_t)((wide)a * b >> bits) + (uint64_t)c)

PRODUCTS(16, s, int16_t, int32_t)
PRODUCTS(16, u, uint16_t, uint32_t)
PRODUCTS(32, s, int32_t, int64_t)
PRODUCTS(32, u, uint32_t, uint64_t)
PRODUCTS(64, s, int64_t, int128)
PRODUCTS(64, u, uint64_t, uint128)

EXECUTE2(mul_wide_s16, int32_t, int16_t, int16_t, (int32_t)a *b)
EXECUTE2(mul_wide_u16, uint32_t, uint16_t, uint16_t, (uint32_t)a *b)
EXECUTE2(mul_wide_s32, int64_t, int32_t, int32_t, (int64_t)a *b)
EXECUTE2(mul_wide_u32, uint64_t, uint32_t, uint32_t, (uint64_t)a *b)
EXECUTE3(mad_wide_s16, uint32_t, int16_t, int16_t, uint32_t,
         (uint32_t)((int32_t)a * b) + c)
EXECUTE3(mad_wide_u16, uint32_t, uint16_t, uint16_t, uint32_t,
         (uint32_t)a *b + c)
EXECUTE3(mad_wide_s32, uint64_t, int32_t, int32_t, uint64_t,
         (uint64_t)((int64_t)a * b) + c)
EXECUTE3(mad_wide_u32, uint64_t, uint32_t, uint32_t, uint64_t,
         (uint64_t)a *b + c)

/* ---- Division ----------------------------------------------------------- */

/* The manual leaves open what a division by zero gives, and C what the least
 * number divided by -1 gives, which wraps here. */
#define DIVISION(bits, sign, type, negative)                                   \
    static void div_##sign##bits(struct ptx_warp *w, const struct ptx_insn *i, \
                                 ptx_lanes active)                             \
    {                                                                          \
        EACH_ACTIVE                                                            \
        {                                                                      \
            type a = ROW(type, 1)[lane], b = ROW(type, 2)[lane];               \
            if (!b)                                                            \
                ptx_fault(w, i, lane, CU_LAUNCH_FAILED, "division by zero");   \
            else if (negative)                                                 \
                ROW(type, 0)[lane] = (type)(0 - (uint64_t)a);                  \
            else                                                               \
                ROW(type, 0)[lane] = (type)(a / b);                            \
        }                                                                      \
    }                                                                          \
    static void rem_##sign##bits(struct ptx_warp *w, const struct ptx_insn *i, \
                                 ptx_lanes active)                             \
    {                                                                          \
        EACH_ACTIVE                                                            \
        {                                                                      \
            type a = ROW(type, 1)[lane], b = ROW(type, 2)[lane];               \
            if (!b)                                                            \
                ptx_fault(w, i, lane, CU_LAUNCH_FAILED, "division by zero");   \
            else                                                               \
                ROW(type, 0)[lane] = (type)(negative ? 0 : a % b);             \
        }                                                                      \
    }

DIVISION(16, s, int16_t, b == -1)
DIVISION(16, u, uint16_t, false)
DIVISION(32, s, int32_t, b == -1)
DIVISION(32, u, uint32_t, false)
DIVISION(64, s, int64_t, b == -1)
DIVISION(64, u, uint64_t, false)

/* ---- Carries ------------------------------------------------------------ */

/* "sum" is exact in twice the bits; what is left of the low ones is the carry,
 * or the borrow.  in: the carry is added; out: it is set. */
#define CARRY(name, bits, wide, in, out, sum)                                  \
    static void name(struct ptx_warp *w, const struct ptx_insn *i,             \
                     ptx_lanes active)                                         \
    {                                                                          \
        EACH_ACTIVE                                                            \
        {                                                                      \
            wide a = ROW(uint##bits##_t, 1)[lane];                             \
            wide b = ROW(uint##bits##_t, 2)[lane];                             \
            wide carry = in ? w->carry >> lane & 1 : 0, result = sum;          \
            ROW(uint##bits##_t, 0)[lane] = (uint##bits##_t)result;             \
            if (out)                                                           \
                w->carry = (w->carry & ~((ptx_lanes)1 << lane)) |              \
                           (ptx_lanes)(result >> bits & 1) << lane;            \
        }                                                                      \
    }
#define CARRYING(name, in, out, sum) CARRY(name, 32, uint64_t, in, out, sum)
#define CARRYING_BOTH(name, in, out, sum)                                      \
    CARRY(name##32, 32, uint64_t, in, out, sum)                                \
    CARRY(name##64, 64, unsigned __int128, in, out, sum)

CARRYING_BOTH(add_cc, false, true, a + b + carry)
CARRYING_BOTH(addc, true, false, a + b + carry)
CARRYING_BOTH(addc_cc, true, true, a + b + carry)
CARRYING_BOTH(sub_cc, false, true, a - b - carry)
CARRYING_BOTH(subc, true, false, a - b - carry)
CARRYING_BOTH(subc_cc, true, true, a - b - carry)

#define THIRD ROW(uint32_t, 3)[lane]
CARRYING(mad_lo_cc, false, true, (uint32_t)(a * b) + carry + THIRD)
CARRYING(madc_lo, true, false, (uint32_t)(a * b) + carry + THIRD)
CARRYING(madc_lo_cc, true, true, (uint32_t)(a * b) + carry + THIRD)
CARRYING(mad_hi_cc, false, true, (a * b >> 32) + carry + THIRD)
CARRYING(madc_hi, true, false, (a * b >> 32) + carry + THIRD)
CARRYING(madc_hi_cc, true, true, (a * b >> 32) + carry + THIRD)

/* ---- Table -------------------------------------------------------------- */

#define BOTH(name, bits, operands, function)                                   \
    {name ".s" #bits, operands, function},                                     \
    {                                                                          \
        name ".u" #bits, operands, function                                    \
    }
#define TWO(name, bits, operands, function)                                    \
    {name ".s" #bits, operands, function##_s##bits},                           \
    {                                                                          \
        name ".u" #bits, operands, function##_u##bits                          \
    }
#define SIZE(bits, two, three)                                                 \
    BOTH("add", bits, two, add##bits), BOTH("sub", bits, two, sub##bits),      \
        BOTH("mul.lo", bits, two, mul_lo##bits),                               \
        BOTH("mad.lo", bits, three, mad_lo##bits),                             \
        TWO("mul.hi", bits, two, mul_hi), TWO("mad.hi", bits, three, mad_hi),  \
        TWO("div", bits, two, div), TWO("rem", bits, two, rem),                \
        TWO("min", bits, two, min), TWO("max", bits, two, max)

#define CARRIES(bits, operands)                                                \
    BOTH("add.cc", bits, operands, add_cc##bits),                              \
        BOTH("addc", bits, operands, addc##bits),                              \
        BOTH("addc.cc", bits, operands, addc_cc##bits),                        \
        BOTH("sub.cc", bits, operands, sub_cc##bits),                          \
        BOTH("subc", bits, operands, subc##bits),                              \
        BOTH("subc.cc", bits, operands, subc_cc##bits)

const struct ptx_opcode ptx_integer[] = {SIZE(16, "hhh", "hhhh"),
                                         SIZE(32, "rrr", "rrrr"),
                                         SIZE(64, "lll", "llll"),
                                         {"neg.s16", "hh", neg16},
                                         {"neg.s32", "rr", neg32},
                                         {"neg.s64", "ll", neg64},
                                         {"abs.s16", "hh", abs16},
                                         {"abs.s32", "rr", abs32},
                                         {"abs.s64", "ll", abs64},
                                         TWO("mul.wide", 16, "rhh", mul_wide),
                                         TWO("mul.wide", 32, "lrr", mul_wide),
                                         TWO("mad.wide", 16, "rhhr", mad_wide),
                                         TWO("mad.wide", 32, "lrrl", mad_wide),
                                         CARRIES(32, "rrr"),
                                         CARRIES(64, "lll"),
                                         {"mad.lo.cc.u32", "rrrr", mad_lo_cc},
                                         {"madc.lo.u32", "rrrr", madc_lo},
                                         {"madc.lo.cc.u32", "rrrr", madc_lo_cc},
                                         {"mad.hi.cc.u32", "rrrr", mad_hi_cc},
                                         {"madc.hi.u32", "rrrr", madc_hi},
                                         {"madc.hi.cc.u32", "rrrr", madc_hi_cc},
                                         {NULL, NULL, NULL}};
