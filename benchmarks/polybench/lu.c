/* lu.c - A = L U in place without pivots, row by row; L has ones on the
 * diagonal.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "bench.h"

KERNEL lu(I n, ARRAY2(A, n, n))
{
    for (I i = 0; i < n; i++) {
        for (I j = 0; j < i; j++) {
            for (I k = 0; k < j; k++)
                AT(A, i, j, n) -= AT(A, i, k, n) * AT(A, k, j, n);
            AT(A, i, j, n) /= AT(A, j, j, n);
        }
        for (I j = i; j < n; j++)
            for (I k = 0; k < i; k++)
                AT(A, i, j, n) -= AT(A, i, k, n) * AT(A, k, j, n);
    }
}

void bench_program(void)
{
    I n = bench_size(1);
    ARRAY(A, n * n);

    bench_dominant(A, n, 0);
    bench_start();
    lu(n, A);
    bench_stop();
}
