/* trmm.c - product with a triangular matrix: B = alpha A^T B in place, where A
 * is lower triangular with ones on the diagonal.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "bench.h"

KERNEL trmm(I m, I n, T alpha, ARRAY2(A, m, m), ARRAY2(B, m, n))
{
    for (I i = 0; i < m; i++)
        for (I j = 0; j < n; j++) {
            for (I k = i + 1; k < m; k++)
                AT(B, i, j, n) += AT(A, k, i, m) * AT(B, k, j, n);
            AT(B, i, j, n) = alpha * AT(B, i, j, n);
        }
}

void bench_program(void)
{
    I m = bench_size(1), n = bench_size(2);
    T alpha = (T)bench_random();
    ARRAY(A, m * m);
    ARRAY(B, m * n);

    bench_fill(A);
    bench_fill(B);
    bench_start();
    trmm(m, n, alpha, A, B);
    bench_stop();
}
