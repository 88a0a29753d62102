/* operations.h - what cuBLAS is asked for.
 *
 * The programs' matrices lie row by row, cuBLAS's column by column.  A matrix
 * with r rows of c elements is, to cuBLAS, its transpose: c x r with leading
 * dimension c.  So a product A B is asked for as B^T A^T, a lower triangle is
 * an upper one, and the left side is the right one.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#ifndef POLYGPU_BENCH_GPU_OPERATIONS_H
#define POLYGPU_BENCH_GPU_OPERATIONS_H

#include "libraries.h"

enum { SIZES = 3, ARRAYS = 3 };

struct problem {
    const struct blas *blas;
    blas_handle handle;
    int type; /* FLOAT or DOUBLE */
    int n[SIZES];
    const void *alpha, *beta, *one, *zero;
    cu_address array[ARRAYS];
};

struct operation {
    const char *name;
    int n_sizes;
    /* Elements of the arrays; 0 for one that is not needed. */
    void (*elements)(const int *n, size_t *count);
    /* Asks for it; 0, or cuBLAS's status. */
    int (*call)(const struct problem *problem);
};

const struct operation *find_operation(const char *name);

#endif
