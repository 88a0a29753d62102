/* test_machine.c - the table of machines, and files that describe others.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include <polygpu/machine.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static unsigned failures;

static void complain(const char *what, const char *text)
{
    printf("FAIL %s: %s\n", what, text ? text : "");
    failures++;
}

static void check_find(void)
{
    static const struct {
        unsigned arch, found;
    } cases[] = {{0, 75},    {70, 75},   {75, 75},  {79, 75},   {80, 80},
                 {85, 80},   {90, 90},   {99, 90},  {100, 100}, {101, 100},
                 {119, 100}, {120, 120}, {999, 120}};

    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        const struct pg_machine *machine = pg_machine_find(cases[i].arch);

        if (!machine || machine->arch != cases[i].found)
            complain("find", machine ? machine->name : "nothing");
    }
}

/* Every entry makes sense: the figures that no device is without. */
static void check_table(void)
{
    const struct pg_machine *last = NULL;

    for (unsigned arch = 0; arch < 200; arch++) {
        const struct pg_machine *m = pg_machine_find(arch);

        if (m == last)
            continue;
        last = m;
        if (!*m->name || m->warp != 32 || m->registers < 65536 ||
            m->thread_registers != 255 || m->threads % m->warp ||
            m->threads < 1024 || m->blocks == 0 ||
            m->block_shared > m->shared || m->block_shared < 49152 ||
            m->multiprocessors == 0 || m->clock < 1000 || m->clock > 3000 ||
            m->fma_float < 64 || m->fma_double < 2 ||
            m->fma_double > m->fma_float || m->bandwidth < 200 || m->l2 < 4096)
            complain("table", m->name);
    }
}

/* A good file: comments, white space, empty lines, the last line without end;
 * what it does not say stays.
 */
static void check_good(void)
{
    static const char text[] = "# a device\n"
                               "name = My device # not for sale\r\n"
                               "\n"
                               "   \t\n"
                               "blocks=7\n"
                               "  shared\t=  65536  # bytes\n"
                               "#shared = 1024\n"
                               "warp = 32\n"
                               "multiprocessors = 3\n"
                               "clock = 1000\nfma_double = 7\n"
                               "bandwidth = 100\nl2 = 1\n"
                               "thread_registers = 128";
    struct pg_machine machine = *pg_machine_find(80), before = machine;
    char *error = pg_machine_read(&machine, text);

    if (error)
        complain("good file", error);
    free(error);
    if (strcmp(machine.name, "My device") != 0)
        complain("good file: name", machine.name);
    if (machine.blocks != 7 || machine.shared != 65536 || machine.warp != 32 ||
        machine.thread_registers != 128 || machine.multiprocessors != 3 ||
        machine.clock != 1000 || machine.fma_double != 7 ||
        machine.bandwidth != 100 || machine.l2 != 1)
        complain("good file", "other numbers");
    if (machine.fma_float != before.fma_float || machine.arch != before.arch ||
        machine.registers != before.registers ||
        machine.threads != before.threads ||
        machine.block_shared != before.block_shared)
        complain("good file", "other fields have changed");
    error = pg_machine_read(&machine, "");
    if (error)
        complain("empty file", error);
    free(error);
}

/* A name too long for the field is cut, and a shorter one leaves nothing of the
 * one before.
 */
static void check_names(void)
{
    static const char text[] =
        "name = 0123456789012345678901234567890123456789";
    struct pg_machine machine = *pg_machine_find(80);
    char *error = pg_machine_read(&machine, text);

    if (error || strlen(machine.name) != sizeof(machine.name) - 1 ||
        strncmp(machine.name, text + strlen("name = "),
                sizeof(machine.name) - 1) != 0)
        complain("long name", error ? error : machine.name);
    free(error);
    error = pg_machine_read(&machine, "name = short\n");
    if (error || strcmp(machine.name, "short") != 0)
        complain("short name", error ? error : machine.name);
    free(error);
}

static void check_bad(void)
{
    static const struct {
        const char *text, *error;
    } cases[] = {
        {"speed = 7\n", "line 1: 'speed' is no property of a machine"},
        {"speed = 7\n", "allowed are name, registers, thread_registers"},
        {"arch = 80\n", "line 1: 'arch' is no property"},
        {"warp = 32\n\nShared = 4096\n", "line 3: 'Shared' is no property"},
        {"= 7\n", "line 1: '' is no property"},
        {"warp = 64\n",
         "line 1: 'warp' is '64'; allowed is a number from 32 to 32"},
        {"# c\nregisters = 0\n", "line 2: 'registers' is '0'"},
        {"fma_double = 0\n", "line 1: 'fma_double' is '0'"},
        {"blocks = 65537\n", "from 1 to 65536"},
        {"blocks = -1\n", "line 1: 'blocks' is '-1'"},
        {"blocks = 99999999999999999999999\n", "line 1: 'blocks' is"},
        {"blocks = 4294967297\n", "line 1: 'blocks' is"},
        {"blocks = 16x\n", "line 1: 'blocks' is '16x'"},
        {"blocks = 1 6\n", "line 1: 'blocks' is '1 6'"},
        {"blocks = 0x10\n", "line 1: 'blocks' is '0x10'"},
        {"blocks =\n", "line 1: 'blocks' is ''"},
        {"blocks = # 16\n", "line 1: 'blocks' is ''"},
        {"warp = 32\nblocks 16\n", "line 2: 'blocks 16' is not NAME = NUMBER"},
        {"blocks # = 16\n", "line 1: 'blocks' is not NAME = NUMBER"},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        struct pg_machine machine = *pg_machine_find(80);
        struct pg_machine before = machine;
        char *error = pg_machine_read(&machine, cases[i].text);

        if (!error || !strstr(error, cases[i].error))
            complain(cases[i].text, error);
        if (machine.blocks != before.blocks ||
            machine.registers != before.registers)
            complain(cases[i].text, "a bad value was taken");
        free(error);
    }
}

int main(void)
{
    check_find();
    check_table();
    check_good();
    check_names();
    check_bad();
    printf("%u failures\n", failures);
    return failures != 0;
}
