/* gramschmidt.c - A = Q R by the modified Gram-Schmidt process; A is
 * overwritten. All data sets have more columns than rows: the last columns of Q
 * normalise rounding errors and are finite, but not orthogonal.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "bench.h"

KERNEL gramschmidt(I m, I n, ARRAY2(A, m, n), ARRAY2(R, n, n), ARRAY2(Q, m, n))
{
    for (I k = 0; k < n; k++) {
        T norm = 0;

        for (I i = 0; i < m; i++)
            norm += AT(A, i, k, n) * AT(A, i, k, n);
        AT(R, k, k, n) = sqrt(norm);
        for (I i = 0; i < m; i++)
            AT(Q, i, k, n) = AT(A, i, k, n) / AT(R, k, k, n);
        for (I j = k + 1; j < n; j++) {
            AT(R, k, j, n) = 0;
            for (I i = 0; i < m; i++)
                AT(R, k, j, n) += AT(Q, i, k, n) * AT(A, i, j, n);
            for (I i = 0; i < m; i++)
                AT(A, i, j, n) -= AT(Q, i, k, n) * AT(R, k, j, n);
        }
    }
}

void bench_program(void)
{
    I m = bench_size(1), n = bench_size(2);
    ARRAY(A, m * n);
    ARRAY(R, n * n);
    ARRAY(Q, m * n);

    bench_fill(A);
    bench_start();
    gramschmidt(m, n, A, R, Q);
    bench_stop();
}
