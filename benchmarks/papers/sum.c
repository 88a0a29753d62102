/* sum.c - a sum in one loop.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "bench.h"

KERNEL sum(I n, ARRAY1(x, n), ARRAY1(result, 1))
{
    T all = 0;

    for (I i = 0; i < n; i++)
        all += x[i];
    result[0] = all;
}

void bench_program(void)
{
    I n = bench_size(1);
    ARRAY(x, n);
    ARRAY(result, 1);

    bench_fill(x);
    bench_start();
    sum(n, x, result);
    bench_stop();
}
