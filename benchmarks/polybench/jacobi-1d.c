/* jacobi-1d.c - mean of three neighbours, from A to B and back in each step.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "bench.h"

KERNEL jacobi_1d(I steps, I n, ARRAY1(A, n), ARRAY1(B, n))
{
    for (I t = 0; t < steps; t++) {
        for (I i = 1; i < n - 1; i++)
            B[i] = (A[i - 1] + A[i] + A[i + 1]) / 3;
        for (I i = 1; i < n - 1; i++)
            A[i] = (B[i - 1] + B[i] + B[i + 1]) / 3;
    }
}

void bench_program(void)
{
    I steps = bench_size(1), n = bench_size(2);
    ARRAY(A, n);
    ARRAY(B, n);

    bench_fill(A);
    bench_fill(B);
    bench_start();
    jacobi_1d(steps, n, A, B);
    bench_stop();
}
