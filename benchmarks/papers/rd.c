/* rd.c - a sum as a tree: in each step, which is a loop of its own, the upper
 * half is added to the lower one.  The order of the additions is that of the
 * source, so that they need no licence to be done on many threads.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "bench.h"

KERNEL rd(I n, ARRAY1(x, n))
{
    while (n > 1) {
        I half = (n + 1) / 2;

        for (I i = 0; i < n - half; i++)
            x[i] += x[half + i];
        n = half;
    }
}

void bench_program(void)
{
    I n = bench_size(1);
    ARRAY(x, n);

    bench_fill(x);
    bench_start();
    rd(n, x);
    bench_stop();
}
