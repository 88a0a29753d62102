/* atax.c - y = A^T (A x), row by row.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "bench.h"

KERNEL atax(I m, I n, ARRAY2(A, m, n), ARRAY1(x, n), ARRAY1(y, n),
            ARRAY1(row, m))
{
    for (I j = 0; j < n; j++)
        y[j] = 0;
    for (I i = 0; i < m; i++) {
        row[i] = 0;
        for (I j = 0; j < n; j++)
            row[i] += AT(A, i, j, n) * x[j];
        for (I j = 0; j < n; j++)
            y[j] += AT(A, i, j, n) * row[i];
    }
}

void bench_program(void)
{
    I m = bench_size(1), n = bench_size(2);
    ARRAY(A, m * n);
    ARRAY(x, n);
    ARRAY(y, n);
    ARRAY(row, m);

    bench_fill(A);
    bench_fill(x);
    bench_start();
    atax(m, n, A, x, y, row);
    bench_stop();
}
