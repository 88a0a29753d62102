/* async.c - cp.async: copies from global to shared memory that are not done
 * before their thread waits for them.
 *
 * What a copy writes has no value until then, and its source is read only
 * then.  With the setting "async=early" it is done at once, which is allowed as
 * well.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "cuda/cuda_driver.h"
#include "lanes.h"
#include "list.h"

struct ptx_copy {
    const struct ptx_insn *insn;
    uint64_t from;
    unsigned char *to, *written; /* in the block's shared memory */
    unsigned lane, valid;        /* bytes that are copied; zeros follow */
    uint32_t group;
};

static void finish(struct ptx_warp *w, const struct ptx_copy *c)
{
    unsigned bytes = c->insn->bytes;

    if (c->valid) {
        const void *from =
            ptx_global(w, c->insn, c->lane, c->from, c->valid, PTX_READ);

        if (!from)
            return;
        memcpy(c->to, from, c->valid);
    }
    memset(c->to + c->valid, 0, bytes - c->valid);
    memset(c->written, 1, bytes);
}

static void begin(struct ptx_warp *w, struct ptx_copy *c)
{
    struct ptx_block *block = w->block;

    c->written = block->written + (c->to - block->shared);
    if (block->machine->settings.early) {
        finish(w, c);
        return;
    }
    ptx_garbage(block->machine, c->to, c->insn->bytes);
    memset(c->written, 0, c->insn->bytes);
    if (!GROW(w->copies, w->n_copies)) {
        ptx_fault(w, c->insn, c->lane, CU_OUT_OF_MEMORY, "no memory");
        return;
    }
    w->copies[w->n_copies++] = *c;
}

/* Operands: shared and global address, the bytes that are valid. */
static void copy(struct ptx_warp *w, const struct ptx_insn *i, ptx_lanes active)
{
    EACH_ACTIVE
    {
        uint64_t from = ROW(uint64_t, 1)[lane] + (uint64_t)i->offset[1];
        struct ptx_copy c = {.insn = i,
                             .from = from,
                             .lane = lane,
                             .valid = ROW(uint32_t, 2)[lane],
                             .group = w->groups[lane]};

        c.to = ptx_shared(w, i, lane,
                          ROW(uint64_t, 0)[lane] + (uint64_t)i->offset[0],
                          i->bytes, PTX_WRITE);
        if (c.valid > i->bytes)
            ptx_fault(w, i, lane, CU_LAUNCH_FAILED, "%u bytes are valid of %u",
                      c.valid, i->bytes);
        else if (from % i->bytes)
            ptx_fault(w, i, lane, CU_MISALIGNED_ADDRESS,
                      "address %#llx is not aligned to %u bytes",
                      (unsigned long long)from, i->bytes);
        else if (c.to &&
                 (!c.valid || ptx_global(w, i, lane, from, c.valid, PTX_READ)))
            begin(w, &c);
    }
}

static void commit(struct ptx_warp *w, const struct ptx_insn *i,
                   ptx_lanes active)
{
    (void)i;
    EACH_ACTIVE
    ++w->groups[lane];
}

/* Finish what active lanes must wait for: with the newest "left" groups not
 * yet, and what has no group if "all". */
static void wait_for(struct ptx_warp *w, ptx_lanes active, uint32_t left,
                     bool all)
{
    size_t k, kept = 0;

    for (k = 0; k < w->n_copies; ++k) {
        const struct ptx_copy c = w->copies[k];
        uint64_t newest = (uint64_t)c.group + left;

        if (active >> c.lane & 1 && (all || newest < w->groups[c.lane]))
            finish(w, &c);
        else
            w->copies[kept++] = c;
    }
    w->n_copies = kept;
}

static void wait_group(struct ptx_warp *w, const struct ptx_insn *i,
                       ptx_lanes active)
{
    wait_for(w, active, (uint32_t)i->extra, false);
}

static void wait_all(struct ptx_warp *w, const struct ptx_insn *i,
                     ptx_lanes active)
{
    (void)i;
    wait_for(w, active, 0, true);
}

void ptx_copies_end(struct ptx_warp *w)
{
    free(w->copies);
    w->copies = NULL;
    w->n_copies = 0;
}

/* ---- Decoding ----------------------------------------------------------- */

const struct ptx_opcode ptx_async[] = {{"cp.async.commit_group", "", commit},
                                       {"cp.async.wait_all", "", wait_all},
                                       {NULL, NULL, NULL}};

/* cp.async.cg.shared.global [to], [from], 16, valid; */
static bool decode_copy(struct ptx_parser *p, struct ptx_statement *s,
                        struct ptx_insn *i)
{
    static const char *const sizes[] = {"4", "8", "16"};
    bool large = ptx_span_is(s->opcode, "cp.async.cg.shared.global");
    unsigned k;

    if (s->n < 3 || s->n > 4)
        return ptx_wrong(p, "%u operands", s->n);
    for (k = large ? 2 : 0; k < 3; ++k)
        if (ptx_span_is(s->operands[2], sizes[k]))
            i->bytes = (uint8_t)(4 << k);
    if (!i->bytes)
        return ptx_wrong(p, "it does not copy %.*s bytes",
                         (int)s->operands[2].size, s->operands[2].text);
    i->execute = copy;
    return ptx_address(p, s->operands[0], &i->at[0], &i->offset[0]) &&
           ptx_address(p, s->operands[1], &i->at[1], &i->offset[1]) &&
           ptx_source(p, s->operands[s->n - 1], 4, &i->at[2]);
}

bool ptx_decode_async(struct ptx_parser *p, struct ptx_statement *s,
                      struct ptx_insn *i)
{
    const struct ptx_opcode *o;
    char buffer[12] = "", *end;

    if (p->module->arch < 80)
        return ptx_wrong(p, "sm_%u has no such instruction", p->module->arch);
    if (ptx_span_is(s->opcode, "cp.async.ca.shared.global") ||
        ptx_span_is(s->opcode, "cp.async.cg.shared.global"))
        return decode_copy(p, s, i);
    if (ptx_span_is(s->opcode, "cp.async.wait_group") && s->n == 1 &&
        s->operands[0].size < sizeof buffer) {
        memcpy(buffer, s->operands[0].text, s->operands[0].size);
        i->extra = strtoul(buffer, &end, 10);
        i->execute = wait_group;
        return end != buffer && !*end ? true : ptx_wrong(p, "wrong number");
    }
    for (o = ptx_async; o->name; ++o)
        if (ptx_span_is(s->opcode, o->name) && s->n == 0) {
            i->execute = o->execute;
            return true;
        }
    return ptx_wrong(p, "unknown instruction");
}
