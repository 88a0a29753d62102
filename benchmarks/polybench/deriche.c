/* deriche.c - Deriche's recursive smoothing filter of an image: along each row
 * a pass forwards and one backwards, whose sum goes through the same along each
 * column.  alpha is the inverse width of the filter.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "bench.h"

KERNEL deriche(I w, I h, T alpha, ARRAY2(in, w, h), ARRAY2(out, w, h),
               ARRAY2(y1, w, h), ARRAY2(y2, w, h))
{
    T e = exp(-alpha);
    T k = (1 - e) * (1 - e) / (1 + 2 * alpha * e - e * e);
    T a0 = k, a1 = k * e * (alpha - 1);
    T a2 = k * e * (alpha + 1), a3 = -k * e * e;
    T b1 = 2 * e, b2 = -e * e;

    for (I i = 0; i < w; i++) {
        T x_1 = 0, y_1 = 0, y_2 = 0;

        for (I j = 0; j < h; j++) {
            AT(y1, i, j, h) =
                a0 * AT(in, i, j, h) + a1 * x_1 + b1 * y_1 + b2 * y_2;
            x_1 = AT(in, i, j, h);
            y_2 = y_1;
            y_1 = AT(y1, i, j, h);
        }
    }
    for (I i = 0; i < w; i++) {
        T x_1 = 0, x_2 = 0, y_1 = 0, y_2 = 0;

        for (I g = 0; g < h; g++) {
            I j = h - 1 - g;

            AT(y2, i, j, h) = a2 * x_1 + a3 * x_2 + b1 * y_1 + b2 * y_2;
            x_2 = x_1;
            x_1 = AT(in, i, j, h);
            y_2 = y_1;
            y_1 = AT(y2, i, j, h);
        }
    }
    for (I i = 0; i < w; i++)
        for (I j = 0; j < h; j++)
            AT(out, i, j, h) = AT(y1, i, j, h) + AT(y2, i, j, h);

    for (I j = 0; j < h; j++) {
        T x_1 = 0, y_1 = 0, y_2 = 0;

        for (I i = 0; i < w; i++) {
            AT(y1, i, j, h) =
                a0 * AT(out, i, j, h) + a1 * x_1 + b1 * y_1 + b2 * y_2;
            x_1 = AT(out, i, j, h);
            y_2 = y_1;
            y_1 = AT(y1, i, j, h);
        }
    }
    for (I j = 0; j < h; j++) {
        T x_1 = 0, x_2 = 0, y_1 = 0, y_2 = 0;

        for (I g = 0; g < w; g++) {
            I i = w - 1 - g;

            AT(y2, i, j, h) = a2 * x_1 + a3 * x_2 + b1 * y_1 + b2 * y_2;
            x_2 = x_1;
            x_1 = AT(out, i, j, h);
            y_2 = y_1;
            y_1 = AT(y2, i, j, h);
        }
    }
    for (I i = 0; i < w; i++)
        for (I j = 0; j < h; j++)
            AT(out, i, j, h) = AT(y1, i, j, h) + AT(y2, i, j, h);
}

void bench_program(void)
{
    I w = bench_size(1), h = bench_size(2);
    ARRAY(in, w * h);
    ARRAY(out, w * h);
    ARRAY(y1, w * h);
    ARRAY(y2, w * h);

    bench_fill(in);
    bench_start();
    deriche(w, h, (T)0.25, in, out, y1, y2);
    bench_stop();
}
