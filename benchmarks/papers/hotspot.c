/* hotspot.c - temperatures of a chip with rows x columns cells, each heated by
 * its power and connected to its neighbours and to the air.  No heat leaves at
 * the borders.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "bench.h"

#define OLD(r, c) AT(old, r, c, columns)

KERNEL hotspot(I steps, I rows, I columns, T speed, T rx, T ry, T rz, T air,
               ARRAY2(power, rows, columns), ARRAY2(old, rows, columns),
               ARRAY2(new, rows, columns))
{
    for (I t = 0; t < steps; t++) {
        for (I r = 0; r < rows; r++)
            for (I c = 0; c < columns; c++) {
                T here = OLD(r, c), x, y;

                if (r == 0)
                    y = OLD(r + 1, c) - here;
                else if (r == rows - 1)
                    y = OLD(r - 1, c) - here;
                else
                    y = OLD(r + 1, c) + OLD(r - 1, c) - 2 * here;
                if (c == 0)
                    x = OLD(r, c + 1) - here;
                else if (c == columns - 1)
                    x = OLD(r, c - 1) - here;
                else
                    x = OLD(r, c + 1) + OLD(r, c - 1) - 2 * here;
                AT(new, r, c, columns) =
                    here + speed * (AT(power, r, c, columns) + y * ry + x * rx +
                                    (air - here) * rz);
            }
        for (I r = 0; r < rows; r++)
            for (I c = 0; c < columns; c++)
                AT(old, r, c, columns) = AT(new, r, c, columns);
    }
}

void bench_program(void)
{
    I steps = bench_size(1), rows = bench_size(2), columns = bench_size(3);
    T speed = (T)0.125, air = (T)bench_random();
    T rx = (T)bench_random() / 4, ry = (T)bench_random() / 4;
    T rz = (T)bench_random() / 4;
    ARRAY(power, rows * columns);
    ARRAY(old, rows * columns);
    ARRAY(new, rows * columns);

    bench_fill(power);
    bench_fill(old);
    bench_start();
    hotspot(steps, rows, columns, speed, rx, ry, rz, air, power, old, new);
    bench_stop();
}
