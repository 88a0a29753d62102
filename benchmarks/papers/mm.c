/* mm.c - product of two matrices, each element summed in a variable: C = A B.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "bench.h"

KERNEL mm(I n, I m, I k, ARRAY2(A, n, k), ARRAY2(B, k, m), ARRAY2(C, n, m))
{
    for (I i = 0; i < n; i++)
        for (I j = 0; j < m; j++) {
            T sum = 0;

            for (I l = 0; l < k; l++)
                sum += AT(A, i, l, k) * AT(B, l, j, m);
            AT(C, i, j, m) = sum;
        }
}

void bench_program(void)
{
    I n = bench_size(1), m = bench_size(2), k = bench_size(3);
    ARRAY(A, n * k);
    ARRAY(B, k * m);
    ARRAY(C, n * m);

    bench_fill(A);
    bench_fill(B);
    bench_start();
    mm(n, m, k, A, B, C);
    bench_stop();
}
