/* dynprog.c - dynamic programming over all intervals of a sequence: the cost of
 * one is the sum of those of all pairs of its parts, and a weight.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "bench.h"

KERNEL dynprog(I steps, I n, ARRAY2(c, n, n), ARRAY2(weights, n, n),
               ARRAY3(sum, n, n, n), ARRAY1(result, 1))
{
    T total = 0;

    for (I t = 0; t < steps; t++) {
        for (I i = 0; i < n; i++)
            for (I j = 0; j < n; j++)
                AT(c, i, j, n) = 0;
        for (I i = 0; i < n - 1; i++)
            for (I j = i + 1; j < n; j++) {
                AT3(sum, i, j, i, n, n) = 0;
                for (I k = i + 1; k < j; k++)
                    AT3(sum, i, j, k, n, n) = AT3(sum, i, j, k - 1, n, n) +
                                              AT(c, i, k, n) + AT(c, k, j, n);
                AT(c, i, j, n) =
                    AT3(sum, i, j, j - 1, n, n) + AT(weights, i, j, n);
            }
        total += AT(c, 0, n - 1, n);
    }
    result[0] = total;
}

void bench_program(void)
{
    I steps = bench_size(1), n = bench_size(2);
    ARRAY(c, n * n);
    ARRAY(weights, n * n);
    ARRAY(sum, n * n * n);
    ARRAY(result, 1);

    bench_fill(weights);
    bench_start();
    dynprog(steps, n, c, weights, sum, result);
    bench_stop();
}
