/* conv.c - convolution of an image with a small one.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "bench.h"

KERNEL conv(I n, I m, I p, I q, ARRAY2(in, n + p - 1, m + q - 1),
            ARRAY2(weights, p, q), ARRAY2(out, n, m))
{
    for (I i = 0; i < n; i++)
        for (I j = 0; j < m; j++) {
            T sum = 0;

            for (I k = 0; k < p; k++)
                for (I l = 0; l < q; l++)
                    sum +=
                        AT(in, i + k, j + l, m + q - 1) * AT(weights, k, l, q);
            AT(out, i, j, m) = sum;
        }
}

void bench_program(void)
{
    I n = bench_size(1), m = bench_size(2), p = bench_size(3),
      q = bench_size(4);
    ARRAY(in, (n + p - 1) * (m + q - 1));
    ARRAY(weights, p * q);
    ARRAY(out, n * m);

    bench_fill(in);
    bench_fill(weights);
    bench_start();
    conv(n, m, p, q, in, weights, out);
    bench_stop();
}
