/* covariance.c - covariances of m variables that were observed n times.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "bench.h"

KERNEL covariance(I m, I n, T count, ARRAY2(data, n, m), ARRAY2(cov, m, m),
                  ARRAY1(mean, m))
{
    for (I j = 0; j < m; j++) {
        mean[j] = 0;
        for (I i = 0; i < n; i++)
            mean[j] += AT(data, i, j, m);
        mean[j] /= count;
    }
    for (I i = 0; i < n; i++)
        for (I j = 0; j < m; j++)
            AT(data, i, j, m) -= mean[j];
    for (I i = 0; i < m; i++)
        for (I j = i; j < m; j++) {
            AT(cov, i, j, m) = 0;
            for (I k = 0; k < n; k++)
                AT(cov, i, j, m) += AT(data, k, i, m) * AT(data, k, j, m);
            AT(cov, i, j, m) /= count - 1;
            AT(cov, j, i, m) = AT(cov, i, j, m);
        }
}

void bench_program(void)
{
    I m = bench_size(1), n = bench_size(2);
    ARRAY(data, n * m);
    ARRAY(cov, m * m);
    ARRAY(mean, m);

    bench_fill(data);
    bench_start();
    covariance(m, n, (T)n, data, cov, mean);
    bench_stop();
}
