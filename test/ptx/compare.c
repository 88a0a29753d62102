/* compare.c - setp and selp.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "half.h"
#include "lanes.h"

/* "condition" in a and b, which "read" makes of what the row has. */
#define SET(name, type, read, condition)                                       \
    static void name(struct ptx_warp *w, const struct ptx_insn *i,             \
                     ptx_lanes active)                                         \
    {                                                                          \
        const type *from_a = ROW(type, 1), *from_b = ROW(type, 2);             \
        ptx_lanes result = 0;                                                  \
        for (unsigned lane = 0; lane < PTX_LANES; ++lane) {                    \
            __typeof__(read(from_a[0])) a = read(from_a[lane]),                \
                                        b = read(from_b[lane]);                \
            result |= (ptx_lanes)(condition) << lane;                          \
        }                                                                      \
        PREDICATE(0) = (PREDICATE(0) & ~active) | (result & active);           \
    }

#define AS_IT_IS(value) (value)
#define UNORDERED (a != a || b != b)

#define ORDER(name, type)                                                      \
    SET(setp_lt_##name, type, AS_IT_IS, a < b)                                 \
    SET(setp_le_##name, type, AS_IT_IS, a <= b)                                \
    SET(setp_gt_##name, type, AS_IT_IS, a > b)                                 \
    SET(setp_ge_##name, type, AS_IT_IS, a >= b)
#define EQUALITY(bits)                                                         \
    SET(setp_eq_##bits, uint##bits##_t, AS_IT_IS, a == b)                      \
    SET(setp_ne_##bits, uint##bits##_t, AS_IT_IS, a != b)

EQUALITY(16)
EQUALITY(32)
EQUALITY(64)
ORDER(s16, int16_t)
ORDER(s32, int32_t)
ORDER(s64, int64_t)
ORDER(u16, uint16_t)
ORDER(u32, uint32_t)
ORDER(u64, uint64_t)

/* Comparisons of numbers; those with u hold for a NaN as well. */
#define NUMBERS(name, type, read)                                              \
    SET(setp_eq_##name, type, read, a == b)                                    \
    SET(setp_ne_##name, type, read, !UNORDERED && a != b)                      \
    SET(setp_lt_##name, type, read, a < b)                                     \
    SET(setp_le_##name, type, read, a <= b)                                    \
    SET(setp_gt_##name, type, read, a > b)                                     \
    SET(setp_ge_##name, type, read, a >= b)                                    \
    SET(setp_equ_##name, type, read, UNORDERED || a == b)                      \
    SET(setp_neu_##name, type, read, UNORDERED || a != b)                      \
    SET(setp_ltu_##name, type, read, UNORDERED || a < b)                       \
    SET(setp_leu_##name, type, read, UNORDERED || a <= b)                      \
    SET(setp_gtu_##name, type, read, UNORDERED || a > b)                       \
    SET(setp_geu_##name, type, read, UNORDERED || a >= b)                      \
    SET(setp_num_##name, type, read, !UNORDERED)                               \
    SET(setp_nan_##name, type, read, UNORDERED)

NUMBERS(f16, uint16_t, ptx_half_value)
NUMBERS(f32, float, AS_IT_IS)
NUMBERS(f64, double, AS_IT_IS)

/* Predicates "p|q" of the low and the high halves. */
static void set_pair(struct ptx_warp *w, const struct ptx_insn *i,
                     ptx_lanes active, bool (*holds)(uint16_t, uint16_t))
{
    const uint32_t *a = ROW(uint32_t, 1), *b = ROW(uint32_t, 2);
    ptx_lanes low = 0, high = 0;
    unsigned lane;

    for (lane = 0; lane < PTX_LANES; ++lane) {
        low |= (ptx_lanes)holds((uint16_t)a[lane], (uint16_t)b[lane]) << lane;
        high |= (ptx_lanes)holds(a[lane] >> 16, b[lane] >> 16) << lane;
    }
    PREDICATE(0) = (PREDICATE(0) & ~active) | (low & active);
    PREDICATE(PTX_OPERANDS - 1) =
        (PREDICATE(PTX_OPERANDS - 1) & ~active) | (high & active);
}

#define PAIR(name, condition)                                                  \
    static bool half_##name(uint16_t x, uint16_t y)                            \
    {                                                                          \
        double a = ptx_half_value(x), b = ptx_half_value(y);                   \
        return condition;                                                      \
    }                                                                          \
    static void setp_##name##_f16x2(                                           \
        struct ptx_warp *w, const struct ptx_insn *i, ptx_lanes active)        \
    {                                                                          \
        set_pair(w, i, active, half_##name);                                   \
    }

PAIR(eq, a == b)
PAIR(ne, !UNORDERED && a != b)
PAIR(lt, a < b)
PAIR(le, a <= b)
PAIR(gt, a > b)
PAIR(ge, a >= b)
PAIR(equ, UNORDERED || a == b)
PAIR(neu, UNORDERED || a != b)
PAIR(ltu, UNORDERED || a < b)
PAIR(leu, UNORDERED || a <= b)
PAIR(gtu, UNORDERED || a > b)
PAIR(geu, UNORDERED || a >= b)
PAIR(num, !UNORDERED)
PAIR(nan, UNORDERED)

/* "d = p ? a : b". */
#define SELECT(bits)                                                           \
    static void selp##bits(struct ptx_warp *w, const struct ptx_insn *i,       \
                           ptx_lanes active)                                   \
    {                                                                          \
        uint##bits##_t *to = ROW(uint##bits##_t, 0);                           \
        const uint##bits##_t *a = ROW(uint##bits##_t, 1),                      \
                             *b = ROW(uint##bits##_t, 2);                      \
        ptx_lanes chosen = PREDICATE(3);                                       \
        EACH_WRITTEN(uint##bits##_t x = a[lane]; uint##bits##_t y = b[lane];   \
                     uint##bits##_t d = chosen >> lane & 1 ? x : y;            \
                     to[lane] = active >> lane & 1 ? d : to[lane];)            \
    }

SELECT(16)
SELECT(32)
SELECT(64)

#define INTEGERS(bits, operands)                                               \
    {"setp.eq.b" #bits, operands, setp_eq_##bits},                             \
        {"setp.ne.b" #bits, operands, setp_ne_##bits},                         \
        {"setp.eq.s" #bits, operands, setp_eq_##bits},                         \
        {"setp.ne.s" #bits, operands, setp_ne_##bits},                         \
        {"setp.eq.u" #bits, operands, setp_eq_##bits},                         \
        {"setp.ne.u" #bits, operands, setp_ne_##bits},                         \
        {"setp.lt.s" #bits, operands, setp_lt_s##bits},                        \
        {"setp.le.s" #bits, operands, setp_le_s##bits},                        \
        {"setp.gt.s" #bits, operands, setp_gt_s##bits},                        \
        {"setp.ge.s" #bits, operands, setp_ge_s##bits},                        \
        {"setp.lt.u" #bits, operands, setp_lt_u##bits},                        \
        {"setp.le.u" #bits, operands, setp_le_u##bits},                        \
        {"setp.gt.u" #bits, operands, setp_gt_u##bits},                        \
    {                                                                          \
        "setp.ge.u" #bits, operands, setp_ge_u##bits                           \
    }
#define FLOATS(name, operands)                                                 \
    {"setp.eq." #name, operands, setp_eq_##name},                              \
        {"setp.ne." #name, operands, setp_ne_##name},                          \
        {"setp.lt." #name, operands, setp_lt_##name},                          \
        {"setp.le." #name, operands, setp_le_##name},                          \
        {"setp.gt." #name, operands, setp_gt_##name},                          \
        {"setp.ge." #name, operands, setp_ge_##name},                          \
        {"setp.equ." #name, operands, setp_equ_##name},                        \
        {"setp.neu." #name, operands, setp_neu_##name},                        \
        {"setp.ltu." #name, operands, setp_ltu_##name},                        \
        {"setp.leu." #name, operands, setp_leu_##name},                        \
        {"setp.gtu." #name, operands, setp_gtu_##name},                        \
        {"setp.geu." #name, operands, setp_geu_##name},                        \
        {"setp.num." #name, operands, setp_num_##name},                        \
    {                                                                          \
        "setp.nan." #name, operands, setp_nan_##name                           \
    }

const struct ptx_opcode ptx_compare[] = {
    INTEGERS(16, "phh"),          INTEGERS(32, "prr"),
    INTEGERS(64, "pll"),          FLOATS(f16, "phh"),
    FLOATS(f32, "prr"),           FLOATS(f64, "pll"),
    FLOATS(f16x2, "qrr"),         {"selp.b16", "hhhp", selp16},
    {"selp.f16", "hhhp", selp16}, {"selp.b32", "rrrp", selp32},
    {"selp.f32", "rrrp", selp32}, {"selp.b64", "lllp", selp64},
    {"selp.f64", "lllp", selp64}, {NULL, NULL, NULL}};
