/* empty.c - see empty.h.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "empty.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

int empty_argc;
char **empty_argv;

int bench_size(int position)
{
    if (position < empty_argc)
        return atoi(empty_argv[position]);
    fprintf(stderr, "a size is missing\n");
    exit(2);
}

void *bench_array(const char *name, size_t count, enum bench_type type)
{
    void *array = mmap(NULL, count * (type == BENCH_DOUBLE ? 8 : 4),
                       PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

    if (array != MAP_FAILED)
        return array;
    fprintf(stderr, "no memory for %s\n", name);
    exit(2);
}

double bench_random(void)
{
    return 1;
}

void bench_fill(void *array)
{
    (void)array;
}

void bench_integers(void *array, int low, int high)
{
    (void)array, (void)low, (void)high;
}

void bench_zero(void *array)
{
    (void)array;
}

void bench_dominant(void *array, int n, int symmetric)
{
    (void)array, (void)n, (void)symmetric;
}

void bench_decreasing(void *array)
{
    (void)array;
}
