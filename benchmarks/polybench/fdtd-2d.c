/* fdtd-2d.c - finite differences in the time domain: an electric field (ex, ey)
 * and a magnetic field hz in 2-D, with a given source along one edge.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "bench.h"

KERNEL fdtd_2d(I steps, I n, I m, ARRAY2(ex, n, m), ARRAY2(ey, n, m),
               ARRAY2(hz, n, m), ARRAY1(source, steps))
{
    for (I t = 0; t < steps; t++) {
        for (I j = 0; j < m; j++)
            AT(ey, 0, j, m) = source[t];
        for (I i = 1; i < n; i++)
            for (I j = 0; j < m; j++)
                AT(ey, i, j, m) -=
                    (T)0.5 * (AT(hz, i, j, m) - AT(hz, i - 1, j, m));
        for (I i = 0; i < n; i++)
            for (I j = 1; j < m; j++)
                AT(ex, i, j, m) -=
                    (T)0.5 * (AT(hz, i, j, m) - AT(hz, i, j - 1, m));
        for (I i = 0; i < n - 1; i++)
            for (I j = 0; j < m - 1; j++)
                AT(hz, i, j, m) -=
                    (T)0.7 * (AT(ex, i, j + 1, m) - AT(ex, i, j, m) +
                              AT(ey, i + 1, j, m) - AT(ey, i, j, m));
    }
}

void bench_program(void)
{
    I steps = bench_size(1), n = bench_size(2), m = bench_size(3);
    ARRAY(ex, n * m);
    ARRAY(ey, n * m);
    ARRAY(hz, n * m);
    ARRAY(source, steps);

    bench_fill(ex);
    bench_fill(ey);
    bench_fill(hz);
    bench_fill(source);
    bench_start();
    fdtd_2d(steps, n, m, ex, ey, hz, source);
    bench_stop();
}
