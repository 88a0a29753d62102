/* kmeans.c - n points of m features in k groups: each point goes to the group
 * whose centre is next, then centres are the means of their points.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "bench.h"

KERNEL kmeans(I steps, I n, I m, I k, ARRAY2(points, n, m),
              ARRAY2(centres, k, m), int *group, int *size)
{
    for (I t = 0; t < steps; t++) {
        for (I i = 0; i < n; i++) {
            T best = 0;
            int nearest = -1;

            for (I j = 0; j < k; j++) {
                T distance = 0;

                for (I l = 0; l < m; l++) {
                    T d = AT(points, i, l, m) - AT(centres, j, l, m);

                    distance += d * d;
                }
                if (nearest < 0 || distance < best) {
                    best = distance;
                    nearest = (int)j;
                }
            }
            group[i] = nearest;
        }
        for (I j = 0; j < k; j++) {
            size[j] = 0;
            for (I l = 0; l < m; l++)
                AT(centres, j, l, m) = 0;
        }
        for (I i = 0; i < n; i++) {
            size[group[i]]++;
            for (I l = 0; l < m; l++)
                AT(centres, group[i], l, m) += AT(points, i, l, m);
        }
        for (I j = 0; j < k; j++)
            for (I l = 0; l < m; l++)
                if (size[j] > 0)
                    AT(centres, j, l, m) /= (T)size[j];
    }
}

void bench_program(void)
{
    I steps = bench_size(1), n = bench_size(2), m = bench_size(3),
      k = bench_size(4);
    ARRAY(points, n * m);
    ARRAY(centres, k * m);
    int *group = bench_array("group", (size_t)n, BENCH_INT);
    int *size = bench_array("size", (size_t)k, BENCH_INT);

    bench_fill(points);
    bench_fill(centres);
    bench_start();
    kmeans(steps, n, m, k, points, centres, group, size);
    bench_stop();
}
