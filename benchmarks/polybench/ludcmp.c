/* ludcmp.c - solves A x = b: A = L U in place, L y = b, U x = y.  Sums are
 * collected in a scalar.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "bench.h"

KERNEL ludcmp(I n, ARRAY2(A, n, n), ARRAY1(b, n), ARRAY1(x, n), ARRAY1(y, n))
{
    T w;

    for (I i = 0; i < n; i++) {
        for (I j = 0; j < i; j++) {
            w = AT(A, i, j, n);
            for (I k = 0; k < j; k++)
                w -= AT(A, i, k, n) * AT(A, k, j, n);
            AT(A, i, j, n) = w / AT(A, j, j, n);
        }
        for (I j = i; j < n; j++) {
            w = AT(A, i, j, n);
            for (I k = 0; k < i; k++)
                w -= AT(A, i, k, n) * AT(A, k, j, n);
            AT(A, i, j, n) = w;
        }
    }
    for (I i = 0; i < n; i++) {
        w = b[i];
        for (I j = 0; j < i; j++)
            w -= AT(A, i, j, n) * y[j];
        y[i] = w;
    }
    for (I h = 0; h < n; h++) {
        I i = n - 1 - h;

        w = y[i];
        for (I j = i + 1; j < n; j++)
            w -= AT(A, i, j, n) * x[j];
        x[i] = w / AT(A, i, i, n);
    }
}

void bench_program(void)
{
    I n = bench_size(1);
    ARRAY(A, n * n);
    ARRAY(b, n);
    ARRAY(x, n);
    ARRAY(y, n);

    bench_dominant(A, n, 0);
    bench_fill(b);
    bench_start();
    ludcmp(n, A, b, x, y);
    bench_stop();
}
