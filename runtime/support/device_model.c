/* device_model.c - see device_model.h.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "support/device_model.h"

#include <stdio.h>
#include <string.h>

/* Measured on an H200 and on one core of a server (benchmarks/README.md); other
 * machines differ, and so do loops: vectorised ones are several times faster on
 * a core than "cpu", those that wait for memory slower.  Rates are per second,
 * the units are in "fields". */
const struct polygpu_device_model polygpu_default_device_model = {
    .cpu = 8, /* between 1 and 50 in the programs of benchmarks/polybench */
    /* products at LARGE: 5 to 13 TFLOP/s, 6 operations for 2 flops; at 2000 and
     * more 15 to 41 */
    .gpu = 25000,
    .thread = 0.2, /* a sum in order: 21 ns for an element, 4 operations */
    /* at LARGE: sweeps 1000 to 3300, a matrix with a vector 300 to 1400 */
    .memory = 1500,
    .in = 12,
    .out = 12, /* pageable memory, both: 12 to 16 up to 16 MiB, 8 to 10 above */
    .launch = 3.6, /* a kernel that has nothing to do */
    .meet = 1,     /* whether 16 blocks or 264 */
    .step = 0.7,   /* a barrier 0.04, loads that wait for it; not measured */
    .array = 100,  /* cuMemAlloc and cuMemFree of 1 MB */
    .run = 50,     /* stream, synchronisation; not measured by itself */
    .open = 250,   /* 200 to 500 */
    .load = 4,     /* 256 ms for 59 KB that the driver's cache does not have */
};

#define FIELD(name, unit)                                                      \
    {#name, unit, offsetof(struct polygpu_device_model, name)}

static const struct {
    const char *name, *unit;
    size_t offset;
} fields[] = {
    FIELD(cpu, "10^9 operations/s of one core"),
    FIELD(gpu, "10^9 operations/s of the device"),
    FIELD(thread, "10^9 operations/s of one thread of the device"),
    FIELD(memory, "GB/s of the device's memory"),
    FIELD(in, "GB/s to the device"),
    FIELD(out, "GB/s from the device"),
    FIELD(launch, "us for a launch"),
    FIELD(meet, "us for all blocks of a kernel to meet"),
    FIELD(step, "us for a step in a kernel that is a chain"),
    FIELD(array, "us to allocate and free an array"),
    FIELD(run, "us for what else a run takes"),
    FIELD(open, "ms to open the device"),
    FIELD(load, "ms to compile a KB of PTX"),
};

enum { N_FIELDS = sizeof fields / sizeof *fields };

/* Set the constant whose name is "name"; false if there is none. */
bool polygpu_device_model_set(struct polygpu_device_model *model,
                              const char *name, size_t length, double value)
{
    size_t i;

    for (i = 0; i < N_FIELDS; ++i)
        if (strlen(fields[i].name) == length &&
            !strncmp(fields[i].name, name, length)) {
            memcpy((char *)model + fields[i].offset, &value, sizeof value);
            return true;
        }
    return false;
}

/* All names, with commas. */
void polygpu_device_model_names(char *text, size_t size)
{
    size_t i, at = 0;

    text[0] = '\0';
    for (i = 0; i < N_FIELDS && at < size; ++i)
        at += (size_t)snprintf(text + at, size - at, "%s%s", i ? ", " : "",
                               fields[i].name);
}
