/* sor.c - successive over-relaxation: each point of A moves, in place, past the
 * mean of itself and its neighbours.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "shape.h"

KERNEL sor(I steps, I n, GRID(A))
{
    for (I t = 0; t < steps; t++)
        SWEEP(HERE(A) += (T)1.25 * (VALUE(A) - HERE(A)));
}

void bench_program(void)
{
    I steps = bench_size(1), n = bench_size(2);
    ARRAY(A, GRID_POINTS);

    bench_fill(A);
    bench_start();
    sor(steps, n, A);
    bench_stop();
}
