/* bits.c - shifts and logic.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "lanes.h"

/* The number of bits to shift by has 32 bits; what is larger than the type
 * shifts all out. */
#define LOGIC(bits)                                                            \
    EXECUTE2(and##bits, uint##bits##_t, uint##bits##_t, uint##bits##_t, a &b)  \
    EXECUTE2(or##bits, uint##bits##_t, uint##bits##_t, uint##bits##_t, a | b)  \
    EXECUTE2(xor##bits, uint##bits##_t, uint##bits##_t, uint##bits##_t, a ^ b) \
    EXECUTE1(not##bits, uint##bits##_t, uint##bits##_t, ~a)                    \
    EXECUTE2(shl##bits, uint##bits##_t, uint##bits##_t, uint32_t,              \
             b < bits ? (uint64_t)a << (b & (bits - 1)) : 0)                   \
    EXECUTE2(shr_u##bits, uint##bits##_t, uint##bits##_t, uint32_t,            \
             b < bits ? a >> (b & (bits - 1)) : 0)                             \
    EXECUTE2(shr_s##bits, int##bits##_t, int##bits##_t, uint32_t,              \
             a >> (b < bits ? b : bits - 1))

LOGIC(16)
LOGIC(32)
LOGIC(64)

/* Low bits of b:a, shifted left or right by the low five bits of c (.wrap) or
 * at most 32 (.clamp). */
EXECUTE3(shf_l_wrap, uint32_t, uint32_t, uint32_t, uint32_t,
         (((uint64_t)b << 32 | a) << (c & 31)) >> 32)
EXECUTE3(shf_r_wrap, uint32_t, uint32_t, uint32_t, uint32_t,
         ((uint64_t)b << 32 | a) >> (c & 31))
EXECUTE3(shf_l_clamp, uint32_t, uint32_t, uint32_t, uint32_t,
         (((uint64_t)b << 32 | a) << (c < 32 ? c : 32)) >> 32)
EXECUTE3(shf_r_clamp, uint32_t, uint32_t, uint32_t, uint32_t,
         ((uint64_t)b << 32 | a) >> (c < 32 ? c : 32))

static unsigned leading_zeros(uint64_t value, unsigned bits)
{
    return value ? (unsigned)__builtin_clzll(value) - (64 - bits) : bits;
}

EXECUTE1(clz32, uint32_t, uint32_t, leading_zeros(a, 32))
EXECUTE1(clz64, uint32_t, uint64_t, leading_zeros(a, 64))
EXECUTE1(popc32, uint32_t, uint32_t, __builtin_popcount(a))
EXECUTE1(popc64, uint32_t, uint64_t, __builtin_popcountll(a))

static uint64_t reversed(uint64_t value, unsigned bits)
{
    uint64_t result = 0;
    unsigned k;

    for (k = 0; k < bits; ++k)
        result |= (value >> k & 1) << (bits - 1 - k);
    return result;
}

EXECUTE1(brev32, uint32_t, uint32_t, reversed(a, 32))
EXECUTE1(brev64, uint64_t, uint64_t, reversed(a, 64))

/* The field of "length" bits from bit "from" on, both modulo 256; beyond the
 * word there are copies of the sign, of signed fields: of the field's last bit
 * in the word. */
static uint64_t field(uint64_t word, unsigned bits, uint32_t from,
                      uint32_t length, bool is_signed)
{
    uint64_t result = 0, sign = 0;
    unsigned k, last;

    from &= 255;
    length &= 255;
    if (is_signed && length) {
        last = from + length - 1 < bits - 1 ? from + length - 1 : bits - 1;
        sign = word >> last & 1;
    }
    for (k = 0; k < bits; ++k)
        result |=
            (k < length && from + k < bits ? word >> (from + k) & 1 : sign)
            << k;
    return result;
}

EXECUTE3(bfe_u32, uint32_t, uint32_t, uint32_t, uint32_t,
         field(a, 32, b, c, false))
EXECUTE3(bfe_s32, uint32_t, uint32_t, uint32_t, uint32_t,
         field(a, 32, b, c, true))
EXECUTE3(bfe_u64, uint64_t, uint64_t, uint32_t, uint32_t,
         field(a, 64, b, c, false))
EXECUTE3(bfe_s64, uint64_t, uint64_t, uint32_t, uint32_t,
         field(a, 64, b, c, true))

/* The low bits of "word" in place of "length" bits of "into", from "start". */
static uint64_t inserted(uint64_t word, uint64_t into, unsigned bits,
                         uint32_t start, uint32_t length)
{
    unsigned k;

    start &= 255;
    length &= 255;
    for (k = 0; k < length && start + k < bits; ++k) {
        into &= ~((uint64_t)1 << (start + k));
        into |= (word >> k & 1) << (start + k);
    }
    return into;
}

EXECUTE4(bfi_b32, uint32_t, uint32_t, uint32_t, uint32_t, uint32_t,
         inserted(a, b, 32, c, e))
EXECUTE4(bfi_b64, uint64_t, uint64_t, uint64_t, uint32_t, uint32_t,
         inserted(a, b, 64, c, e))

/* Bytes of b:a by the low 16 bits of c, four for each byte: number, and
 * whether its sign alone counts. */
static uint32_t permuted(uint32_t a, uint32_t b, uint32_t c)
{
    uint64_t bytes = (uint64_t)b << 32 | a;
    uint32_t result = 0;
    unsigned k;

    for (k = 0; k < 4; ++k) {
        unsigned selector = c >> 4 * k & 15;
        uint32_t byte = (uint32_t)(bytes >> 8 * (selector & 7)) & 255;

        if (selector & 8)
            byte = byte & 128 ? 255 : 0;
        result |= byte << 8 * k;
    }
    return result;
}

EXECUTE3(prmt, uint32_t, uint32_t, uint32_t, uint32_t, permuted(a, b, c))

/* ---- Predicates --------------------------------------------------------- */

#define OF_PREDICATES(name, expression)                                        \
    static void name(struct ptx_warp *w, const struct ptx_insn *i,             \
                     ptx_lanes active)                                         \
    {                                                                          \
        ptx_lanes a = PREDICATE(1), b = PREDICATE(2);                          \
        PREDICATE(0) = (PREDICATE(0) & ~active) | ((expression) & active);     \
    }

OF_PREDICATES(and_pred, a &b)
OF_PREDICATES(or_pred, a | b)
OF_PREDICATES(xor_pred, a ^ b)

static void not_pred(struct ptx_warp *w, const struct ptx_insn *i,
                     ptx_lanes active)
{
    PREDICATE(0) = (PREDICATE(0) & ~active) | (~PREDICATE(1) & active);
}

#define SIZE(bits, one, two, shift)                                            \
    {"and.b" #bits, two, and##bits}, {"or.b" #bits, two, or##bits},            \
        {"xor.b" #bits, two, xor##bits}, {"not.b" #bits, one, not##bits},      \
        {"shl.b" #bits, shift, shl##bits},                                     \
        {"shr.u" #bits, shift, shr_u##bits},                                   \
        {"shr.b" #bits, shift, shr_u##bits},                                   \
    {                                                                          \
        "shr.s" #bits, shift, shr_s##bits                                      \
    }

const struct ptx_opcode ptx_bits[] = {SIZE(16, "hh", "hhh", "hhr"),
                                      SIZE(32, "rr", "rrr", "rrr"),
                                      SIZE(64, "ll", "lll", "llr"),
                                      {"shf.l.wrap.b32", "rrrr", shf_l_wrap},
                                      {"shf.r.wrap.b32", "rrrr", shf_r_wrap},
                                      {"shf.l.clamp.b32", "rrrr", shf_l_clamp},
                                      {"shf.r.clamp.b32", "rrrr", shf_r_clamp},
                                      {"clz.b32", "rr", clz32},
                                      {"clz.b64", "rl", clz64},
                                      {"popc.b32", "rr", popc32},
                                      {"popc.b64", "rl", popc64},
                                      {"brev.b32", "rr", brev32},
                                      {"brev.b64", "ll", brev64},
                                      {"bfe.u32", "rrrr", bfe_u32},
                                      {"bfe.s32", "rrrr", bfe_s32},
                                      {"bfe.u64", "llrr", bfe_u64},
                                      {"bfe.s64", "llrr", bfe_s64},
                                      {"bfi.b32", "rrrrr", bfi_b32},
                                      {"bfi.b64", "lllrr", bfi_b64},
                                      {"prmt.b32", "rrrr", prmt},
                                      {"and.pred", "ppp", and_pred},
                                      {"or.pred", "ppp", or_pred},
                                      {"xor.pred", "ppp", xor_pred},
                                      {"not.pred", "pp", not_pred},
                                      {NULL, NULL, NULL}};
