/* machine.c - see polygpu/machine.h.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "polygpu/machine.h"

#include "internal.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

static const struct pg_machine machines[] = {
    {"sm_75 (Titan RTX)", 75, 72, 65536, 255, 1024, 16, 32, 65536, 65536, 6144,
     672, 16300, 510},
    {"sm_80 (A100)", 80, 108, 65536, 255, 2048, 32, 32, 167936, 166912, 40960,
     1555, 19500, 9700},
    {"sm_86 (A40)", 86, 84, 65536, 255, 1536, 16, 32, 102400, 101376, 6144, 696,
     37400, 585},
    {"sm_87 (Orin)", 87, 16, 65536, 255, 1536, 16, 32, 167936, 166912, 4096,
     204, 5300, 83},
    {"sm_88", 88, 16, 65536, 255, 1536, 16, 32, 167936, 166912, 4096, 204, 5300,
     83},
    {"sm_89 (L40)", 89, 142, 65536, 255, 1536, 24, 32, 102400, 101376, 98304,
     864, 90500, 1414},
    {"sm_90 (H200)", 90, 132, 65536, 255, 2048, 32, 32, 233472, 232448, 51200,
     4800, 63600, 32500},
    {"sm_100 (B200)", 100, 148, 65536, 255, 2048, 32, 32, 233472, 232448,
     129024, 8000, 75000, 37000},
    {"sm_103 (B300)", 103, 148, 65536, 255, 2048, 32, 32, 233472, 232448,
     129024, 8000, 75000, 1200},
    {"sm_110 (Thor)", 110, 20, 65536, 255, 1536, 24, 32, 233472, 232448, 32768,
     273, 8000, 125},
    {"sm_120 (RTX 5090)", 120, 170, 65536, 255, 1536, 24, 32, 102400, 101376,
     98304, 1792, 104800, 1637},
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

#define FIELD(name, least, most)                                               \
    {#name, offsetof(struct pg_machine, name), least, most}

/* What a file may set. */
static const struct field {
    const char *name;
    size_t offset;
    unsigned least, most;
} fields[] = {
    FIELD(multiprocessors, 1, 100000),
    FIELD(registers, 1024, 1 << 24),
    FIELD(thread_registers, 16, 1024),
    FIELD(threads, 32, 1 << 16),
    FIELD(blocks, 1, 1 << 16),
    FIELD(warp, 32, 32),
    FIELD(shared, 1024, 1 << 24),
    FIELD(block_shared, 1024, 1 << 24),
    FIELD(l2, 1, 1 << 24),
    FIELD(bandwidth, 1, 1 << 24),
    FIELD(single_rate, 1, 1 << 30),
    FIELD(double_rate, 1, 1 << 30),
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
