/* fft.c - the Fourier transform of 2^k complex numbers in k steps of sums and
 * differences of two, from one array to the other.  A step sees its arrays as
 * matrices: the input as 2 x half x width, the output as half x 2 x width.
 * Real and imaginary part are neighbours; w[i] is the i-th root of one of the
 * n-th order.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "bench.h"

#define IN(part, i, j, k) from[2 * (((part) * half + (i)) * width + (j)) + (k)]
#define OUT(i, part, j, k) to[2 * ((2 * (i) + (part)) * width + (j)) + (k)]

static inline void step(I half, I width, T *restrict from, T *restrict to,
                        T *restrict w)
{
    for (I i = 0; i < half; i++)
        for (I j = 0; j < width; j++) {
            T real = IN(0, i, j, 0) - IN(1, i, j, 0);
            T imaginary = IN(0, i, j, 1) - IN(1, i, j, 1);

            OUT(i, 0, j, 0) = IN(0, i, j, 0) + IN(1, i, j, 0);
            OUT(i, 0, j, 1) = IN(0, i, j, 1) + IN(1, i, j, 1);
            OUT(i, 1, j, 0) =
                real * w[2 * (i * width)] - imaginary * w[2 * (i * width) + 1];
            OUT(i, 1, j, 1) =
                real * w[2 * (i * width) + 1] + imaginary * w[2 * (i * width)];
        }
}

KERNEL fft(I k, T *x, T *y, T *w)
{
    for (I s = 0; s < k; s++)
        step((I)1 << (k - s - 1), (I)1 << s, s % 2 ? y : x, s % 2 ? x : y, w);
}

void bench_program(void)
{
    I k = bench_size(1), n = (I)1 << k;
    ARRAY(x, 2 * n);
    ARRAY(y, 2 * n);
    ARRAY(w, n);

    bench_fill(x);
    bench_fill(w);
    bench_start();
    fft(k, x, y, w);
    bench_stop();
}
