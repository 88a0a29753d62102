/* imregionmax.c - which points of an image have no larger neighbour among the
 * eight around them?
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "bench.h"

KERNEL imregionmax(I n, I m, ARRAY2(in, n, m), ARRAY2(out, n, m))
{
    for (I i = 1; i < n - 1; i++)
        for (I j = 1; j < m - 1; j++) {
            T here = AT(in, i, j, m);
            T most = 1;

            for (I k = -1; k <= 1; k++)
                for (I l = -1; l <= 1; l++)
                    if (AT(in, i + k, j + l, m) > here)
                        most = 0;
            AT(out, i, j, m) = most;
        }
}

void bench_program(void)
{
    I n = bench_size(1), m = bench_size(2);
    ARRAY(in, n * m);
    ARRAY(out, n * m);

    bench_integers(in, 0, 15);
    bench_start();
    imregionmax(n, m, in, out);
    bench_stop();
}
