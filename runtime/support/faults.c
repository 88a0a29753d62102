/* faults.c - see faults.h.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "support/faults.h"

#include <stdlib.h>
#include <string.h>

const char *const polygpu_operation_names[POLYGPU_N_OPERATIONS] = {
    "open",  "alive", "load", "start",  "follow", "leave", "announce", "alloc",
    "place", "in",    "mark", "launch", "graph",  "reach", "sync",     "out",
};

/* The operation whose name are the first "length" characters; how many there
 * are if there is none. */
static int find(const char *text, size_t length)
{
    int i = 0;

    while (i < POLYGPU_N_OPERATIONS &&
           (strlen(polygpu_operation_names[i]) != length ||
            strncmp(polygpu_operation_names[i], text, length) != 0))
        ++i;
    return i;
}

bool polygpu_fault_parse(const char *text, struct polygpu_fault *fault)
{
    const char *colon = strchr(text, ':');
    char *end;
    int found;

    memset(fault, 0, sizeof *fault);
    fault->wanted = true;
    if (!strcmp(text, "count")) {
        fault->count = true;
        return true;
    }
    if (!colon || colon[1] < '0' || colon[1] > '9')
        return false;
    found = find(text, (size_t)(colon - text));
    fault->operation = (enum polygpu_operation)found;
    fault->number = strtoul(colon + 1, &end, 10);
    fault->on = *end == '+';
    end += fault->on;
    return !*end && fault->number > 0 && found < POLYGPU_N_OPERATIONS;
}
