/* machine.c - see polygpu/machine.h.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "support/machine.h"
#include "polygpu/machine.h"
#include "polygpu/polyhedral.h"
#include "support/text.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* In the order of the fields. */
static const struct pg_machine machines[] = {
    {"sm_75", 75, 65536, 255, 1024, 16, 32, 65536, 65536, 40, 1590, 64, 2, 320,
     4096},
    {"sm_80", 80, 65536, 255, 2048, 32, 32, 167936, 166912, 108, 1410, 64, 32,
     2039, 40960},
    {"sm_86", 86, 65536, 255, 1536, 16, 32, 102400, 101376, 84, 1800, 128, 2,
     768, 6144},
    {"sm_87", 87, 65536, 255, 1536, 16, 32, 167936, 166912, 16, 1300, 128, 2,
     205, 4096},
    {"sm_89", 89, 65536, 255, 1536, 24, 32, 102400, 101376, 142, 2490, 128, 2,
     864, 98304},
    {"sm_90", 90, 65536, 255, 2048, 32, 32, 233472, 232448, 132, 1980, 128, 64,
     4800, 51200},
    {"sm_100", 100, 65536, 255, 2048, 32, 32, 233472, 232448, 148, 1965, 128,
     64, 8000, 129024},
    {"sm_120", 120, 65536, 255, 1536, 24, 32, 102400, 101376, 170, 2407, 128, 2,
     1792, 98304},
};

/* The entry for compute capability "arch", or for the newest one that is not
 * newer; the oldest if all are.
 */
const struct pg_machine *pg_machine_find(unsigned arch)
{
    const struct pg_machine *best = &machines[0];

    for (size_t i = 0; i < sizeof(machines) / sizeof(*machines); i++)
        if (machines[i].arch <= arch)
            best = &machines[i];
    return best;
}

/* The machine that "options" are for. */
const struct pg_machine *pg_machine_of(const struct pg_options *options)
{
    return options->machine ? options->machine : pg_machine_find(0);
}

/* Bytes of shared memory that a block may take: so many that two have room, as
 * far as that needs permission, which old devices are not asked for.
 */
unsigned long pg_shared_of_block(const struct pg_machine *machine)
{
    unsigned long half = machine->shared / 2;

    if (machine->arch < PG_ASYNC_ARCH || half < PG_RESERVED_SHARED)
        return PG_STATIC_SHARED;
    half -= PG_RESERVED_SHARED;
    half = half < machine->block_shared ? half : machine->block_shared;
    return half > PG_STATIC_SHARED ? half : PG_STATIC_SHARED;
}

#define FIELD(name, least, most)                                               \
    {#name, offsetof(struct pg_machine, name), least, most}

/* What a file may set. */
static const struct field {
    const char *name;
    size_t offset;
    unsigned least, most;
} fields[] = {
    FIELD(registers, 1024, 1 << 24),
    FIELD(thread_registers, 16, 1024),
    FIELD(threads, 32, 1 << 16),
    FIELD(blocks, 1, 1 << 16),
    FIELD(warp, 32, 32),
    FIELD(shared, 1024, 1 << 24),
    FIELD(block_shared, 1024, 1 << 24),
    FIELD(multiprocessors, 1, 1 << 16),
    FIELD(clock, 1, 1 << 16),
    FIELD(fma_float, 1, 1 << 16),
    FIELD(fma_double, 1, 1 << 16),
    FIELD(bandwidth, 1, 1 << 20),
    FIELD(l2, 1, 1 << 24),
};

/* Set what "name" says to "value"; NULL or a malloc'ed sentence. */
static char *set_field(struct pg_machine *machine, const char *name,
                       const char *value, unsigned line)
{
    struct pg_text text = {0};
    unsigned long number;
    char *end;

    if (!strcmp(name, "name")) {
        strncpy(machine->name, value, sizeof(machine->name) - 1);
        return NULL;
    }
    for (size_t i = 0; i < sizeof(fields) / sizeof(*fields); i++) {
        const struct field *f = &fields[i];

        if (strcmp(name, f->name) != 0)
            continue;
        number = strtoul(value, &end, 10);
        if (end == value || *end || *value == '-' || number < f->least ||
            number > f->most)
            return pg_format("line %u: '%s' is '%s'; allowed is a number from "
                             "%u to %u",
                             line, name, value, f->least, f->most);
        *(unsigned *)((char *)machine + f->offset) = (unsigned)number;
        return NULL;
    }
    pg_text_add(&text,
                "line %u: '%s' is no property of a machine; allowed are "
                "name",
                line, name);
    for (size_t i = 0; i < sizeof(fields) / sizeof(*fields); i++)
        pg_text_add(&text, ", %s", fields[i].name);
    return pg_text_take(&text);
}

/* "string" without white space around it. */
static char *trim(char *string)
{
    size_t n;

    string += strspn(string, " \t\r");
    n = strlen(string);
    while (n > 0 && strchr(" \t\r", string[n - 1]))
        string[--n] = '\0';
    return string;
}

/* Change "machine" to what "text" says.  NULL or a malloc'ed sentence. */
char *pg_machine_read(struct pg_machine *machine, const char *text)
{
    char *copy = pg_strdup(text), *at = copy, *error = NULL;

    for (unsigned line = 1; !error && at; line++) {
        char *next = strchr(at, '\n'), *value;

        if (next)
            *next++ = '\0';
        at[strcspn(at, "#")] = '\0';
        at = trim(at);
        value = strchr(at, '=');
        if (value) {
            *value++ = '\0';
            error = set_field(machine, trim(at), trim(value), line);
        } else if (*at) {
            error = pg_format("line %u: '%s' is not NAME = NUMBER", line, at);
        }
        at = next;
    }
    free(copy);
    return error;
}
