/* bicg.c - the two products of a biconjugate gradient step: s = A^T r and
 * q = A p, in one sweep.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "bench.h"

KERNEL bicg(I m, I n, ARRAY2(A, n, m), ARRAY1(s, m), ARRAY1(q, n), ARRAY1(p, m),
            ARRAY1(r, n))
{
    for (I j = 0; j < m; j++)
        s[j] = 0;
    for (I i = 0; i < n; i++) {
        q[i] = 0;
        for (I j = 0; j < m; j++) {
            s[j] += r[i] * AT(A, i, j, m);
            q[i] += AT(A, i, j, m) * p[j];
        }
    }
}

void bench_program(void)
{
    I m = bench_size(1), n = bench_size(2);
    ARRAY(A, n * m);
    ARRAY(s, m);
    ARRAY(q, n);
    ARRAY(p, m);
    ARRAY(r, n);

    bench_fill(A);
    bench_fill(p);
    bench_fill(r);
    bench_start();
    bicg(m, n, A, s, q, p, r);
    bench_stop();
}
