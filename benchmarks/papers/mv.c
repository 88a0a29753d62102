/* mv.c - product of a matrix and a vector: y = A x.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "bench.h"

KERNEL mv(I n, I m, ARRAY2(A, n, m), ARRAY1(x, m), ARRAY1(y, n))
{
    for (I i = 0; i < n; i++) {
        T sum = 0;

        for (I j = 0; j < m; j++)
            sum += AT(A, i, j, m) * x[j];
        y[i] = sum;
    }
}

void bench_program(void)
{
    I n = bench_size(1), m = bench_size(2);
    ARRAY(A, n * m);
    ARRAY(x, m);
    ARRAY(y, n);

    bench_fill(A);
    bench_fill(x);
    bench_start();
    mv(n, m, A, x, y);
    bench_stop();
}
