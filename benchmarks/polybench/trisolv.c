/* trisolv.c - forward substitution: solves L x = b for a lower triangular L.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "bench.h"

KERNEL trisolv(I n, ARRAY2(L, n, n), ARRAY1(x, n), ARRAY1(b, n))
{
    for (I i = 0; i < n; i++) {
        x[i] = b[i];
        for (I j = 0; j < i; j++)
            x[i] -= AT(L, i, j, n) * x[j];
        x[i] = x[i] / AT(L, i, i, n);
    }
}

void bench_program(void)
{
    I n = bench_size(1);
    ARRAY(L, n * n);
    ARRAY(x, n);
    ARRAY(b, n);

    bench_dominant(L, n, 0);
    bench_fill(b);
    bench_start();
    trisolv(n, L, x, b);
    bench_stop();
}
