/* reg_detect.c - detection of a regularity: means of running sums of tangents,
 * summed along the diagonals of a triangle.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "bench.h"

KERNEL reg_detect(I steps, I n, I length, ARRAY2(tangents, n, n),
                  ARRAY2(mean, n, n), ARRAY2(path, n, n),
                  ARRAY3(difference, n, n, length), ARRAY3(sum, n, n, length))
{
    for (I t = 0; t < steps; t++) {
        for (I j = 0; j < n; j++)
            for (I i = j; i < n; i++)
                for (I k = 0; k < length; k++)
                    AT3(difference, j, i, k, n, length) = AT(tangents, j, i, n);
        for (I j = 0; j < n; j++)
            for (I i = j; i < n; i++) {
                AT3(sum, j, i, 0, n, length) =
                    AT3(difference, j, i, 0, n, length);
                for (I k = 1; k < length; k++)
                    AT3(sum, j, i, k, n, length) =
                        AT3(sum, j, i, k - 1, n, length) +
                        AT3(difference, j, i, k, n, length);
                AT(mean, j, i, n) = AT3(sum, j, i, length - 1, n, length);
            }
        for (I i = 0; i < n; i++)
            AT(path, 0, i, n) = AT(mean, 0, i, n);
        for (I j = 1; j < n; j++)
            for (I i = j; i < n; i++)
                AT(path, j, i, n) =
                    AT(path, j - 1, i - 1, n) + AT(mean, j, i, n);
    }
}

void bench_program(void)
{
    I steps = bench_size(1), length = bench_size(2), n = bench_size(3);
    ARRAY(tangents, n * n);
    ARRAY(mean, n * n);
    ARRAY(path, n * n);
    ARRAY(difference, n * n * length);
    ARRAY(sum, n * n * length);

    bench_fill(tangents);
    bench_start();
    reg_detect(steps, n, length, tangents, mean, path, difference, sum);
    bench_stop();
}
