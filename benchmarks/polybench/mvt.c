/* mvt.c - a matrix and its transpose times vectors: x += A u, y += A^T v.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "bench.h"

KERNEL mvt(I n, ARRAY1(x, n), ARRAY1(y, n), ARRAY1(u, n), ARRAY1(v, n),
           ARRAY2(A, n, n))
{
    for (I i = 0; i < n; i++)
        for (I j = 0; j < n; j++)
            x[i] += AT(A, i, j, n) * u[j];
    for (I i = 0; i < n; i++)
        for (I j = 0; j < n; j++)
            y[i] += AT(A, j, i, n) * v[j];
}

void bench_program(void)
{
    I n = bench_size(1);
    ARRAY(x, n);
    ARRAY(y, n);
    ARRAY(u, n);
    ARRAY(v, n);
    ARRAY(A, n * n);

    bench_fill(x);
    bench_fill(y);
    bench_fill(u);
    bench_fill(v);
    bench_fill(A);
    bench_start();
    mvt(n, x, y, u, v, A);
    bench_stop();
}
