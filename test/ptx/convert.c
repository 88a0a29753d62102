/* convert.c - cvt.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "half.h"
#include "lanes.h"

#include <math.h>

/* ---- Conversions that are frequent -------------------------------------- */

EXECUTE1(s64_s32, int64_t, int32_t, a)
EXECUTE1(u64_u32, uint64_t, uint32_t, a)
EXECUTE1(u32_u64, uint32_t, uint64_t, a)
EXECUTE1(u16_u32, uint16_t, uint32_t, a)
EXECUTE1(u32_u16, uint32_t, uint16_t, a)
EXECUTE1(s32_s16, int32_t, int16_t, a)
EXECUTE1(f64_f32, double, float, a)

const struct ptx_opcode ptx_convert[] = {
    {"cvt.s64.s32", "lr", s64_s32}, {"cvt.u64.u32", "lr", u64_u32},
    {"cvt.u32.u64", "rl", u32_u64}, {"cvt.u16.u32", "hr", u16_u32},
    {"cvt.u32.u16", "rh", u32_u16}, {"cvt.s32.s16", "rh", s32_s16},
    {"cvt.f64.f32", "lr", f64_f32}, {NULL, NULL, NULL}};

/* ---- All others --------------------------------------------------------- */

struct type {
    char kind; /* s, u, f */
    uint8_t bits;
};

/* What struct ptx_insn has in "extra". */
struct conversion {
    struct type to, from;
    uint8_t mode; /* enum ptx_rounding */
    bool integral, saturate, flush;
};

_Static_assert(sizeof(struct conversion) <= sizeof(uint64_t), "extra");

static uint64_t mask(unsigned bits)
{
    return bits < 64 ? ((uint64_t)1 << bits) - 1 : UINT64_MAX;
}

/* The low bits, with copies of the sign in front for signed types. */
static uint64_t extended(uint64_t value, struct type t)
{
    value &= mask(t.bits);
    if (t.kind == 's' && value >> (t.bits - 1))
        value |= ~mask(t.bits);
    return value;
}

static uint64_t least_of(struct type t)
{
    return t.kind == 's' ? ~mask(t.bits - 1u) : 0;
}

static uint64_t greatest_of(struct type t)
{
    return t.kind == 's' ? mask(t.bits - 1u) : mask(t.bits);
}

static uint64_t integer_to_integer(uint64_t value, const struct conversion *c)
{
    bool negative;

    value = extended(value, c->from);
    negative = c->from.kind == 's' && value >> 63;
    if (c->saturate) {
        if (negative &&
            (c->to.kind == 'u' || (int64_t)value < (int64_t)least_of(c->to)))
            value = least_of(c->to);
        else if (!negative && value > greatest_of(c->to))
            value = greatest_of(c->to);
    }
    return extended(value, c->to);
}

static uint64_t integer_to_float(uint64_t value, const struct conversion *c)
{
    bool negative;

    value = extended(value, c->from);
    negative = c->from.kind == 's' && value >> 63;
    return ptx_from_integer(negative, negative ? 0 - value : value, c->to.bits,
                            c->mode);
}

static double float_value(uint64_t bits, const struct conversion *c)
{
    uint32_t word = (uint32_t)bits;
    float single;
    double value;

    if (c->from.bits == 16)
        return ptx_half_value((uint16_t)bits);
    if (c->from.bits == 64) {
        memcpy(&value, &bits, sizeof value);
        return value;
    }
    if (c->flush && !(word & 0x7f800000))
        word &= 0x80000000;
    memcpy(&single, &word, sizeof single);
    return (double)single;
}

static double integral(double value, enum ptx_rounding mode)
{
    double down = floor(value), rest = value - down;

    switch (mode) {
    case PTX_RZ:
        return trunc(value);
    case PTX_RM:
        return down;
    case PTX_RP:
        return ceil(value);
    default:
        if (rest != 0.5)
            return copysign(rest < 0.5 ? down : down + 1, value);
        return copysign(2 * floor((down + 1) / 2), value);
    }
}

/* Saturates always. A NaN gives 0, but where 64 bits are on either side. */
static uint64_t float_to_integer(uint64_t bits, const struct conversion *c)
{
    double value = integral(float_value(bits, c), c->mode);
    double limit = ldexp(1, c->to.kind == 's' ? c->to.bits - 1 : c->to.bits);

    if (isnan(value))
        return c->from.bits == 64 || c->to.bits == 64
                   ? extended((uint64_t)1 << (c->to.bits - 1), c->to)
                   : 0;
    if (value >= limit)
        return greatest_of(c->to);
    if (value <= (c->to.kind == 's' ? -limit : 0))
        return least_of(c->to);
    return value < 0 ? 0 - (uint64_t)-value : (uint64_t)value;
}

static uint64_t float_to_float(uint64_t bits, const struct conversion *c)
{
    double value = float_value(bits, c);
    uint64_t result;

    if (c->integral && isfinite(value))
        value = integral(value, c->mode);
    if (c->saturate)
        value = !(value > 0) ? 0 : value > 1 ? 1 : value;
    if (c->to.bits == 16)
        return ptx_to_half(value, c->mode);
    if (c->to.bits == 64) {
        memcpy(&result, &value, sizeof result);
        return result;
    }
    result = ptx_to_single(value, c->mode);
    return c->flush && !(result & 0x7f800000) ? result & 0x80000000 : result;
}

static uint64_t converted(uint64_t value, const struct conversion *c)
{
    if (c->from.kind == 'f')
        return c->to.kind == 'f' ? float_to_float(value, c)
                                 : float_to_integer(value, c);
    return c->to.kind == 'f' ? integer_to_float(value, c)
                             : integer_to_integer(value, c);
}

static void convert(struct ptx_warp *w, const struct ptx_insn *i,
                    ptx_lanes active)
{
    struct conversion c;

    memcpy(&c, &i->extra, sizeof c);
    EACH_ACTIVE
    {
        uint64_t value = 0;

        memcpy(&value, ROW(char, 1) + lane * i->bytes, i->bytes);
        value = converted(value, &c);
        memcpy(ROW(char, 0) + lane * i->wide, &value, i->wide);
    }
}

/* ---- Decoding ----------------------------------------------------------- */

/* The next modifier of ".rn.f32.f64", without its point. */
static struct ptx_span modifier(struct ptx_span *rest)
{
    struct ptx_span word;
    const char *end;

    if (!rest->size)
        return *rest;
    end = memchr(rest->text + 1, '.', rest->size - 1);
    word.text = rest->text + 1;
    word.size = (end ? end : rest->text + rest->size) - word.text;
    rest->size -= word.size + 1;
    rest->text += word.size + 1;
    return word;
}

static bool type_of(struct ptx_span word, struct type *type)
{
    static const struct {
        const char *digits;
        uint8_t bits;
    } sizes[] = {{"8", 8}, {"16", 16}, {"32", 32}, {"64", 64}};
    size_t k;

    if (word.size < 2 || !strchr("suf", *word.text))
        return false;
    for (k = 0; k < sizeof sizes / sizeof *sizes; ++k)
        if (ptx_span_is((struct ptx_span){word.text + 1, word.size - 1},
                        sizes[k].digits)) {
            type->kind = *word.text;
            type->bits = sizes[k].bits;
            return type->kind != 'f' || type->bits > 8;
        }
    return false;
}

static bool rounding_of(struct ptx_span word, struct conversion *c)
{
    static const char *const names[] = {"rn", "rz", "rm", "rp"};
    uint8_t k;

    c->integral = word.size == 3 && word.text[2] == 'i';
    if (c->integral)
        word.size = 2;
    for (k = 0; k < 4; ++k)
        if (ptx_span_is(word, names[k])) {
            c->mode = k;
            return true;
        }
    return false;
}

/* Is there a rounding where one is needed, and only there? */
static bool has_right_rounding(const struct conversion *c, bool given)
{
    if (c->from.kind == 'f' && c->to.kind != 'f')
        return given && c->integral;
    if (c->from.kind == 'f' && c->to.bits == c->from.bits)
        return !given || c->integral;
    if (c->to.kind == 'f' && (c->from.kind != 'f' || c->to.bits < c->from.bits))
        return given && !c->integral;
    return !given;
}

static bool modifiers(struct ptx_parser *p, struct ptx_span opcode,
                      struct conversion *c)
{
    struct ptx_span rest = {opcode.text + 3, opcode.size - 3};
    struct ptx_span word = modifier(&rest);
    bool given = rounding_of(word, c);

    if (given)
        word = modifier(&rest);
    if (ptx_span_is(word, "ftz")) {
        c->flush = true;
        word = modifier(&rest);
    }
    if (ptx_span_is(word, "sat")) {
        c->saturate = true;
        word = modifier(&rest);
    }
    if (!type_of(word, &c->to) || !type_of(modifier(&rest), &c->from) ||
        rest.size)
        return ptx_wrong(p, "unknown conversion");
    return has_right_rounding(c, given) || ptx_wrong(p, "wrong rounding");
}

/* The bytes of a register that is as large as the type, or larger where the
 * type is that of an integer. */
static bool row_bytes(struct ptx_parser *p, struct ptx_span name,
                      struct type type, uint8_t *bytes)
{
    uint32_t ignored;
    struct ptx_register *r = ptx_register_of(p->function, name, &ignored);

    *bytes = type.bits == 8 ? 2 : type.bits / 8;
    if (r && r->bytes > *bytes && type.kind != 'f')
        *bytes = (uint8_t)r->bytes;
    return true;
}

bool ptx_decode_convert(struct ptx_parser *p, struct ptx_statement *s,
                        struct ptx_insn *i)
{
    struct conversion c = {.mode = PTX_RN};
    const struct ptx_opcode *o;

    if (!modifiers(p, s->opcode, &c) ||
        !row_bytes(p, s->operands[0], c.to, &i->wide) ||
        !row_bytes(p, s->operands[1], c.from, &i->bytes) ||
        !ptx_destination(p, s->operands[0], i->wide, &i->at[0]) ||
        !ptx_source(p, s->operands[1], i->bytes, &i->at[1]))
        return false;
    memcpy(&i->extra, &c, sizeof c);
    i->execute = convert;
    for (o = ptx_convert; o->name; ++o)
        if (ptx_span_is(s->opcode, o->name) && c.to.bits == 8 * i->wide &&
            c.from.bits == 8 * i->bytes)
            i->execute = o->execute;
    return true;
}
