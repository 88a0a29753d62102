/* doitgen.c - each row (r, q) of a tensor times a matrix, in place through a
 * row that all share.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "bench.h"

KERNEL doitgen(I nq, I nr, I np, ARRAY3(A, nr, nq, np), ARRAY2(C, np, np),
               ARRAY1(sum, np))
{
    for (I r = 0; r < nr; r++)
        for (I q = 0; q < nq; q++) {
            for (I p = 0; p < np; p++) {
                sum[p] = 0;
                for (I s = 0; s < np; s++)
                    sum[p] += AT3(A, r, q, s, nq, np) * AT(C, s, p, np);
            }
            for (I p = 0; p < np; p++)
                AT3(A, r, q, p, nq, np) = sum[p];
        }
}

void bench_program(void)
{
    I nq = bench_size(1), nr = bench_size(2), np = bench_size(3);
    ARRAY(A, nr * nq * np);
    ARRAY(C, np * np);
    ARRAY(sum, np);

    bench_fill(A);
    bench_fill(C);
    bench_start();
    doitgen(nq, nr, np, A, C, sum);
    bench_stop();
}
