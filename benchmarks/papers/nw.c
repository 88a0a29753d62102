/* nw.c - Needleman and Wunsch's alignment of two sequences: the best score of
 * their beginnings, of lengths i and j.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "bench.h"

static inline T larger(T a, T b)
{
    return a >= b ? a : b;
}

KERNEL nw(I n, T penalty, ARRAY2(similar, n, n), ARRAY2(score, n, n))
{
    for (I i = 0; i < n; i++) {
        AT(score, i, 0, n) = -(T)i * penalty;
        AT(score, 0, i, n) = -(T)i * penalty;
    }
    for (I i = 1; i < n; i++)
        for (I j = 1; j < n; j++)
            AT(score, i, j, n) =
                larger(AT(score, i - 1, j - 1, n) + AT(similar, i, j, n),
                       larger(AT(score, i, j - 1, n) - penalty,
                              AT(score, i - 1, j, n) - penalty));
}

void bench_program(void)
{
    I n = bench_size(1);
    T penalty = (T)bench_size(2);
    ARRAY(similar, n * n);
    ARRAY(score, n * n);

    bench_integers(similar, -4, 11);
    bench_start();
    nw(n, penalty, similar, score);
    bench_stop();
}
