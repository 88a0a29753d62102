/* gesummv.c - sum of two products: y = alpha A x + beta B x.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "bench.h"

KERNEL gesummv(I n, T alpha, T beta, ARRAY2(A, n, n), ARRAY2(B, n, n),
               ARRAY1(ax, n), ARRAY1(x, n), ARRAY1(y, n))
{
    for (I i = 0; i < n; i++) {
        ax[i] = 0;
        y[i] = 0;
        for (I j = 0; j < n; j++) {
            ax[i] += AT(A, i, j, n) * x[j];
            y[i] += AT(B, i, j, n) * x[j];
        }
        y[i] = alpha * ax[i] + beta * y[i];
    }
}

void bench_program(void)
{
    I n = bench_size(1);
    T alpha = (T)bench_random(), beta = (T)bench_random();
    ARRAY(A, n * n);
    ARRAY(B, n * n);
    ARRAY(ax, n);
    ARRAY(x, n);
    ARRAY(y, n);

    bench_fill(A);
    bench_fill(B);
    bench_fill(x);
    bench_start();
    gesummv(n, alpha, beta, A, B, ax, x, y);
    bench_stop();
}
