/* syrk.c - update of rank m of a symmetric matrix, lower triangle:
 * C = alpha A A^T + beta C.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "bench.h"

KERNEL syrk(I m, I n, T alpha, T beta, ARRAY2(C, n, n), ARRAY2(A, n, m))
{
    for (I i = 0; i < n; i++) {
        for (I j = 0; j <= i; j++)
            AT(C, i, j, n) *= beta;
        for (I k = 0; k < m; k++)
            for (I j = 0; j <= i; j++)
                AT(C, i, j, n) += alpha * AT(A, i, k, m) * AT(A, j, k, m);
    }
}

void bench_program(void)
{
    I m = bench_size(1), n = bench_size(2);
    T alpha = (T)bench_random(), beta = (T)bench_random();
    ARRAY(C, n * n);
    ARRAY(A, n * m);

    bench_fill(C);
    bench_fill(A);
    bench_start();
    syrk(m, n, alpha, beta, C, A);
    bench_stop();
}
