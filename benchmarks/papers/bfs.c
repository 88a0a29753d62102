/* bfs.c - distances from one node of a graph to all others, step by step: the
 * nodes that were reached in the last step reach their neighbours.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "bench.h"

KERNEL bfs(I n, I degree, ARRAY1(number, n), ARRAY2(edges, n, degree),
           ARRAY1(front, n), ARRAY1(next, n), ARRAY1(seen, n),
           ARRAY1(distance, n))
{
    T more = 1;

    while (more) {
        more = 0;
        for (I i = 0; i < n; i++)
            if (front[i]) {
                front[i] = 0;
                for (I k = 0; k < number[i]; k++) {
                    I other = (I)AT(edges, i, k, degree);

                    if (!seen[other]) {
                        distance[other] = distance[i] + 1;
                        next[other] = 1;
                    }
                }
            }
        for (I i = 0; i < n; i++)
            if (next[i]) {
                front[i] = 1;
                seen[i] = 1;
                next[i] = 0;
                more = 1;
            }
    }
}

void bench_program(void)
{
    I n = bench_size(1), degree = bench_size(2);
    ARRAY(number, n);
    ARRAY(edges, n * degree);
    ARRAY(front, n);
    ARRAY(next, n);
    ARRAY(seen, n);
    ARRAY(distance, n);

    bench_integers(number, 0, degree);
    bench_integers(edges, 0, n - 1);
    bench_zero(front);
    bench_zero(next);
    bench_zero(seen);
    bench_zero(distance);
    ((T *)front)[0] = ((T *)seen)[0] = 1;
    bench_start();
    bfs(n, degree, number, edges, front, next, seen, distance);
    bench_stop();
}
