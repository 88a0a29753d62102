/* demosaic.c - colours of an image whose sensor sees one of them at each point:
 * red where row and column are even, blue where both are odd, green elsewhere.
 * What a point does not see is the mean of its neighbours that do.  The border
 * stays as it is.  With STEPS the loops go in steps of two; without, conditions
 * on the counters tell the four kinds of points apart.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "bench.h"

#define RAW(i, j) AT(raw, i, j, m)
#define AROUND(i, j)                                                           \
    ((RAW((i) - 1, j) + RAW((i) + 1, j) + RAW(i, (j) - 1) + RAW(i, (j) + 1)) / \
     4)
#define CORNERS(i, j)                                                          \
    ((RAW((i) - 1, (j) - 1) + RAW((i) - 1, (j) + 1) + RAW((i) + 1, (j) - 1) +  \
      RAW((i) + 1, (j) + 1)) /                                                 \
     4)
#define BESIDE(i, j) ((RAW(i, (j) - 1) + RAW(i, (j) + 1)) / 2)
#define ABOVE(i, j) ((RAW((i) - 1, j) + RAW((i) + 1, j)) / 2)

#define SET(i, j, r, g, b)                                                     \
    do {                                                                       \
        AT(red, i, j, m) = r;                                                  \
        AT(green, i, j, m) = g;                                                \
        AT(blue, i, j, m) = b;                                                 \
    } while (0)

KERNEL demosaic(I n, I m, ARRAY2(raw, n, m), ARRAY2(red, n, m),
                ARRAY2(green, n, m), ARRAY2(blue, n, m))
{
#ifdef STEPS
    for (I i = 2; i < n - 1; i += 2)
        for (I j = 2; j < m - 1; j += 2)
            SET(i, j, RAW(i, j), AROUND(i, j), CORNERS(i, j));
    for (I i = 2; i < n - 1; i += 2)
        for (I j = 1; j < m - 1; j += 2)
            SET(i, j, BESIDE(i, j), RAW(i, j), ABOVE(i, j));
    for (I i = 1; i < n - 1; i += 2)
        for (I j = 2; j < m - 1; j += 2)
            SET(i, j, ABOVE(i, j), RAW(i, j), BESIDE(i, j));
    for (I i = 1; i < n - 1; i += 2)
        for (I j = 1; j < m - 1; j += 2)
            SET(i, j, CORNERS(i, j), AROUND(i, j), RAW(i, j));
#else
    for (I i = 1; i < n - 1; i++)
        for (I j = 1; j < m - 1; j++)
            if (i % 2 == 0 && j % 2 == 0)
                SET(i, j, RAW(i, j), AROUND(i, j), CORNERS(i, j));
            else if (i % 2 == 0)
                SET(i, j, BESIDE(i, j), RAW(i, j), ABOVE(i, j));
            else if (j % 2 == 0)
                SET(i, j, ABOVE(i, j), RAW(i, j), BESIDE(i, j));
            else
                SET(i, j, CORNERS(i, j), AROUND(i, j), RAW(i, j));
#endif
}

void bench_program(void)
{
    I n = bench_size(1), m = bench_size(2);
    ARRAY(raw, n * m);
    ARRAY(red, n * m);
    ARRAY(green, n * m);
    ARRAY(blue, n * m);

    bench_fill(raw);
    bench_start();
    demosaic(n, m, raw, red, green, blue);
    bench_stop();
}
