/* nussinov.c - Nussinov's folding of RNA: the most pairs of bases between
 * positions i and j, for all i < j.  Bases are 0 to 3, and two pair if they sum
 * up to 3.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "bench.h"

static inline T larger(T a, T b)
{
    return a >= b ? a : b;
}

static inline T match(T a, T b)
{
    return a + b == 3 ? 1 : 0;
}

KERNEL nussinov(I n, ARRAY1(seq, n), ARRAY2(most, n, n))
{
    for (I h = 0; h < n; h++) {
        I i = n - 1 - h;

        for (I j = i + 1; j < n; j++) {
            AT(most, i, j, n) =
                larger(AT(most, i, j, n), AT(most, i, j - 1, n));
            if (i + 1 < n) {
                AT(most, i, j, n) =
                    larger(AT(most, i, j, n), AT(most, i + 1, j, n));
                /* Neighbours do not pair. */
                if (i < j - 1)
                    AT(most, i, j, n) =
                        larger(AT(most, i, j, n), AT(most, i + 1, j - 1, n) +
                                                      match(seq[i], seq[j]));
                else
                    AT(most, i, j, n) =
                        larger(AT(most, i, j, n), AT(most, i + 1, j - 1, n));
            }
            for (I k = i + 1; k < j; k++)
                AT(most, i, j, n) =
                    larger(AT(most, i, j, n),
                           AT(most, i, k, n) + AT(most, k + 1, j, n));
        }
    }
}

void bench_program(void)
{
    I n = bench_size(1);
    ARRAY(seq, n);
    ARRAY(most, n * n);

    bench_integers(seq, 0, 3);
    bench_zero(most);
    bench_start();
    nussinov(n, seq, most);
    bench_stop();
}
