/* machine.c - settings, random numbers and faults.
 *
 * The settings are a list like "warps=random,seed=7":
 *
 *   warps    lockstep, forward, backward or random: one instruction of each
 *            warp in turn; one warp to its barrier, then the next one (before
 *            it); any warp for a while
 *   blocks   forward, backward or random
 *   seed     of all that is random, and of what memory and registers hold
 *            before they are written
 *   width    threads in lockstep, 1 to 32
 *   arch     of the device, like 90; without it what the module was made for
 *   shared   checked or unchecked: whether reading shared memory that nobody
 *            wrote is an error
 *   async    late or early: when asynchronous copies are done
 *   contraction  error or off: whether arithmetic without a rounding, which
 *            ptxas may fuse, is an error
 *   orders   one or all: each launch is executed in several orders, which have
 *            to give the same; warps, blocks, width and async mean nothing then
 *   profile  off or on: print at exit what was executed
 *   ptxas    path of ptxas, which counts the registers of kernels; without it
 *            launches that need too many are not noticed
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "machine.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { GARBAGE = 1 << 16 };

/* ---- Settings ----------------------------------------------------------- */

/* The position of "value" in "names", which blanks separate; -1 if it is not
 * one of them. */
static int choice(struct ptx_span value, const char *names)
{
    int n = 0;

    while (*names) {
        size_t size = strcspn(names, " ");

        if (value.size == size && !memcmp(value.text, names, size))
            return n;
        names += size + (names[size] == ' ');
        ++n;
    }
    return -1;
}

static bool number(struct ptx_span value, uint64_t least, uint64_t most,
                   uint64_t *result)
{
    size_t k;

    for (k = 0, *result = 0; k < value.size && k < 19; ++k) {
        if (value.text[k] < '0' || value.text[k] > '9')
            return false;
        *result = *result * 10 + (uint64_t)(value.text[k] - '0');
    }
    return value.size && k == value.size && *result >= least && *result <= most;
}

static bool set_choice(struct ptx_settings *s, struct ptx_span name,
                       struct ptx_span value)
{
    int k;

    if (ptx_span_is(name, "warps")) {
        k = choice(value, "lockstep forward backward random");
        s->warps = (enum ptx_order)k;
    } else if (ptx_span_is(name, "blocks")) {
        k = choice(value, "- forward backward random");
        k = k ? k : -1;
        s->blocks = (enum ptx_order)k;
    } else if (ptx_span_is(name, "shared")) {
        k = choice(value, "checked unchecked");
        s->uninitialised = k == 1;
    } else if (ptx_span_is(name, "async")) {
        k = choice(value, "late early");
        s->early = k == 1;
    } else if (ptx_span_is(name, "contraction")) {
        k = choice(value, "error off");
        s->no_contraction = k == 1;
    } else if (ptx_span_is(name, "orders")) {
        k = choice(value, "one all");
        s->all_orders = k == 1;
    } else if (ptx_span_is(name, "streams")) {
        k = choice(value, "early late");
        s->late_streams = k == 1;
    } else if (ptx_span_is(name, "profile")) {
        k = choice(value, "off on");
        s->profile = k == 1;
    } else {
        return false;
    }
    return k >= 0;
}

static bool set(struct ptx_settings *s, struct ptx_span name,
                struct ptx_span value)
{
    uint64_t n;

    if (ptx_span_is(name, "seed"))
        return number(value, 0, UINT64_MAX, &s->seed);
    if (ptx_span_is(name, "width")) {
        if (!number(value, 1, PTX_LANES, &n) || PTX_LANES % n)
            return false;
        s->width = (unsigned)n;
        return true;
    }
    if (ptx_span_is(name, "arch")) {
        if (!number(value, 70, 999, &n))
            return false;
        s->arch = (unsigned)n;
        return true;
    }
    if (ptx_span_is(name, "ptxas")) { /* in quotes on a command line */
        if (!value.size || value.size >= sizeof s->ptxas ||
            memchr(value.text, '\'', value.size))
            return false;
        memcpy(s->ptxas, value.text, value.size);
        return true;
    }
    return set_choice(s, name, value);
}

static bool read_settings(struct ptx_settings *s, const char *text, char *error,
                          size_t size)
{
    while (text && *text) {
        size_t n = strcspn(text, ","), k = strcspn(text, "=,");
        struct ptx_span name = {text, k};
        struct ptx_span value = {text + k + (k < n), n - k - (k < n)};

        if (!set(s, name, value)) {
            snprintf(error, size,
                     "PTX_MACHINE: '%.*s' is not one of warps=lockstep, "
                     "forward, backward, random; blocks=forward, backward, "
                     "random; width=1, 2, 4, 8, 16, 32; shared=checked, "
                     "unchecked; async=late, early; orders=one, all; "
                     "streams=early, late; profile=off, on; seed=N; arch=N; "
                     "ptxas=PATH",
                     (int)(n < 40 ? n : 40), text);
            return false;
        }
        text += n + (text[n] == ',');
    }
    return true;
}

/* ---- The machine -------------------------------------------------------- */

uint64_t ptx_random(struct ptx_machine *m)
{
    uint64_t x = m->random += 0x9e3779b97f4a7c15u;

    x = (x ^ (x >> 31)) * 0xd6e8feb86659fd93u;
    x = (x ^ (x >> 29)) * 0xd6e8feb86659fd93u;
    return x ^ (x >> 32);
}

struct ptx_machine *ptx_machine_new(const char *settings, char *error,
                                    size_t size)
{
    struct ptx_machine *m = calloc(1, sizeof *m);
    size_t k;

    snprintf(error, size, "PTX machine: no memory");
    if (!m || !(m->garbage = malloc(GARBAGE))) {
        free(m);
        return NULL;
    }
    m->settings = (struct ptx_settings){
        .warps = PTX_FORWARD, .blocks = PTX_FORWARD, .width = PTX_LANES};
    if (!read_settings(&m->settings, settings, error, size)) {
        ptx_machine_free(m);
        return NULL;
    }
    m->random = m->settings.seed;
    for (k = 0; k < GARBAGE; k += sizeof(uint64_t)) {
        uint64_t value = ptx_random(m);

        memcpy(m->garbage + k, &value, sizeof value);
    }
    return m;
}

void ptx_machine_free(struct ptx_machine *m)
{
    if (!m)
        return;
    while (m->n_arrays)
        ptx_array_free(m, m->arrays[0].address);
    free(m->arrays);
    free(m->garbage);
    free(m);
}

void ptx_garbage(struct ptx_machine *m, void *to, size_t size)
{
    char *at = to;
    size_t from = ptx_random(m) % GARBAGE;

    while (size) {
        size_t n = GARBAGE - from < size ? GARBAGE - from : size;

        memcpy(at, m->garbage + from, n);
        at += n;
        size -= n;
        from = 0;
    }
}

/* ---- Faults ------------------------------------------------------------- */

/* The statement in one line. */
static void print_statement(char *to, size_t size, struct ptx_span text)
{
    size_t n = 0, k;

    for (k = 0; k < text.size && n + 1 < size; ++k) {
        char c = text.text[k];

        if (c == '\n' || c == '\t')
            c = ' ';
        if (c != ' ' || (n && to[n - 1] != ' '))
            to[n++] = c;
    }
    to[n] = '\0';
}

void ptx_fault(struct ptx_warp *w, const struct ptx_insn *i, unsigned lane,
               int error, const char *format, ...)
{
    struct ptx_block *b = w->block;
    struct ptx_machine *m = b->machine;
    unsigned thread = w->first + lane, x = b->threads[0], y = b->threads[1];
    char what[200], statement[120];
    va_list values;

    if (m->fault)
        return;
    m->fault = error;
    va_start(values, format);
    vsnprintf(what, sizeof what, format, values);
    va_end(values);
    print_statement(statement, sizeof statement, i->text);
    snprintf(m->why, sizeof m->why,
             "kernel %.*s, PTX line %u '%s', block %u,%u,%u thread %u,%u,%u: "
             "%s",
             (int)(b->kernel->name.size < 80 ? b->kernel->name.size : 80),
             b->kernel->name.text, i->line, statement, b->id[0], b->id[1],
             b->id[2], thread % x, thread / x % y, thread / x / y, what);
}
