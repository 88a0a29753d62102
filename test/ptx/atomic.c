/* atomic.c - atom and red of integers in global memory.
 *
 * Lanes update one after the other.  Other blocks may update the same element
 * in the same launch, and do nothing else with it.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "lanes.h"

enum { OP_ADD, OP_AND, OP_OR, OP_XOR, OP_MIN, OP_MAX, OP_EXCHANGE, OP_CAS };

static uint64_t apply(uint64_t op, bool is_signed, uint64_t a, uint64_t b)
{
    bool less = is_signed ? (int64_t)a < (int64_t)b : a < b;

    switch (op) {
    case OP_ADD:
        return a + b;
    case OP_AND:
        return a & b;
    case OP_OR:
        return a | b;
    case OP_XOR:
        return a ^ b;
    case OP_MIN:
        return less ? a : b;
    case OP_EXCHANGE:
        return b;
    default:
        return less ? b : a;
    }
}

/* The number of "bytes" bytes at "from". */
static uint64_t number(const void *from, unsigned bytes, bool is_signed)
{
    uint64_t value = 0;

    memcpy(&value, from, bytes);
    return is_signed && bytes == 4 ? (uint64_t)(int64_t)(int32_t)value : value;
}

static void update(struct ptx_warp *w, const struct ptx_insn *i,
                   ptx_lanes active)
{
    const uint64_t *base = ROW(uint64_t, PTX_OPERANDS - 1);
    unsigned bytes = i->bytes;

    EACH_ACTIVE
    {
        char *at = ptx_global(w, i, lane, base[lane] + (uint64_t)i->offset[0],
                              bytes, PTX_ATOMIC);
        uint64_t old, new;

        if (!at)
            return;
        old = number(at, bytes, i->is_signed);
        new = number(ROW(char, 1) + lane * bytes, bytes, i->is_signed);
        if (i->extra != OP_CAS)
            new = apply(i->extra, i->is_signed, old, new);
        else
            new = new == old ? number(ROW(char, 2) + lane * bytes, bytes, false)
                             : old;
        memcpy(at, &new, bytes);
        if (i->elements)
            memcpy(ROW(char, 0) + lane * bytes, &old, bytes);
    }
}

/* ---- Decoding ----------------------------------------------------------- */

/* The operations by their names behind "atom.global." and "red.global.". */
static const struct {
    const char *name;
    unsigned op, bytes;
    bool is_signed;
} operations[] = {
    {"add.u32", OP_ADD, 4, false},      {"add.u64", OP_ADD, 8, false},
    {"add.s32", OP_ADD, 4, true},       {"and.b32", OP_AND, 4, false},
    {"and.b64", OP_AND, 8, false},      {"or.b32", OP_OR, 4, false},
    {"or.b64", OP_OR, 8, false},        {"xor.b32", OP_XOR, 4, false},
    {"xor.b64", OP_XOR, 8, false},      {"min.s32", OP_MIN, 4, true},
    {"min.u32", OP_MIN, 4, false},      {"min.s64", OP_MIN, 8, true},
    {"min.u64", OP_MIN, 8, false},      {"max.s32", OP_MAX, 4, true},
    {"max.u32", OP_MAX, 4, false},      {"max.s64", OP_MAX, 8, true},
    {"max.u64", OP_MAX, 8, false},      {"exch.b32", OP_EXCHANGE, 4, false},
    {"exch.b64", OP_EXCHANGE, 8, false}};

/* What follows on "prefix" in the opcode; its size is 0 if nothing does. */
static struct ptx_span behind(struct ptx_span opcode, const char *prefix)
{
    size_t n = strlen(prefix);

    if (opcode.size > n && !memcmp(opcode.text, prefix, n))
        return (struct ptx_span){opcode.text + n, opcode.size - n};
    return (struct ptx_span){opcode.text, 0};
}

/* Compare and exchange has two operands behind the address.  As our kernels
 * have it, clang's for CUDA, and nvcc's. */
static bool compares(struct ptx_span opcode)
{
    return ptx_span_is(opcode, "atom.relaxed.gpu.global.cas.b32") ||
           ptx_span_is(opcode, "atom.relaxed.sys.global.cas.b32") ||
           ptx_span_is(opcode, "atom.global.cas.b32");
}

bool ptx_decode_atomic(struct ptx_parser *p, struct ptx_statement *s,
                       struct ptx_insn *i)
{
    struct ptx_span name = behind(s->opcode, "atom.global.");
    bool is_cas = compares(s->opcode);
    bool has_result = name.size > 0 || is_cas;
    size_t k, n = sizeof operations / sizeof *operations;

    if (!has_result)
        name = behind(s->opcode, "red.global.");
    for (k = 0; !is_cas && k < n && !ptx_span_is(name, operations[k].name); ++k)
        ;
    if (k == n)
        return ptx_wrong(p, "unknown instruction");
    if (s->n != 2u + has_result + is_cas)
        return ptx_wrong(p, "%u operands", s->n);
    i->execute = update;
    i->extra = is_cas ? OP_CAS : operations[k].op;
    i->bytes = is_cas ? 4 : (uint8_t)operations[k].bytes;
    i->is_signed = !is_cas && operations[k].is_signed;
    i->elements = has_result;
    if (i->bytes < p->module->granule)
        p->module->granule = i->bytes;
    return (!has_result ||
            ptx_destination(p, s->operands[0], i->bytes, &i->at[0])) &&
           ptx_address(p, s->operands[has_result], &i->at[PTX_OPERANDS - 1],
                       &i->offset[0]) &&
           ptx_source(p, s->operands[1u + has_result], i->bytes, &i->at[1]) &&
           (!is_cas || ptx_source(p, s->operands[3], i->bytes, &i->at[2]));
}
