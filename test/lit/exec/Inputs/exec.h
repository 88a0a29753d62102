/* exec.h - what the programs of this directory share besides harness.h.
 * Nothing in here is offloaded,
 * and nothing adds to a product: only the reference is built with -mfma.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef EXEC_H
#define EXEC_H

#include "harness.h"

/* The element type of other programs; in the way of templates. */
#undef T

#define NOINLINE __attribute__((noinline))
/* Another function of that name may take its place, so that its callers know
 * nothing of it: what is on the device does not outlive its calls. */
#define APART __attribute__((noinline, weak))
#define HOST __attribute__((noinline, optnone, unused)) static

/* Fill "bytes" bytes with random bits. */
HOST void random_bits(void *p, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++)
        ((unsigned char *)p)[i] =
            (unsigned char)(long long)(harness_random() * 1e15);
}

/* Fill memory that the program has to overwrite; no useful value, not zero. */
HOST void poison(void *p, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++)
        ((unsigned char *)p)[i] = (unsigned char)(0xa5 ^ (i * 7));
}

HOST void dump(const char *name, const void *p, size_t bytes)
{
    harness_dump(name, p, bytes, 1);
}

/* Dump floats or doubles, all NaNs as the same one. */
HOST void dump_float(const char *name, float *p, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (p[i] != p[i])
            p[i] = __builtin_nanf("");
    dump(name, p, n * sizeof *p);
}

HOST void dump_double(const char *name, double *p, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (p[i] != p[i])
            p[i] = __builtin_nan("");
    dump(name, p, n * sizeof *p);
}

#endif
