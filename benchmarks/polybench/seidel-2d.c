/* seidel-2d.c - Gauss-Seidel: mean of nine neighbours in place.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "bench.h"

KERNEL seidel_2d(I steps, I n, ARRAY2(A, n, n))
{
    for (I t = 0; t < steps; t++)
        for (I i = 1; i < n - 1; i++)
            for (I j = 1; j < n - 1; j++)
                AT(A, i, j, n) = (AT(A, i - 1, j - 1, n) + AT(A, i - 1, j, n) +
                                  AT(A, i - 1, j + 1, n) + AT(A, i, j - 1, n) +
                                  AT(A, i, j, n) + AT(A, i, j + 1, n) +
                                  AT(A, i + 1, j - 1, n) + AT(A, i + 1, j, n) +
                                  AT(A, i + 1, j + 1, n)) /
                                 9;
}

void bench_program(void)
{
    I steps = bench_size(1), n = bench_size(2);
    ARRAY(A, n * n);

    bench_fill(A);
    bench_start();
    seidel_2d(steps, n, A);
    bench_stop();
}
