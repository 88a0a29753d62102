/* jacobi-2d.c - mean of an element and its four neighbours, from A to B and
 * back in each step.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "bench.h"

KERNEL jacobi_2d(I steps, I n, ARRAY2(A, n, n), ARRAY2(B, n, n))
{
    for (I t = 0; t < steps; t++) {
        for (I i = 1; i < n - 1; i++)
            for (I j = 1; j < n - 1; j++)
                AT(B, i, j, n) =
                    (AT(A, i, j, n) + AT(A, i, j - 1, n) + AT(A, i, j + 1, n) +
                     AT(A, i + 1, j, n) + AT(A, i - 1, j, n)) /
                    5;
        for (I i = 1; i < n - 1; i++)
            for (I j = 1; j < n - 1; j++)
                AT(A, i, j, n) =
                    (AT(B, i, j, n) + AT(B, i, j - 1, n) + AT(B, i, j + 1, n) +
                     AT(B, i + 1, j, n) + AT(B, i - 1, j, n)) /
                    5;
    }
}

void bench_program(void)
{
    I steps = bench_size(1), n = bench_size(2);
    ARRAY(A, n * n);
    ARRAY(B, n * n);

    bench_fill(A);
    bench_fill(B);
    bench_start();
    jacobi_2d(steps, n, A, B);
    bench_stop();
}
