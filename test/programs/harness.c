/* harness.c - see harness.h.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "harness.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static int n_argument;
static char **arguments;
static uint64_t seed;
static uint64_t state;
static FILE *dump;

static void fail(const char *what, const char *which)
{
    fprintf(stderr, "harness: %s %s\n", what, which);
    exit(2);
}

void harness_start(int argc, char **argv)
{
    const char *text = getenv("POLYGPU_SEED");
    const char *path = getenv("POLYGPU_DUMP");

    n_argument = argc;
    arguments = argv;
    seed = text && *text ? strtoull(text, NULL, 10) : (uint64_t)time(NULL);
    fprintf(stderr, "seed %llu\n", (unsigned long long)seed);
    harness_restart();
    if (path && *path) {
        dump = fopen(path, "wb");
        if (!dump)
            fail("cannot write", path);
    }
}

void harness_restart(void)
{
    state = seed;
}

int harness_size(int position)
{
    char *end;
    long value;

    if (position >= n_argument)
        fail("a size is missing after", arguments[n_argument - 1]);
    value = strtol(arguments[position], &end, 10);
    if (end == arguments[position] || *end || value < 0 || value > INT32_MAX)
        fail("not a size:", arguments[position]);
    return (int)value;
}

/* splitmix64 */
static uint64_t next(void)
{
    uint64_t z = state += 0x9e3779b97f4a7c15u;

    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

double harness_random(void)
{
    uint64_t bits = next();
    double value = 0.5 + (double)(bits >> 11) / 9007199254740992.0;

    return bits & 1 ? value : -value;
}

void *harness_alloc(size_t count, size_t element)
{
    void *array = malloc((count ? count : 1) * element);

    if (!array)
        fail("no memory for", "an array");
    return array;
}

void harness_fill(void *array, size_t count, size_t element)
{
    if (element != sizeof(float) && element != sizeof(double))
        fail("to be filled:", "elements that are no floats or doubles");
    for (size_t i = 0; i < count; i++)
        if (element == sizeof(float))
            ((float *)array)[i] = (float)harness_random();
        else
            ((double *)array)[i] = harness_random();
}

void harness_poison(void *array, size_t count, size_t element)
{
    const uint32_t single = 0x7fc12345;
    const uint64_t pair = 0x7ff8123456789abc;

    for (size_t i = 0; i < count; i++)
        if (element == sizeof(single))
            memcpy((char *)array + i * element, &single, sizeof(single));
        else
            memcpy((char *)array + i * element, &pair, sizeof(pair));
}

void harness_dump(const char *name, const void *array, size_t count,
                  size_t element)
{
    char field[16] = {0};
    uint64_t numbers[2] = {element, count};

    if (!dump)
        return;
    strncpy(field, name, sizeof(field) - 1);
    if (fwrite(field, sizeof(field), 1, dump) != 1 ||
        fwrite(numbers, sizeof(numbers), 1, dump) != 1 ||
        fwrite(array, element, count, dump) != count)
        fail("cannot write", name);
}

int harness_end(void)
{
    if (dump && fclose(dump))
        fail("cannot write", "the dump");
    return 0;
}
