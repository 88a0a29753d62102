/* memory.c - ld and st.
 *
 * A vector is accessed as a whole: all of it is aligned, or none.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "lanes.h"

/* ---- Execution ---------------------------------------------------------- */

typedef void *resolve(struct ptx_warp *w, const struct ptx_insn *i,
                      unsigned lane, uint64_t address, unsigned bytes,
                      enum ptx_access access);

static void *generic(struct ptx_warp *w, const struct ptx_insn *i,
                     unsigned lane, uint64_t address, unsigned bytes,
                     enum ptx_access access)
{
    if (address - PTX_SHARED_WINDOW < PTX_WINDOW_SIZE)
        return ptx_shared(w, i, lane, address - PTX_SHARED_WINDOW, bytes,
                          access);
    if (address - PTX_LOCAL_WINDOW < PTX_WINDOW_SIZE)
        return ptx_local(w, i, lane, address - PTX_LOCAL_WINDOW, bytes, access);
    return ptx_global(w, i, lane, address, bytes, access);
}

/* One element of a vector into a row whose elements may be wider. */
static inline void put(char *row, unsigned lane, const char *from,
                       const struct ptx_insn *i)
{
    uint64_t value = 0;

    if (i->bytes == 8) { /* and so is what it goes to */
        memcpy(row + lane * 8, from, 8);
        return;
    }
    if (i->bytes == 4)
        memcpy(&value, from, 4);
    else
        memcpy(&value, from, i->bytes);
    if (i->is_signed && value >> (8 * i->bytes - 1))
        value |= UINT64_MAX << (8 * i->bytes - 1);
    if (i->wide == 4)
        memcpy(row + lane * 4, &value, 4);
    else
        memcpy(row + lane * i->wide, &value, i->wide);
}

static inline void load(struct ptx_warp *w, const struct ptx_insn *i,
                        ptx_lanes active, resolve *at, enum ptx_access access)
{
    const uint64_t *base = ROW(uint64_t, PTX_OPERANDS - 1);
    unsigned k, bytes = (unsigned)i->bytes * i->elements;

    EACH_ACTIVE
    {
        const char *from =
            at(w, i, lane, base[lane] + (uint64_t)i->offset[0], bytes, access);

        if (!from)
            return;
        if (i->bytes == 4 && i->wide == 4)
            for (k = 0; k < i->elements; ++k)
                memcpy(ROW(char, k) + lane * 4, from + k * 4, 4);
        else if (i->bytes == 8)
            for (k = 0; k < i->elements; ++k)
                memcpy(ROW(char, k) + lane * 8, from + k * 8, 8);
        else
            for (k = 0; k < i->elements; ++k)
                put(ROW(char, k), lane, from + k * i->bytes, i);
    }
}

static inline void store(struct ptx_warp *w, const struct ptx_insn *i,
                         ptx_lanes active, resolve *at, enum ptx_access access)
{
    const uint64_t *base = ROW(uint64_t, PTX_OPERANDS - 1);
    unsigned k, bytes = (unsigned)i->bytes * i->elements;

    EACH_ACTIVE
    {
        char *to =
            at(w, i, lane, base[lane] + (uint64_t)i->offset[0], bytes, access);

        if (!to)
            return;
        if (i->bytes == 4)
            for (k = 0; k < i->elements; ++k)
                memcpy(to + k * 4, ROW(char, k) + lane * i->wide, 4);
        else if (i->bytes == 8)
            for (k = 0; k < i->elements; ++k)
                memcpy(to + k * 8, ROW(char, k) + lane * 8, 8);
        else
            for (k = 0; k < i->elements; ++k)
                memcpy(to + k * i->bytes, ROW(char, k) + lane * i->wide,
                       i->bytes);
    }
}

#define ACCESSES(name, resolve, access)                                        \
    static void load_##name(struct ptx_warp *w, const struct ptx_insn *i,      \
                            ptx_lanes active)                                  \
    {                                                                          \
        load(w, i, active, resolve, access);                                   \
    }
#define STORES(name, resolve, access)                                          \
    static void store_##name(struct ptx_warp *w, const struct ptx_insn *i,     \
                             ptx_lanes active)                                 \
    {                                                                          \
        store(w, i, active, resolve, access);                                  \
    }

ACCESSES(generic, generic, PTX_READ)
ACCESSES(global, ptx_global, PTX_READ)
ACCESSES(read_only, ptx_global, PTX_READ_ONLY)
ACCESSES(relaxed, ptx_global, PTX_ATOMIC)
ACCESSES(shared, ptx_shared, PTX_READ)
ACCESSES(local, ptx_local, PTX_READ)
ACCESSES(param_at, ptx_param, PTX_READ)
STORES(generic, generic, PTX_WRITE)
STORES(global, ptx_global, PTX_WRITE)
STORES(relaxed, ptx_global, PTX_ATOMIC)
STORES(shared, ptx_shared, PTX_WRITE)
STORES(local, ptx_local, PTX_WRITE)

/* A parameter of the kernel, the same for all lanes, at offset[0]. */
static void load_kernel_param(struct ptx_warp *w, const struct ptx_insn *i,
                              ptx_lanes active)
{
    const char *from = (const char *)w->block->params + i->offset[0];
    unsigned k;

    EACH_ACTIVE
    for (k = 0; k < i->elements; ++k)
        put(ROW(char, k), lane, from + k * i->bytes, i);
}

/* A parameter of a function: each lane has "extra" bytes of it in the frame. */
static char *param_of(struct ptx_warp *w, const struct ptx_insn *i,
                      unsigned lane)
{
    return ROW(char, PTX_OPERANDS - 1) + lane * i->extra + i->offset[0];
}

static void load_param(struct ptx_warp *w, const struct ptx_insn *i,
                       ptx_lanes active)
{
    unsigned k;

    EACH_ACTIVE
    for (k = 0; k < i->elements; ++k)
        put(ROW(char, k), lane, param_of(w, i, lane) + k * i->bytes, i);
}

static void store_param(struct ptx_warp *w, const struct ptx_insn *i,
                        ptx_lanes active)
{
    unsigned k;

    EACH_ACTIVE
    for (k = 0; k < i->elements; ++k)
        memcpy(param_of(w, i, lane) + k * i->bytes,
               ROW(char, k) + lane * i->wide, i->bytes);
}

/* ---- Decoding ----------------------------------------------------------- */

struct access {
    enum ptx_space space;
    bool is_load, read_only, relaxed;
};

/* The next word between points. */
static struct ptx_span next(struct ptx_span *rest)
{
    struct ptx_span word = *rest;
    const char *point = memchr(rest->text, '.', rest->size);

    if (point)
        word.size = (size_t)(point - rest->text);
    rest->text += word.size + (point != NULL);
    rest->size -= word.size + (point != NULL);
    return word;
}

static bool type_of(struct ptx_span type, struct ptx_insn *i)
{
    static const char *const digits[] = {"8", "16", "32", "64"};
    unsigned k;

    if (type.size < 2 || !memchr("busf", *type.text, 4))
        return false;
    for (k = 0; k < 4; ++k)
        if (ptx_span_is((struct ptx_span){type.text + 1, type.size - 1},
                        digits[k])) {
            i->bytes = (uint8_t)(1 << k);
            i->is_signed = *type.text == 's';
            return true;
        }
    return false;
}

/* ld.SPACE.nc.v4.b32, where all but the type may be missing,
 * ld and st.relaxed.gpu.global.b32, or st.volatile.global.b32, which is no
 * less. */
static bool modifiers(struct ptx_statement *s, struct access *a,
                      struct ptx_insn *i)
{
    static const char *const spaces[] = {
        [PTX_GENERIC] = "",    [PTX_GLOBAL] = "global", [PTX_SHARED] = "shared",
        [PTX_LOCAL] = "local", [PTX_PARAM] = "param",   [PTX_CONST] = "const"};
    struct ptx_span rest = s->opcode, word;
    unsigned k;

    a->is_load = *next(&rest).text == 'l';
    word = next(&rest);
    a->relaxed = ptx_span_is(word, "relaxed");
    if (a->relaxed && ptx_span_is(next(&rest), "gpu")) {
        word = next(&rest);
    } else if (!a->is_load && ptx_span_is(word, "volatile")) {
        a->relaxed = true;
        word = next(&rest);
    }
    for (k = 0; k < PTX_SPACES; ++k)
        if (ptx_span_is(word, spaces[k])) {
            a->space = k;
            word = next(&rest);
        }
    a->read_only =
        a->is_load && a->space == PTX_GLOBAL && ptx_span_is(word, "nc");
    if (a->read_only)
        word = next(&rest);
    i->elements = ptx_span_is(word, "v2") ? 2 : ptx_span_is(word, "v4") ? 4 : 1;
    if (i->elements > 1)
        word = next(&rest);
    return !rest.size && type_of(word, i) && i->bytes * i->elements <= 16 &&
           (a->is_load || a->space != PTX_CONST) &&
           (!a->relaxed || (a->space == PTX_GLOBAL && i->elements == 1));
}

static bool names_register(struct ptx_parser *p, struct ptx_span text)
{
    size_t k;
    uint32_t ignored;

    for (k = 0; k < text.size && !memchr("+]", text.text[k], 2); ++k)
        ;
    return k &&
           ptx_register_of(p->function,
                           ptx_trim((struct ptx_span){text.text + 1, k - 1}),
                           &ignored);
}

/* "[name+offset]" in the space of parameters. */
static bool param_address(struct ptx_parser *p, struct ptx_span text,
                          struct ptx_insn *i, bool *of_kernel)
{
    struct ptx_function *f = p->function;
    struct ptx_variable *v;
    struct ptx_span name;
    size_t k;
    char *end;

    if (text.size < 3 || *text.text != '[')
        return ptx_wrong(p, "not an address");
    text = ptx_trim((struct ptx_span){text.text + 1, text.size - 2});
    for (k = 0; k < text.size && text.text[k] != '+'; ++k)
        ;
    name = ptx_trim((struct ptx_span){text.text, k});
    v = ptx_variable_of(p, name);
    if (!v || v->space != PTX_PARAM)
        return ptx_wrong(p, "unknown parameter %.*s", (int)name.size,
                         name.text);
    if (k < text.size)
        i->offset[0] = strtol(text.text + k + 1, &end, 0);
    if (i->offset[0] < 0 ||
        (size_t)i->offset[0] + i->bytes * i->elements > v->size)
        return ptx_wrong(p, "outside of the parameter");
    *of_kernel = ptx_is_of_kernel(f, v);
    if (*of_kernel)
        i->offset[0] += (int64_t)v->address;
    i->at[PTX_OPERANDS - 1] = v->at;
    i->extra = v->size;
    return true;
}

/* Registers may be wider than what is accessed. */
static uint8_t register_bytes(struct ptx_parser *p, struct ptx_span name,
                              const struct ptx_insn *i)
{
    uint32_t ignored;
    const struct ptx_register *r = ptx_register_of(p->function, name, &ignored);
    uint8_t least = i->bytes == 1 ? 2 : i->bytes;

    return r && r->bytes > least ? (uint8_t)r->bytes : least;
}

static bool values(struct ptx_parser *p, struct ptx_span text, bool is_load,
                   struct ptx_insn *i)
{
    struct ptx_span parts[4];
    unsigned n = ptx_group(text, parts, 4), k;

    if (n != i->elements)
        return ptx_wrong(p, "%u registers instead of %u", n, i->elements);
    i->wide = register_bytes(p, parts[0], i);
    for (k = 0; k < n; ++k)
        if (is_load ? !ptx_destination(p, parts[k], i->wide, &i->at[k])
                    : !ptx_source(p, parts[k], i->wide, &i->at[k]))
            return false;
    return true;
}

static ptx_execute *function_of(const struct access *a)
{
    static ptx_execute *const loads[] = {load_generic, load_global,
                                         load_shared,  load_local,
                                         load_param,   load_global};
    static ptx_execute *const stores[] = {
        store_generic, store_global, store_shared, store_local, store_param};

    if (a->read_only)
        return load_read_only;
    if (a->relaxed)
        return a->is_load ? load_relaxed : store_relaxed;
    return a->is_load ? loads[a->space] : stores[a->space];
}

bool ptx_decode_memory(struct ptx_parser *p, struct ptx_statement *s,
                       struct ptx_insn *i)
{
    struct access a = {.space = PTX_GENERIC};
    struct ptx_span address;
    bool of_kernel = false;

    if (!modifiers(s, &a, i))
        return ptx_wrong(p, "unknown instruction");
    if (s->n != 2)
        return ptx_wrong(p, "%u operands instead of 2", s->n);
    address = s->operands[a.is_load];
    i->execute = function_of(&a);
    if (!values(p, s->operands[!a.is_load], a.is_load, i))
        return false;
    if (i->bytes < p->module->granule &&
        (a.space == PTX_GLOBAL || a.space == PTX_GENERIC))
        p->module->granule = i->bytes;
    if (a.space == PTX_PARAM && a.is_load && p->function->is_entry &&
        names_register(p, address)) {
        i->execute = load_param_at;
        a.space = PTX_GENERIC;
    }
    if (a.space != PTX_PARAM)
        return ptx_address(p, address, &i->at[PTX_OPERANDS - 1], &i->offset[0]);
    if (!param_address(p, address, i, &of_kernel))
        return false;
    if (of_kernel && !a.is_load)
        return ptx_wrong(p, "a kernel's parameter is written");
    if (of_kernel)
        i->execute = load_kernel_param;
    return true;
}
