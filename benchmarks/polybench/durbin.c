/* durbin.c - Durbin's recurrence for the Yule-Walker equations: solves a
 * symmetric Toeplitz system with ones on the diagonal and r beside it, whose
 * right side is -r.  The dominant diagonal keeps it positive definite.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "bench.h"

KERNEL durbin(I n, ARRAY1(r, n), ARRAY1(y, n), ARRAY1(z, n))
{
    T alpha = -r[0];
    T beta = 1;

    y[0] = -r[0];
    for (I k = 1; k < n; k++) {
        T sum = 0;

        beta = (1 - alpha * alpha) * beta;
        for (I i = 0; i < k; i++)
            sum += r[k - i - 1] * y[i];
        alpha = -(r[k] + sum) / beta;
        for (I i = 0; i < k; i++)
            z[i] = y[i] + alpha * y[k - i - 1];
        for (I i = 0; i < k; i++)
            y[i] = z[i];
        y[k] = alpha;
    }
}

void bench_program(void)
{
    I n = bench_size(1);
    ARRAY(r, n);
    ARRAY(y, n);
    ARRAY(z, n);

    bench_decreasing(r);
    bench_start();
    durbin(n, r, y, z);
    bench_stop();
}
