/* fdtd-apml.c - one step of a magnetic field in three dimensions, with a
 * perfectly matched layer that absorbs waves in different ways along the axes.
 * Fields have one point more than cells in each dimension; at the last point of
 * a row or column the neighbour's field is one of the boundary.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "bench.h"

#define ROW (ny + 1)
#define DEPTH (nx + 1)
#define AT_FIELD(field, z, y, x) AT3(field, z, y, x, ROW, DEPTH)

/* The field at one point, from "curl" and the layer's coefficients there. */
#define UPDATE(z, y, x, difference)                                            \
    do {                                                                       \
        AT(curl, z, y, ROW) = difference;                                      \
        AT(flux, z, y, ROW) = (yminus[y] / yplus[y]) * AT_FIELD(b, z, y, x) -  \
                              (ch / yplus[y]) * AT(curl, z, y, ROW);           \
        AT_FIELD(h, z, y, x) =                                                 \
            (xminus[x] / xplus[x]) * AT_FIELD(h, z, y, x) +                    \
            (mu * zplus[z] / xplus[x]) * AT(flux, z, y, ROW) -                 \
            (mu * zminus[z] / xplus[x]) * AT_FIELD(b, z, y, x);                \
        AT_FIELD(b, z, y, x) = AT(flux, z, y, ROW);                            \
    } while (0)

KERNEL
fdtd_apml(I nz, I ny, I nx, T mu, T ch, ARRAY2(ax, nz + 1, nx + 1),
          ARRAY2(ry, nz + 1, ny + 1), ARRAY2(curl, nz + 1, ny + 1),
          ARRAY2(flux, nz + 1, ny + 1), ARRAY3(b, nz + 1, ny + 1, nx + 1),
          ARRAY3(ex, nz + 1, ny + 1, nx + 1),
          ARRAY3(ey, nz + 1, ny + 1, nx + 1), ARRAY3(h, nz + 1, ny + 1, nx + 1),
          ARRAY1(zminus, nz + 1), ARRAY1(zplus, nz + 1), ARRAY1(yminus, ny + 1),
          ARRAY1(yplus, ny + 1), ARRAY1(xminus, nx + 1), ARRAY1(xplus, nx + 1))
{
    for (I z = 0; z < nz; z++)
        for (I y = 0; y < ny; y++) {
            for (I x = 0; x < nx; x++)
                UPDATE(z, y, x,
                       AT_FIELD(ex, z, y, x) - AT_FIELD(ex, z, y + 1, x) +
                           AT_FIELD(ey, z, y, x + 1) - AT_FIELD(ey, z, y, x));
            UPDATE(z, y, nx,
                   AT_FIELD(ex, z, y, nx) - AT_FIELD(ex, z, y + 1, nx) +
                       AT(ry, z, y, ROW) - AT_FIELD(ey, z, y, nx));
            for (I x = 0; x < nx; x++)
                UPDATE(z, ny, x,
                       AT_FIELD(ex, z, ny, x) - AT(ax, z, x, DEPTH) +
                           AT_FIELD(ey, z, ny, x + 1) - AT_FIELD(ey, z, ny, x));
            UPDATE(z, ny, nx,
                   AT_FIELD(ex, z, ny, nx) - AT(ax, z, nx, DEPTH) +
                       AT(ry, z, ny, ROW) - AT_FIELD(ey, z, ny, nx));
        }
}

void bench_program(void)
{
    I nz = bench_size(1), ny = bench_size(2), nx = bench_size(3);
    I points = (nz + 1) * (ny + 1) * (nx + 1);
    T mu = (T)bench_random(), ch = (T)bench_random();
    ARRAY(ax, (nz + 1) * (nx + 1));
    ARRAY(ry, (nz + 1) * (ny + 1));
    ARRAY(curl, (nz + 1) * (ny + 1));
    ARRAY(flux, (nz + 1) * (ny + 1));
    ARRAY(b, points);
    ARRAY(ex, points);
    ARRAY(ey, points);
    ARRAY(h, points);
    ARRAY(zminus, nz + 1);
    ARRAY(zplus, nz + 1);
    ARRAY(yminus, ny + 1);
    ARRAY(yplus, ny + 1);
    ARRAY(xminus, nx + 1);
    ARRAY(xplus, nx + 1);

    bench_fill(ax);
    bench_fill(ry);
    bench_fill(b);
    bench_fill(ex);
    bench_fill(ey);
    bench_fill(h);
    bench_fill(zminus);
    bench_fill(zplus);
    bench_fill(yminus);
    bench_fill(yplus);
    bench_fill(xminus);
    bench_fill(xplus);
    bench_start();
    fdtd_apml(nz, ny, nx, mu, ch, ax, ry, curl, flux, b, ex, ey, h, zminus,
              zplus, yminus, yplus, xminus, xplus);
    bench_stop();
}
