/* strsm.c - a lower triangular system of equations with many right sides:
 * L X = B, where X replaces B.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "bench.h"

KERNEL strsm(I n, I m, ARRAY2(L, n, n), ARRAY2(B, n, m))
{
    for (I i = 0; i < n; i++)
        for (I j = 0; j < m; j++) {
            T rest = AT(B, i, j, m);

            for (I k = 0; k < i; k++)
                rest -= AT(L, i, k, n) * AT(B, k, j, m);
            AT(B, i, j, m) = rest / AT(L, i, i, n);
        }
}

void bench_program(void)
{
    I n = bench_size(1), m = bench_size(2);
    ARRAY(L, n * n);
    ARRAY(B, n * m);

    bench_dominant(L, n, 0);
    bench_fill(B);
    bench_start();
    strsm(n, m, L, B);
    bench_stop();
}
