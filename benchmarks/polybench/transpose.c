/* transpose.c - matrix transpose: B = A^T.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "bench.h"

KERNEL transpose(I n, I m, ARRAY2(A, n, m), ARRAY2(B, m, n))
{
    for (I i = 0; i < n; i++)
        for (I j = 0; j < m; j++)
            AT(B, j, i, n) = AT(A, i, j, m);
}

void bench_program(void)
{
    I n = bench_size(1), m = bench_size(2);
    ARRAY(A, n * m);
    ARRAY(B, m * n);

    bench_fill(A);
    bench_start();
    transpose(n, m, A, B);
    bench_stop();
}
