/* example.h - kernels and a SCoP as the compiler would emit them.
 *
 * The kernels also serve the fake driver, which finds them by name.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef POLYGPU_EXAMPLE_H
#define POLYGPU_EXAMPLE_H

#include "polygpu/abi.h"

enum { ARRAY_A, ARRAY_B };
enum {
    KERNEL_SCALE,    /* a[offset + i * stride] = 2 * that + 1, i < n */
    KERNEL_TRIANGLE, /* the lower triangle of an n * n matrix, likewise */
    KERNEL_PAIR,     /* a[i] = 2 * a[i] + 1; b[i] = a[i] + b[i] */
    KERNEL_REVERSE,  /* each block of 64 elements of a; has barriers */
    KERNEL_DIVERGE,  /* one thread of each block leaves a barrier out */
    KERNEL_UNMARKED, /* a barrier without the flag */
    KERNEL_DYNAMIC,  /* as scale, by way of 64 KiB of shared memory */
    KERNEL_ADD,      /* b[i] += a[i] */
    N_KERNELS
};

/* Threads of KERNEL_SCALE whose array's element 0 is not where a vector of 16
 * bytes may be, although that element need not be on the device. */
extern unsigned example_misaligned;

/* Called by each thread of KERNEL_PAIR, unless NULL. */
extern void (*example_in_kernel)(void);

/* Copy it for a SCoP with a state of its own. */
extern const struct polygpu_scop example_scop;

void example_launch(struct polygpu_run *run, uint32_t kernel, int64_t blocks,
                    int64_t n, int64_t offset, int64_t stride);

/* Run KERNEL_PAIR "times" times on n elements; the result of polygpu_end, or
 * 0 if the run did not begin. */
int example_pair(struct polygpu_scop *scop, double *a, double *b, int64_t n,
                 int times);

/* The same in plain C. */
void example_pair_here(double *a, double *b, int64_t n, int times);

#endif
