/* adi.c - the heat equation in 2-D by alternating directions: in each step,
 * tridiagonal systems along the columns give v from u, and along the rows u
 * from v.  p and q are the elimination's coefficients; the border is 1.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "bench.h"

KERNEL adi(I steps, I n, T count, T steps_count, ARRAY2(u, n, n),
           ARRAY2(v, n, n), ARRAY2(p, n, n), ARRAY2(q, n, n))
{
    T dx = 1 / count, dt = 1 / steps_count;
    T mu1 = 2 * dt / (dx * dx), mu2 = dt / (dx * dx);
    T a = -mu1 / 2, b = 1 + mu1, c = a;
    T d = -mu2 / 2, e = 1 + mu2, f = d;

    for (I t = 1; t <= steps; t++) {
        for (I i = 1; i < n - 1; i++) {
            AT(v, 0, i, n) = 1;
            AT(p, i, 0, n) = 0;
            AT(q, i, 0, n) = AT(v, 0, i, n);
            for (I j = 1; j < n - 1; j++) {
                AT(p, i, j, n) = -c / (a * AT(p, i, j - 1, n) + b);
                AT(q, i, j, n) =
                    (-d * AT(u, j, i - 1, n) + (1 + 2 * d) * AT(u, j, i, n) -
                     f * AT(u, j, i + 1, n) - a * AT(q, i, j - 1, n)) /
                    (a * AT(p, i, j - 1, n) + b);
            }
            AT(v, n - 1, i, n) = 1;
            for (I h = 1; h < n - 1; h++) {
                I j = n - 1 - h;

                AT(v, j, i, n) =
                    AT(p, i, j, n) * AT(v, j + 1, i, n) + AT(q, i, j, n);
            }
        }
        for (I i = 1; i < n - 1; i++) {
            AT(u, i, 0, n) = 1;
            AT(p, i, 0, n) = 0;
            AT(q, i, 0, n) = AT(u, i, 0, n);
            for (I j = 1; j < n - 1; j++) {
                AT(p, i, j, n) = -f / (d * AT(p, i, j - 1, n) + e);
                AT(q, i, j, n) =
                    (-a * AT(v, i - 1, j, n) + (1 + 2 * a) * AT(v, i, j, n) -
                     c * AT(v, i + 1, j, n) - d * AT(q, i, j - 1, n)) /
                    (d * AT(p, i, j - 1, n) + e);
            }
            AT(u, i, n - 1, n) = 1;
            for (I h = 1; h < n - 1; h++) {
                I j = n - 1 - h;

                AT(u, i, j, n) =
                    AT(p, i, j, n) * AT(u, i, j + 1, n) + AT(q, i, j, n);
            }
        }
    }
}

void bench_program(void)
{
    I steps = bench_size(1), n = bench_size(2);
    ARRAY(u, n * n);
    ARRAY(v, n * n);
    ARRAY(p, n * n);
    ARRAY(q, n * n);

    bench_fill(u);
    bench_start();
    adi(steps, n, (T)n, (T)steps, u, v, p, q);
    bench_stop();
}
