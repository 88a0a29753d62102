/* 2mm.c - two chained products: D = alpha A B C + beta D.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "bench.h"

KERNEL mm2(I n, I m, I k, I l, T alpha, T beta, ARRAY2(P, n, m),
           ARRAY2(A, n, k), ARRAY2(B, k, m), ARRAY2(C, m, l), ARRAY2(D, n, l))
{
    for (I i = 0; i < n; i++)
        for (I j = 0; j < m; j++) {
            AT(P, i, j, m) = 0;
            for (I h = 0; h < k; h++)
                AT(P, i, j, m) += alpha * AT(A, i, h, k) * AT(B, h, j, m);
        }
    for (I i = 0; i < n; i++)
        for (I j = 0; j < l; j++) {
            AT(D, i, j, l) *= beta;
            for (I h = 0; h < m; h++)
                AT(D, i, j, l) += AT(P, i, h, m) * AT(C, h, j, l);
        }
}

void bench_program(void)
{
    I n = bench_size(1), m = bench_size(2), k = bench_size(3),
      l = bench_size(4);
    T alpha = (T)bench_random(), beta = (T)bench_random();
    ARRAY(P, n * m);
    ARRAY(A, n * k);
    ARRAY(B, k * m);
    ARRAY(C, m * l);
    ARRAY(D, n * l);

    bench_fill(A);
    bench_fill(B);
    bench_fill(C);
    bench_fill(D);
    bench_start();
    mm2(n, m, k, l, alpha, beta, P, A, B, C, D);
    bench_stop();
}
