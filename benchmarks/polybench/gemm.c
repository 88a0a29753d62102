/* gemm.c - general matrix product: C = alpha A B + beta C.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "bench.h"

KERNEL gemm(I n, I m, I k, T alpha, T beta, ARRAY2(C, n, m), ARRAY2(A, n, k),
            ARRAY2(B, k, m))
{
    for (I i = 0; i < n; i++) {
        for (I j = 0; j < m; j++)
            AT(C, i, j, m) *= beta;
        for (I l = 0; l < k; l++)
            for (I j = 0; j < m; j++)
                AT(C, i, j, m) += alpha * AT(A, i, l, k) * AT(B, l, j, m);
    }
}

void bench_program(void)
{
    I n = bench_size(1), m = bench_size(2), k = bench_size(3);
    T alpha = (T)bench_random(), beta = (T)bench_random();
    ARRAY(A, n * k);
    ARRAY(B, k * m);
    ARRAY(C, n * m);

    bench_fill(A);
    bench_fill(B);
    bench_fill(C);
    bench_start();
    gemm(n, m, k, alpha, beta, C, A, B);
    bench_stop();
}
