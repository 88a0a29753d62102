/* symm.c - product with a symmetric matrix, of which the lower triangle is
 * stored: C = alpha A B + beta C.  Row i of A adds to the rows above row i of C
 * and collects the rest of row i in a scalar.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "bench.h"

KERNEL symm(I m, I n, T alpha, T beta, ARRAY2(C, m, n), ARRAY2(A, m, m),
            ARRAY2(B, m, n))
{
    for (I i = 0; i < m; i++)
        for (I j = 0; j < n; j++) {
            T below = 0;

            for (I k = 0; k < i; k++) {
                AT(C, k, j, n) += alpha * AT(B, i, j, n) * AT(A, i, k, m);
                below += AT(B, k, j, n) * AT(A, i, k, m);
            }
            AT(C, i, j, n) = beta * AT(C, i, j, n) +
                             alpha * AT(B, i, j, n) * AT(A, i, i, m) +
                             alpha * below;
        }
}

void bench_program(void)
{
    I m = bench_size(1), n = bench_size(2);
    T alpha = (T)bench_random(), beta = (T)bench_random();
    ARRAY(C, m * n);
    ARRAY(A, m * m);
    ARRAY(B, m * n);

    bench_fill(C);
    bench_fill(A);
    bench_fill(B);
    bench_start();
    symm(m, n, alpha, beta, C, A, B);
    bench_stop();
}
