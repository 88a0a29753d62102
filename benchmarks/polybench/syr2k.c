/* syr2k.c - update of rank 2 m of a symmetric matrix, lower triangle:
 * C = alpha A B^T + alpha B A^T + beta C.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "bench.h"

KERNEL syr2k(I m, I n, T alpha, T beta, ARRAY2(C, n, n), ARRAY2(A, n, m),
             ARRAY2(B, n, m))
{
    for (I i = 0; i < n; i++) {
        for (I j = 0; j <= i; j++)
            AT(C, i, j, n) *= beta;
        for (I k = 0; k < m; k++)
            for (I j = 0; j <= i; j++)
                AT(C, i, j, n) += AT(A, j, k, m) * alpha * AT(B, i, k, m) +
                                  AT(B, j, k, m) * alpha * AT(A, i, k, m);
    }
}

void bench_program(void)
{
    I m = bench_size(1), n = bench_size(2);
    T alpha = (T)bench_random(), beta = (T)bench_random();
    ARRAY(C, n * n);
    ARRAY(A, n * m);
    ARRAY(B, n * m);

    bench_fill(C);
    bench_fill(A);
    bench_fill(B);
    bench_start();
    syr2k(m, n, alpha, beta, C, A, B);
    bench_stop();
}
