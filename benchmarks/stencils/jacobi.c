/* jacobi.c - a stencil of the shape that shape.h is given, from A to B.  Then B
 * is copied to A (Di and Xue, figure 1a), or with BACK=1 a step has a second
 * sweep, from B to A.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "shape.h"

#if BACK
#define BEHIND VALUE(B)
#else
#define BEHIND HERE(B)
#endif

KERNEL jacobi(I steps, I n, GRID(A), GRID(B))
{
    for (I t = 0; t < steps; t++) {
        SWEEP(HERE(B) = VALUE(A));
        SWEEP(HERE(A) = BEHIND);
    }
}

void bench_program(void)
{
    I steps = bench_size(1), n = bench_size(2);
    ARRAY(A, GRID_POINTS);
    ARRAY(B, GRID_POINTS);

    bench_fill(A);
    bench_fill(B);
    bench_start();
    jacobi(steps, n, A, B);
    bench_stop();
}
