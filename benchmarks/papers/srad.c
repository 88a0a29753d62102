/* srad.c - speckles of an image are smoothed by diffusion whose coefficients
 * depend on how much a point differs from its neighbours, beside the variation
 * in a part of the image.  Points of the border are their own neighbours.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "bench.h"

#define IMAGE(i, j) AT(image, i, j, m)
#define C(i, j) AT(c, i, j, m)

KERNEL srad(I steps, I n, I m, I rows, I columns, T lambda, ARRAY2(image, n, m),
            ARRAY2(c, n, m), ARRAY2(north, n, m), ARRAY2(south, n, m),
            ARRAY2(west, n, m), ARRAY2(east, n, m))
{
    for (I t = 0; t < steps; t++) {
        T sum = 0, squares = 0;

        for (I i = 0; i < rows; i++)
            for (I j = 0; j < columns; j++) {
                sum += IMAGE(i, j);
                squares += IMAGE(i, j) * IMAGE(i, j);
            }
        T mean = sum / (T)(rows * columns);
        T variance = squares / (T)(rows * columns) - mean * mean;
        T q0 = variance / (mean * mean);

        for (I i = 0; i < n; i++)
            for (I j = 0; j < m; j++) {
                T here = IMAGE(i, j);
                T dn = IMAGE(i > 0 ? i - 1 : 0, j) - here;
                T ds = IMAGE(i < n - 1 ? i + 1 : n - 1, j) - here;
                T dw = IMAGE(i, j > 0 ? j - 1 : 0) - here;
                T de = IMAGE(i, j < m - 1 ? j + 1 : m - 1) - here;
                T g = (dn * dn + ds * ds + dw * dw + de * de) / (here * here);
                T l = (dn + ds + dw + de) / here;
                T number = (T)0.5 * g - (T)0.0625 * l * l;
                T root = 1 + (T)0.25 * l;
                T q = number / (root * root);
                T k = 1 / (1 + (q - q0) / (q0 * (1 + q0)));

                AT(north, i, j, m) = dn;
                AT(south, i, j, m) = ds;
                AT(west, i, j, m) = dw;
                AT(east, i, j, m) = de;
                C(i, j) = k < 0 ? 0 : k > 1 ? 1 : k;
            }
        for (I i = 0; i < n; i++)
            for (I j = 0; j < m; j++) {
                T d = C(i, j) * AT(north, i, j, m) +
                      C(i < n - 1 ? i + 1 : n - 1, j) * AT(south, i, j, m) +
                      C(i, j) * AT(west, i, j, m) +
                      C(i, j < m - 1 ? j + 1 : m - 1) * AT(east, i, j, m);

                IMAGE(i, j) += (T)0.25 * lambda * d;
            }
    }
}

void bench_program(void)
{
    I steps = bench_size(1), n = bench_size(2), m = bench_size(3);
    I rows = bench_size(4), columns = bench_size(5);
    ARRAY(image, n * m);
    ARRAY(c, n * m);
    ARRAY(north, n * m);
    ARRAY(south, n * m);
    ARRAY(west, n * m);
    ARRAY(east, n * m);

    bench_positive(image);
    bench_start();
    srad(steps, n, m, rows, columns, (T)0.5, image, c, north, south, west,
         east);
    bench_stop();
}
