/* 3mm.c - three products: E = A B, F = C D, G = E F.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "bench.h"

KERNEL mm3(I n, I m, I k, I l, I p, ARRAY2(A, n, k), ARRAY2(B, k, m),
           ARRAY2(C, m, p), ARRAY2(D, p, l), ARRAY2(E, n, m), ARRAY2(F, m, l),
           ARRAY2(G, n, l))
{
    for (I i = 0; i < n; i++)
        for (I j = 0; j < m; j++) {
            AT(E, i, j, m) = 0;
            for (I h = 0; h < k; h++)
                AT(E, i, j, m) += AT(A, i, h, k) * AT(B, h, j, m);
        }
    for (I i = 0; i < m; i++)
        for (I j = 0; j < l; j++) {
            AT(F, i, j, l) = 0;
            for (I h = 0; h < p; h++)
                AT(F, i, j, l) += AT(C, i, h, p) * AT(D, h, j, l);
        }
    for (I i = 0; i < n; i++)
        for (I j = 0; j < l; j++) {
            AT(G, i, j, l) = 0;
            for (I h = 0; h < m; h++)
                AT(G, i, j, l) += AT(E, i, h, m) * AT(F, h, j, l);
        }
}

void bench_program(void)
{
    I n = bench_size(1), m = bench_size(2), k = bench_size(3),
      l = bench_size(4), p = bench_size(5);
    ARRAY(A, n * k);
    ARRAY(B, k * m);
    ARRAY(C, m * p);
    ARRAY(D, p * l);
    ARRAY(E, n * m);
    ARRAY(F, m * l);
    ARRAY(G, n * l);

    bench_fill(A);
    bench_fill(B);
    bench_fill(C);
    bench_fill(D);
    bench_start();
    mm3(n, m, k, l, p, A, B, C, D, E, F, G);
    bench_stop();
}
