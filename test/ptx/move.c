/* move.c - mov, of single operands and of several as one, and cvta.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "lanes.h"

/* ---- Execution ---------------------------------------------------------- */

EXECUTE1(move16, uint16_t, uint16_t, a)
EXECUTE1(move32, uint32_t, uint32_t, a)
EXECUTE1(move64, uint64_t, uint64_t, a)
/* From and to generic addresses; "extra" is where the window begins. */
EXECUTE1(shift_address, uint64_t, uint64_t, a + i->extra)

static void move_pred(struct ptx_warp *w, const struct ptx_insn *i,
                      ptx_lanes active)
{
    PREDICATE(0) = (PREDICATE(0) & ~active) | (PREDICATE(1) & active);
}

/* Operand 0 becomes elements 1, 2, ..., of "bytes" bytes each. */
static void pack(struct ptx_warp *w, const struct ptx_insn *i, ptx_lanes active)
{
    unsigned k, whole = (unsigned)i->bytes * i->elements;

    EACH_ACTIVE
    {
        char value[8];

        for (k = 0; k < i->elements; ++k)
            memcpy(value + k * i->bytes, ROW(char, k + 1) + lane * i->bytes,
                   i->bytes);
        memcpy(ROW(char, 0) + lane * whole, value, whole);
    }
}

/* Elements 0, 1, ... become the parts of the last operand. */
static void unpack(struct ptx_warp *w, const struct ptx_insn *i,
                   ptx_lanes active)
{
    unsigned k, whole = (unsigned)i->bytes * i->elements;

    EACH_ACTIVE
    {
        char value[8];

        memcpy(value, ROW(char, i->elements) + lane * whole, whole);
        for (k = 0; k < i->elements; ++k)
            memcpy(ROW(char, k) + lane * i->bytes, value + k * i->bytes,
                   i->bytes);
    }
}

/* ---- Decoding ----------------------------------------------------------- */

static bool decode_cvta(struct ptx_parser *p, struct ptx_statement *s,
                        struct ptx_insn *i)
{
    static const struct {
        const char *name;
        uint64_t window;
    } forms[] = {{"cvta.global.u64", 0},
                 {"cvta.to.global.u64", 0},
                 {"cvta.shared.u64", PTX_SHARED_WINDOW},
                 {"cvta.to.shared.u64", 0 - PTX_SHARED_WINDOW},
                 {"cvta.local.u64", PTX_LOCAL_WINDOW},
                 {"cvta.to.local.u64", 0 - PTX_LOCAL_WINDOW}};
    size_t k;

    for (k = 0; k < sizeof forms / sizeof *forms; ++k)
        if (ptx_span_is(s->opcode, forms[k].name))
            break;
    if (k == sizeof forms / sizeof *forms || s->n != 2)
        return ptx_wrong(p, "unknown instruction");
    i->extra = forms[k].window;
    i->execute = shift_address;
    return ptx_destination(p, s->operands[0], 8, &i->at[0]) &&
           ptx_source(p, s->operands[1], 8, &i->at[1]);
}

/* "mov.b64 a, {b, c}" and "mov.b64 {a, b}, c". */
static bool decode_parts(struct ptx_parser *p, struct ptx_statement *s,
                         struct ptx_insn *i, unsigned bytes)
{
    bool packs = *s->operands[1].text == '{';
    struct ptx_span parts[4];
    unsigned n = ptx_group(s->operands[packs], parts, 4), k;

    if (n < 2 || bytes % n || bytes / n < 2)
        return ptx_wrong(p, "wrong number of parts");
    i->elements = (uint8_t)n;
    i->bytes = (uint8_t)(bytes / n);
    i->execute = packs ? pack : unpack;
    for (k = 0; k < n; ++k)
        if (packs ? !ptx_source(p, parts[k], i->bytes, &i->at[k + 1])
                  : !ptx_destination(p, parts[k], i->bytes, &i->at[k]))
            return false;
    return packs ? ptx_destination(p, s->operands[0], bytes, &i->at[0])
                 : ptx_source(p, s->operands[1], bytes, &i->at[n]);
}

static bool decode_one(struct ptx_parser *p, struct ptx_statement *s,
                       struct ptx_insn *i, unsigned bytes)
{
    i->execute = bytes == 8   ? move64
                 : bytes == 4 ? move32
                 : bytes == 2 ? move16
                              : move_pred;
    return ptx_destination(p, s->operands[0], bytes, &i->at[0]) &&
           ptx_source(p, s->operands[1], bytes, &i->at[1]);
}

bool ptx_decode_move(struct ptx_parser *p, struct ptx_statement *s,
                     struct ptx_insn *i)
{
    static const struct {
        const char *types;
        unsigned bytes;
    } sizes[] = {{"bus 16", 2}, {"busf32", 4}, {"busf64", 8}};
    struct ptx_span type = {s->opcode.text + 4, s->opcode.size - 4};
    size_t k;

    if (*s->opcode.text == 'c')
        return decode_cvta(p, s, i);
    if (s->n != 2)
        return ptx_wrong(p, "%u operands instead of 2", s->n);
    if (ptx_span_is(type, "pred"))
        return decode_one(p, s, i, 0);
    for (k = 0; k < 3; ++k) {
        if (type.size != 3 || memcmp(type.text + 1, sizes[k].types + 4, 2) ||
            !memchr(sizes[k].types, *type.text, 4))
            continue;
        if (*s->operands[0].text == '{' || *s->operands[1].text == '{')
            return decode_parts(p, s, i, sizes[k].bytes);
        return decode_one(p, s, i, sizes[k].bytes);
    }
    return ptx_wrong(p, "unknown instruction");
}
