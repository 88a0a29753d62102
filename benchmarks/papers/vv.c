/* vv.c - product of two vectors, element by element: z = x y.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "bench.h"

KERNEL vv(I n, ARRAY1(x, n), ARRAY1(y, n), ARRAY1(z, n))
{
    for (I i = 0; i < n; i++)
        z[i] = x[i] * y[i];
}

void bench_program(void)
{
    I n = bench_size(1);
    ARRAY(x, n);
    ARRAY(y, n);
    ARRAY(z, n);

    bench_fill(x);
    bench_fill(y);
    bench_start();
    vv(n, x, y, z);
    bench_stop();
}
