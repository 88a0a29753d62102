/* decode.c - from a statement to the function that executes it.
 *
 * Most opcodes are looked up in the tables of their classes, with all their
 * modifiers; moves, accesses and calls have operands of their own forms.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "machine.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Tables ------------------------------------------------------------- */

enum { MOST_OPCODES = 1024 };

static const struct ptx_opcode *sorted[MOST_OPCODES];
static size_t n_sorted;
static pthread_once_t sort_once = PTHREAD_ONCE_INIT;

static int by_name(const void *a, const void *b)
{
    const struct ptx_opcode *const *x = a, *const *y = b;

    return strcmp((*x)->name, (*y)->name);
}

static void sort(void)
{
    const struct ptx_opcode *const tables[] = {
        ptx_integer, ptx_bits,    ptx_compare, ptx_float,
        ptx_half,    ptx_convert, ptx_async};
    size_t k;

    for (k = 0; k < sizeof tables / sizeof *tables; ++k) {
        const struct ptx_opcode *o = tables[k];

        for (; o->name && n_sorted < MOST_OPCODES; ++o)
            sorted[n_sorted++] = o;
    }
    qsort(sorted, n_sorted, sizeof *sorted, by_name);
}

const struct ptx_opcode *const *ptx_opcodes(size_t *n)
{
    pthread_once(&sort_once, sort);
    *n = n_sorted;
    return sorted;
}

static const struct ptx_opcode *look_up(struct ptx_span name)
{
    size_t low = 0, high, n;

    for (ptx_opcodes(&n), high = n; low < high;) {
        size_t middle = low + (high - low) / 2;
        const char *found = sorted[middle]->name;
        int order = strncmp(name.text, found, name.size);

        if (!order)
            order = found[name.size] ? -1 : 0;
        if (!order)
            return sorted[middle];
        if (order < 0)
            high = middle;
        else
            low = middle + 1;
    }
    return NULL;
}

static unsigned bytes_of(char letter)
{
    return letter == 'l' ? 8 : letter == 'r' ? 4 : letter == 'h' ? 2 : 0;
}

static bool begins(struct ptx_span text, const char *with)
{
    size_t n = strlen(with);

    return text.size >= n && !memcmp(text.text, with, n);
}

static bool may_be_fused(struct ptx_span opcode)
{
    return begins(opcode, "add.f") || begins(opcode, "sub.f") ||
           begins(opcode, "mul.f");
}

/* "add.rn.f32" for "add.f32". */
static const struct ptx_opcode *look_up_rounded(struct ptx_span opcode)
{
    char name[16];
    int n = snprintf(name, sizeof name, "%.3s.rn%.*s", opcode.text,
                     (int)(opcode.size - 3), opcode.text + 3);

    return n < (int)sizeof name ? look_up((struct ptx_span){name, (size_t)n})
                                : NULL;
}

static const char *why_unknown(struct ptx_span opcode)
{
    if (memmem(opcode.text, opcode.size, ".approx", 7) ||
        memmem(opcode.text, opcode.size, ".full", 5))
        return "the result is approximate: its bits are not defined";
    if (may_be_fused(opcode))
        return "without a rounding, it may be fused with another";
    return "unknown instruction";
}

/* "p|q". */
static bool two_predicates(struct ptx_parser *p, struct ptx_span text,
                           struct ptx_insn *i)
{
    const char *bar = memchr(text.text, '|', text.size);
    size_t size = bar ? (size_t)(bar - text.text) : 0;

    if (!bar)
        return ptx_wrong(p, "two predicates are expected");
    return ptx_destination(p, ptx_trim((struct ptx_span){text.text, size}), 0,
                           &i->at[0]) &&
           ptx_destination(
               p, ptx_trim((struct ptx_span){bar + 1, text.size - size - 1}), 0,
               &i->at[PTX_OPERANDS - 1]);
}

static bool operand(struct ptx_parser *p, char letter, unsigned k,
                    struct ptx_span text, struct ptx_insn *i)
{
    unsigned bytes = bytes_of(letter);

    if (letter == 'q')
        return two_predicates(p, text, i);
    return k == 0 ? ptx_destination(p, text, bytes, &i->at[k])
                  : ptx_source(p, text, bytes, &i->at[k]);
}

static bool decode_table(struct ptx_parser *p, struct ptx_statement *s,
                         struct ptx_insn *i)
{
    const struct ptx_opcode *o = look_up(s->opcode);
    unsigned k;

    if (!o && may_be_fused(s->opcode) && p->machine->settings.no_contraction)
        o = look_up_rounded(s->opcode);
    if (!o)
        return ptx_wrong(p, "%s", why_unknown(s->opcode));
    if (s->n != strlen(o->operands))
        return ptx_wrong(p, "%u operands instead of %zu", s->n,
                         strlen(o->operands));
    i->execute = o->execute;
    for (k = 0; k < s->n; ++k)
        if (!operand(p, o->operands[k], k, s->operands[k], i))
            return false;
    return true;
}

/* ---- Control ------------------------------------------------------------ */

/* The parameters of a call, "(a, b)", as places in the frame. */
static bool call_list(struct ptx_parser *p, struct ptx_span list, uint32_t *at,
                      unsigned *n)
{
    struct ptx_span names[32];
    unsigned k;

    if (list.size < 2 || *list.text != '(')
        return ptx_wrong(p, "a list of parameters is expected");
    *n = ptx_split((struct ptx_span){list.text + 1, list.size - 2}, names, 32);
    if (*n > 32)
        return ptx_wrong(p, "too many parameters");
    for (k = 0; k < *n; ++k) {
        struct ptx_variable *v = ptx_variable_of(p, names[k]);

        if (!v || v->space != PTX_PARAM)
            return ptx_wrong(p, "unknown parameter %.*s", (int)names[k].size,
                             names[k].text);
        at[k] = v->at;
    }
    return true;
}

/* "call.uni (result), name, (parameters);", lists only where there are any. */
static bool decode_call(struct ptx_parser *p, struct ptx_statement *s,
                        struct ptx_insn *i)
{
    unsigned results = 0, arguments = 0;
    bool has = s->n && *s->operands[0].text == '(';

    i->kind = PTX_CALL;
    i->call = calloc(1, sizeof *i->call);
    if (!i->call || !(i->call->arguments = calloc(64, sizeof(uint32_t))))
        return ptx_wrong(p, "no memory");
    i->call->results = i->call->arguments + 32;
    if (s->n <= has)
        return ptx_wrong(p, "a call needs a name");
    i->label = s->operands[has];
    if (has && !call_list(p, s->operands[0], i->call->results, &results))
        return false;
    if (s->n == has + 2u &&
        !call_list(p, s->operands[has + 1], i->call->arguments, &arguments))
        return false;
    if (s->n > has + 2u)
        return ptx_wrong(p, "an indirect call");
    i->extra = results << 8 | arguments;
    return true;
}

/* Accesses are seen in the order in which they are made.  The second one of a
 * thread is behind a place where blocks meet. */
static void fence(struct ptx_warp *w, const struct ptx_insn *i,
                  ptx_lanes active)
{
    (void)i;
    (void)active;
    if (++w->block->fences % 2 == 0)
        ++w->block->launch;
}

static bool decode_control(struct ptx_parser *p, struct ptx_statement *s,
                           struct ptx_insn *i, bool *done)
{
    *done = true;
    if (ptx_span_is(s->opcode, "bra") || ptx_span_is(s->opcode, "bra.uni")) {
        i->kind = PTX_BRANCH;
        i->label = s->operands[0];
        return s->n == 1 || ptx_wrong(p, "one label is expected");
    }
    if (ptx_span_is(s->opcode, "ret") || ptx_span_is(s->opcode, "exit")) {
        i->kind = PTX_RETURN;
        return s->n == 0 || ptx_wrong(p, "no operand is expected");
    }
    if (ptx_span_is(s->opcode, "bar.sync")) {
        i->kind = PTX_BARRIER;
        return (s->n == 1 && ptx_span_is(s->operands[0], "0")) ||
               ptx_wrong(p, "only barrier 0 of all threads is known");
    }
    if (ptx_span_is(s->opcode, "fence.acq_rel.gpu")) {
        i->execute = fence;
        return s->n == 0 || ptx_wrong(p, "no operand is expected");
    }
    if (ptx_span_is(s->opcode, "call") || ptx_span_is(s->opcode, "call.uni"))
        return decode_call(p, s, i);
    *done = false;
    return true;
}

bool ptx_decode(struct ptx_parser *p, struct ptx_statement *s,
                struct ptx_insn *i)
{
    bool done;

    if (!decode_control(p, s, i, &done))
        return false;
    if (done)
        return true;
    if (begins(s->opcode, "mov.") || begins(s->opcode, "cvta."))
        return ptx_decode_move(p, s, i);
    if (begins(s->opcode, "ld.") || begins(s->opcode, "st."))
        return ptx_decode_memory(p, s, i);
    if (begins(s->opcode, "atom.") || begins(s->opcode, "red."))
        return ptx_decode_atomic(p, s, i);
    if (begins(s->opcode, "cp.async."))
        return ptx_decode_async(p, s, i);
    if (begins(s->opcode, "cvt.") && s->n == 2)
        return ptx_decode_convert(p, s, i);
    return decode_table(p, s, i);
}
