/* heat-3d.c - the heat equation in 3-D, explicitly, from A to B and back in
 * each step.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "bench.h"

/* One eighth of the second difference of X along one of the three axes. */
#define ALONG_H(X)                                                             \
    ((AT3(X, h + 1, i, j, n, n) - 2 * AT3(X, h, i, j, n, n) +                  \
      AT3(X, h - 1, i, j, n, n)) /                                             \
     8)
#define ALONG_I(X)                                                             \
    ((AT3(X, h, i + 1, j, n, n) - 2 * AT3(X, h, i, j, n, n) +                  \
      AT3(X, h, i - 1, j, n, n)) /                                             \
     8)
#define ALONG_J(X)                                                             \
    ((AT3(X, h, i, j + 1, n, n) - 2 * AT3(X, h, i, j, n, n) +                  \
      AT3(X, h, i, j - 1, n, n)) /                                             \
     8)

KERNEL heat_3d(I steps, I n, ARRAY3(A, n, n, n), ARRAY3(B, n, n, n))
{
    for (I t = 1; t <= steps; t++) {
        for (I h = 1; h < n - 1; h++)
            for (I i = 1; i < n - 1; i++)
                for (I j = 1; j < n - 1; j++)
                    AT3(B, h, i, j, n, n) = ALONG_H(A) + ALONG_I(A) +
                                            ALONG_J(A) + AT3(A, h, i, j, n, n);
        for (I h = 1; h < n - 1; h++)
            for (I i = 1; i < n - 1; i++)
                for (I j = 1; j < n - 1; j++)
                    AT3(A, h, i, j, n, n) = ALONG_H(B) + ALONG_I(B) +
                                            ALONG_J(B) + AT3(B, h, i, j, n, n);
    }
}

void bench_program(void)
{
    I steps = bench_size(1), n = bench_size(2);
    ARRAY(A, n * n * n);
    ARRAY(B, n * n * n);

    bench_fill(A);
    bench_fill(B);
    bench_start();
    heat_3d(steps, n, A, B);
    bench_stop();
}
