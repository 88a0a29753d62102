/* floyd-warshall.c - lengths of the shortest paths between all pairs of nodes.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "bench.h"

KERNEL floyd_warshall(I n, ARRAY2(path, n, n))
{
    for (I k = 0; k < n; k++)
        for (I i = 0; i < n; i++)
            for (I j = 0; j < n; j++) {
                T through = AT(path, i, k, n) + AT(path, k, j, n);

                AT(path, i, j, n) =
                    AT(path, i, j, n) < through ? AT(path, i, j, n) : through;
            }
}

void bench_program(void)
{
    I n = bench_size(1);
    ARRAY(path, n * n);

    bench_integers(path, 1, 999);
    bench_start();
    floyd_warshall(n, path);
    bench_stop();
}
