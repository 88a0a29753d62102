/* tmv.c - product of a transposed matrix and a vector: y = A^T x.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "bench.h"

KERNEL tmv(I n, I m, ARRAY2(A, n, m), ARRAY1(x, n), ARRAY1(y, m))
{
    for (I j = 0; j < m; j++) {
        T sum = 0;

        for (I i = 0; i < n; i++)
            sum += AT(A, i, j, m) * x[i];
        y[j] = sum;
    }
}

void bench_program(void)
{
    I n = bench_size(1), m = bench_size(2);
    ARRAY(A, n * m);
    ARRAY(x, n);
    ARRAY(y, m);

    bench_fill(A);
    bench_fill(x);
    bench_start();
    tmv(n, m, A, x, y);
    bench_stop();
}
