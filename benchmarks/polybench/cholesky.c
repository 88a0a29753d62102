/* cholesky.c - A = L L^T in place in the lower triangle, for a positive
 * definite matrix, row by row.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "bench.h"

KERNEL cholesky(I n, ARRAY2(A, n, n))
{
    for (I i = 0; i < n; i++) {
        for (I j = 0; j < i; j++) {
            for (I k = 0; k < j; k++)
                AT(A, i, j, n) -= AT(A, i, k, n) * AT(A, j, k, n);
            AT(A, i, j, n) /= AT(A, j, j, n);
        }
        for (I k = 0; k < i; k++)
            AT(A, i, i, n) -= AT(A, i, k, n) * AT(A, i, k, n);
        AT(A, i, i, n) = sqrt(AT(A, i, i, n));
    }
}

void bench_program(void)
{
    I n = bench_size(1);
    ARRAY(A, n * n);

    bench_dominant(A, n, 1);
    bench_start();
    cholesky(n, A);
    bench_stop();
}
