/* correlation.c - correlations of m variables that were observed n times.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "bench.h"

KERNEL correlation(I m, I n, T count, ARRAY2(data, n, m), ARRAY2(corr, m, m),
                   ARRAY1(mean, m), ARRAY1(dev, m))
{
    for (I j = 0; j < m; j++) {
        mean[j] = 0;
        for (I i = 0; i < n; i++)
            mean[j] += AT(data, i, j, m);
        mean[j] /= count;
    }
    for (I j = 0; j < m; j++) {
        dev[j] = 0;
        for (I i = 0; i < n; i++)
            dev[j] +=
                (AT(data, i, j, m) - mean[j]) * (AT(data, i, j, m) - mean[j]);
        dev[j] /= count;
        dev[j] = sqrt(dev[j]);
        /* A variable that hardly varies must not divide by zero below. */
        dev[j] = dev[j] <= (T)0.1 ? (T)1 : dev[j];
    }
    for (I i = 0; i < n; i++)
        for (I j = 0; j < m; j++) {
            AT(data, i, j, m) -= mean[j];
            AT(data, i, j, m) /= sqrt(count) * dev[j];
        }
    for (I i = 0; i < m - 1; i++) {
        AT(corr, i, i, m) = 1;
        for (I j = i + 1; j < m; j++) {
            AT(corr, i, j, m) = 0;
            for (I k = 0; k < n; k++)
                AT(corr, i, j, m) += AT(data, k, i, m) * AT(data, k, j, m);
            AT(corr, j, i, m) = AT(corr, i, j, m);
        }
    }
    AT(corr, m - 1, m - 1, m) = 1;
}

void bench_program(void)
{
    I m = bench_size(1), n = bench_size(2);
    ARRAY(data, n * m);
    ARRAY(corr, m * m);
    ARRAY(mean, m);
    ARRAY(dev, m);

    bench_fill(data);
    bench_start();
    correlation(m, n, (T)n, data, corr, mean, dev);
    bench_stop();
}
