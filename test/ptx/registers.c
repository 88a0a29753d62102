/* registers.c - how many registers ptxas gives to each kernel of a module.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "machine.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The word behind .target, with what may follow the number: sm_90a. */
static void read_target(const char *text, char *target, size_t size)
{
    const char *at = strstr(text, ".target ");
    size_t n;

    at = at ? at + strlen(".target ") : "";
    at += strspn(at, " \t");
    n = strcspn(at, ", \t\r\n");
    snprintf(target, size, "%.*s", (int)n, at);
}

/* The text in a file of its own, whose name is in "path". */
static bool write_file(const char *text, char *path)
{
    int fd = mkstemp(path);
    FILE *file = fd < 0 ? NULL : fdopen(fd, "w");
    bool ok;

    if (!file) {
        if (fd >= 0)
            close(fd);
        return false;
    }
    ok = fputs(text, file) >= 0;
    return fclose(file) == 0 && ok;
}

/* Of a line, what belongs to a kernel: first its name, later its registers. */
static void read_line(const char *line, struct ptx_module *module,
                      struct ptx_function **kernel)
{
    static const char head[] = "Compiling entry function '";
    const char *at = strstr(line, head);
    char name[4096]; /* C++ makes long ones */
    unsigned n;

    if (at && sscanf(at + sizeof head - 1, "%4095[^']", name) == 1) {
        *kernel = ptx_find(module, name);
    } else if ((at = strstr(line, "Used ")) &&
               sscanf(at, "Used %u registers", &n) == 1 && *kernel) {
        (*kernel)->used_registers = n;
    }
}

static bool all_known(const struct ptx_module *module)
{
    size_t k;

    for (k = 0; k < module->n_functions; ++k)
        if (module->functions[k].is_entry &&
            !module->functions[k].used_registers)
            return false;
    return true;
}

/* The first line in which ptxas complains becomes the error. */
static bool run(const char *command, struct ptx_module *module, char *error,
                size_t size)
{
    FILE *said = popen(command, "r");
    struct ptx_function *kernel = NULL;
    char line[8192];

    snprintf(error, size, "ptxas does not say how many registers there are");
    if (!said)
        return false;
    while (fgets(line, sizeof line, said)) {
        read_line(line, module, &kernel);
        if (strstr(line, "error") || strstr(line, "fatal"))
            snprintf(error, size, "%.*s", (int)strcspn(line, "\n"), line);
    }
    return pclose(said) == 0 && all_known(module);
}

bool ptx_count_registers(struct ptx_machine *m, struct ptx_module *module,
                         const char *text, char *error, size_t size)
{
    char path[] = "/tmp/ptx-machine-XXXXXX", target[32];
    char command[PTX_MOST_PATH + 128];
    bool ok;

    if (!*m->settings.ptxas)
        return true;
    read_target(text, target, sizeof target);
    if (!write_file(text, path)) {
        snprintf(error, size, "no file for ptxas could be written");
        return false;
    }
    snprintf(command, sizeof command, "'%s' -arch='%s' -v -o /dev/null %s 2>&1",
             m->settings.ptxas, target, path);
    ok = run(command, module, error, size);
    unlink(path);
    return ok;
}
