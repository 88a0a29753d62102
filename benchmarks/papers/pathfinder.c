/* pathfinder.c - the cheapest ways through a grid from the first row to each
 * point of the last one, by one column at most from row to row.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "bench.h"

static inline T smaller(T a, T b)
{
    return a <= b ? a : b;
}

KERNEL pathfinder(I rows, I columns, ARRAY2(wall, rows, columns),
                  T *restrict from, T *restrict to)
{
    for (I j = 0; j < columns; j++)
        from[j] = AT(wall, 0, j, columns);
    for (I i = 1; i < rows; i++) {
        T *other = from;

        for (I j = 0; j < columns; j++) {
            T least = from[j];

            if (j > 0)
                least = smaller(least, from[j - 1]);
            if (j < columns - 1)
                least = smaller(least, from[j + 1]);
            to[j] = AT(wall, i, j, columns) + least;
        }
        from = to;
        to = other;
    }
}

void bench_program(void)
{
    I rows = bench_size(1), columns = bench_size(2);
    ARRAY(wall, rows * columns);
    ARRAY(a, columns);
    ARRAY(b, columns);

    bench_integers(wall, 0, 9);
    bench_start();
    pathfinder(rows, columns, wall, a, b);
    bench_stop();
}
