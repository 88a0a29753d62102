/* operands.c - from the text of an operand to its place in the frame.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "list.h"
#include "ptx.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *const ptx_specials[] = {
    "%tid.x",    "%tid.y",    "%tid.z",   "%ntid.x",  "%ntid.y",
    "%ntid.z",   "%ctaid.x",  "%ctaid.y", "%ctaid.z", "%nctaid.x",
    "%nctaid.y", "%nctaid.z", "%laneid",  NULL};

/* ---- Text --------------------------------------------------------------- */

bool ptx_span_is(struct ptx_span span, const char *text)
{
    return span.size == strlen(text) && !memcmp(span.text, text, span.size);
}

static bool same(struct ptx_span a, struct ptx_span b)
{
    return a.size == b.size && !memcmp(a.text, b.text, a.size);
}

struct ptx_span ptx_trim(struct ptx_span span)
{
    while (span.size && isspace((unsigned char)*span.text))
        ++span.text, --span.size;
    while (span.size && isspace((unsigned char)span.text[span.size - 1]))
        --span.size;
    return span;
}

unsigned ptx_split(struct ptx_span list, struct ptx_span *parts, unsigned most)
{
    unsigned n = 0, depth = 0;
    size_t from = 0, k;

    list = ptx_trim(list);
    for (k = 0; list.size && k <= list.size; ++k) {
        char c = k < list.size ? list.text[k] : ',';

        depth += c == '{' || c == '[' || c == '(';
        depth -= depth && (c == '}' || c == ']' || c == ')');
        if (c != ',' || (depth && k < list.size))
            continue;
        if (n < most)
            parts[n] = ptx_trim((struct ptx_span){list.text + from, k - from});
        ++n;
        from = k + 1;
    }
    return n;
}

unsigned ptx_group(struct ptx_span text, struct ptx_span *parts, unsigned most)
{
    unsigned n;

    if (!text.size || *text.text != '{') {
        *parts = text;
        return 1;
    }
    if (text.text[text.size - 1] != '}')
        return 0;
    n = ptx_split((struct ptx_span){text.text + 1, text.size - 2}, parts, most);
    return n <= most ? n : 0;
}

bool ptx_wrong(struct ptx_parser *p, const char *format, ...)
{
    va_list values;

    va_start(values, format);
    vsnprintf(p->why, sizeof p->why, format, values);
    va_end(values);
    return false;
}

/* ---- The frame ---------------------------------------------------------- */

uint32_t ptx_allocate(struct ptx_function *f, size_t bytes)
{
    size_t at = (f->frame_size + 63) / 64 * 64;

    f->frame_size = at + bytes;
    return (uint32_t)at;
}

/* The n of "prefix<n>"; false if "name" is not one of the register's. */
static bool numbered(const struct ptx_register *r, struct ptx_span name,
                     unsigned *number)
{
    size_t k = r->prefix.size;
    unsigned n = 0;

    if (name.size <= k || memcmp(name.text, r->prefix.text, k))
        return false;
    for (; k < name.size && isdigit((unsigned char)name.text[k]) && n < 1000000;
         ++k)
        n = n * 10 + (unsigned)(name.text[k] - '0');
    *number = n;
    return k == name.size && n < r->count;
}

static size_t row(unsigned bytes)
{
    return bytes ? (size_t)bytes * PTX_LANES : sizeof(ptx_lanes);
}

/* The newest declaration is that of the innermost scope. */
struct ptx_register *ptx_register_of(struct ptx_function *f,
                                     struct ptx_span name, uint32_t *at)
{
    size_t k;
    unsigned n = 0;

    for (k = f->n_registers; k-- > 0;) {
        struct ptx_register *r = &f->registers[k];

        if (r->count ? !numbered(r, name, &n) : !same(r->prefix, name))
            continue;
        *at = r->at + (uint32_t)(n * row(r->bytes));
        return r;
    }
    return NULL;
}

static struct ptx_variable *among(struct ptx_variable *variables, size_t n,
                                  struct ptx_span name)
{
    while (n-- > 0)
        if (same(variables[n].name, name))
            return &variables[n];
    return NULL;
}

struct ptx_variable *ptx_variable_of(struct ptx_parser *p, struct ptx_span name)
{
    struct ptx_variable *found = NULL;

    if (p->function)
        found = among(p->function->variables, p->function->n_variables, name);
    return found ? found
                 : among(p->module->variables, p->module->n_variables, name);
}

bool ptx_is_of_kernel(const struct ptx_function *f,
                      const struct ptx_variable *v)
{
    return f->is_entry && v >= f->variables && v < f->variables + f->n_params;
}

static bool constant(struct ptx_parser *p, uint64_t value, unsigned bytes,
                     uint32_t *at)
{
    struct ptx_function *f = p->function;
    size_t k;

    for (k = 0; k < f->n_constants; ++k)
        if (f->constants[k].value == value && f->constants[k].bytes == bytes) {
            *at = f->constants[k].at;
            return true;
        }
    if (!GROW(f->constants, f->n_constants))
        return ptx_wrong(p, "no memory");
    *at = ptx_allocate(f, row(bytes));
    f->constants[f->n_constants++] =
        (struct ptx_constant){.at = *at, .bytes = bytes, .value = value};
    return true;
}

static bool special(struct ptx_parser *p, struct ptx_span name, uint32_t *at)
{
    struct ptx_function *f = p->function;
    unsigned number;
    size_t k;

    for (number = 0; ptx_specials[number]; ++number)
        if (ptx_span_is(name, ptx_specials[number]))
            break;
    if (!ptx_specials[number])
        return ptx_wrong(p, "unknown operand %.*s", (int)name.size, name.text);
    for (k = 0; k < f->n_specials; ++k)
        if (f->specials[k].number == number) {
            *at = f->specials[k].at;
            return true;
        }
    if (!GROW(f->specials, f->n_specials))
        return ptx_wrong(p, "no memory");
    *at = ptx_allocate(f, row(4));
    f->specials[f->n_specials++] =
        (struct ptx_special){.at = *at, .number = number};
    return true;
}

/* ---- Operands ----------------------------------------------------------- */

/* 0f and 0d with the bits of a float and a double; decimal, hexadecimal and
 * octal integers, of which the low "bytes" bytes count. */
static bool number(struct ptx_parser *p, struct ptx_span text, unsigned bytes,
                   uint64_t *value)
{
    char buffer[40], *end;
    unsigned digits = 0;

    if (text.size >= sizeof buffer)
        return ptx_wrong(p, "unknown operand %.*s", 30, text.text);
    memcpy(buffer, text.text, text.size);
    buffer[text.size] = '\0';
    if (buffer[0] == '0' && strchr("fFdD", buffer[1]) && buffer[1])
        digits = tolower((unsigned char)buffer[1]) == 'f' ? 8 : 16;
    if (digits) {
        if (text.size != digits + 2 || bytes != digits / 2)
            return ptx_wrong(p, "%s is not a number of %u bytes", buffer,
                             bytes);
        *value = strtoull(buffer + 2, &end, 16);
    } else {
        *value = buffer[0] == '-' ? 0 - strtoull(buffer + 1, &end, 0)
                                  : strtoull(buffer, &end, 0);
        if (*end == 'U')
            ++end;
    }
    if (*end)
        return ptx_wrong(p, "unknown operand %s", buffer);
    if (bytes && bytes < 8)
        *value &= ((uint64_t)1 << 8 * bytes) - 1;
    if (!bytes)
        *value = *value ? PTX_ALL : 0;
    return true;
}

static bool sized(struct ptx_parser *p, const struct ptx_register *r,
                  struct ptx_span name, unsigned bytes)
{
    return r->bytes == bytes ||
           ptx_wrong(p, "register %.*s has %u bits, not %u", (int)name.size,
                     name.text, r->bytes ? 8 * r->bytes : 1,
                     bytes ? 8 * bytes : 1);
}

bool ptx_source(struct ptx_parser *p, struct ptx_span text, unsigned bytes,
                uint32_t *at)
{
    struct ptx_variable *v;
    struct ptx_register *r;
    uint64_t value;

    if (!text.size)
        return ptx_wrong(p, "an operand is missing");
    if (isdigit((unsigned char)*text.text) || *text.text == '-')
        return number(p, text, bytes, &value) && constant(p, value, bytes, at);
    r = ptx_register_of(p->function, text, at);
    if (r)
        return sized(p, r, text, bytes);
    v = ptx_variable_of(p, text);
    if (v && (v->space != PTX_PARAM || ptx_is_of_kernel(p->function, v))) {
        p->function->uses_dynamic |= v->is_dynamic;
        return bytes == 8
                   ? constant(p, v->address, 8, at)
                   : ptx_wrong(p, "an address has 64 bits, not %u", 8 * bytes);
    }
    if (bytes != 4)
        return ptx_wrong(p, "unknown operand %.*s", (int)text.size, text.text);
    return special(p, text, at);
}

bool ptx_destination(struct ptx_parser *p, struct ptx_span text, unsigned bytes,
                     uint32_t *at)
{
    struct ptx_register *r;

    if (ptx_span_is(text, "_")) {
        *at = ptx_allocate(p->function, row(bytes));
        return true;
    }
    r = ptx_register_of(p->function, text, at);
    if (!r)
        return ptx_wrong(p, "unknown register %.*s", (int)text.size, text.text);
    return sized(p, r, text, bytes);
}

bool ptx_address(struct ptx_parser *p, struct ptx_span text, uint32_t *at,
                 int64_t *offset)
{
    struct ptx_span base, rest;
    uint64_t value = 0;
    size_t k;

    if (text.size < 3 || *text.text != '[' || text.text[text.size - 1] != ']')
        return ptx_wrong(p, "%.*s is not an address", (int)text.size,
                         text.text);
    text = ptx_trim((struct ptx_span){text.text + 1, text.size - 2});
    for (k = 0; k < text.size && !strchr("+-", text.text[k]); ++k)
        ;
    base = ptx_trim((struct ptx_span){text.text, k});
    rest = ptx_trim((struct ptx_span){text.text + k, text.size - k});
    if (rest.size && *rest.text == '+')
        rest = ptx_trim((struct ptx_span){rest.text + 1, rest.size - 1});
    if (rest.size && !number(p, rest, 8, &value))
        return false;
    *offset = (int64_t)value;
    return ptx_source(p, base, 8, at);
}
