/* gemver.c - update of rank two and two products: B = A + u1 v1^T + u2 v2^T
 * (in place), x += beta B^T y + z, w += alpha B x.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "bench.h"

KERNEL gemver(I n, T alpha, T beta, ARRAY2(A, n, n), ARRAY1(u1, n),
              ARRAY1(v1, n), ARRAY1(u2, n), ARRAY1(v2, n), ARRAY1(w, n),
              ARRAY1(x, n), ARRAY1(y, n), ARRAY1(z, n))
{
    for (I i = 0; i < n; i++)
        for (I j = 0; j < n; j++)
            AT(A, i, j, n) = AT(A, i, j, n) + u1[i] * v1[j] + u2[i] * v2[j];
    for (I i = 0; i < n; i++)
        for (I j = 0; j < n; j++)
            x[i] = x[i] + beta * AT(A, j, i, n) * y[j];
    for (I i = 0; i < n; i++)
        x[i] = x[i] + z[i];
    for (I i = 0; i < n; i++)
        for (I j = 0; j < n; j++)
            w[i] = w[i] + alpha * AT(A, i, j, n) * x[j];
}

void bench_program(void)
{
    I n = bench_size(1);
    T alpha = (T)bench_random(), beta = (T)bench_random();
    ARRAY(A, n * n);
    ARRAY(u1, n);
    ARRAY(v1, n);
    ARRAY(u2, n);
    ARRAY(v2, n);
    ARRAY(w, n);
    ARRAY(x, n);
    ARRAY(y, n);
    ARRAY(z, n);

    bench_fill(A);
    bench_fill(u1);
    bench_fill(v1);
    bench_fill(u2);
    bench_fill(v2);
    bench_fill(w);
    bench_fill(x);
    bench_fill(y);
    bench_fill(z);
    bench_start();
    gemver(n, alpha, beta, A, u1, v1, u2, v2, w, x, y, z);
    bench_stop();
}
