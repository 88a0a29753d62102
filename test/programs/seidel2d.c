/* seidel2d.c - Gauss-Seidel: nine-point stencil in place.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "harness.h"

#if FORM == 1
enum { steps = STEPS, n = N };
T A[n][n];
#define PARAMETERS void
#define ARGUMENTS
#else
#if FORM == 2
#define PARAMETERS int steps, int n, T A[n][n]
#else
#define PARAMETERS int steps, int n, T *A
#endif
#define ARGUMENTS steps, n, (void *)A
#endif

__attribute__((noinline)) void seidel2d(PARAMETERS)
{
    for (int t = 0; t < steps; t++)
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++)
                AT(A, i, j, n) = (AT(A, i - 1, j - 1, n) + AT(A, i - 1, j, n) +
                                  AT(A, i - 1, j + 1, n) + AT(A, i, j - 1, n) +
                                  AT(A, i, j, n) + AT(A, i, j + 1, n) +
                                  AT(A, i + 1, j - 1, n) + AT(A, i + 1, j, n) +
                                  AT(A, i + 1, j + 1, n)) /
                                 9;
}

int main(int argc, char **argv)
{
    harness_start(argc, argv);
    SIZE(steps, 1);
    SIZE(n, 2);
    INPUT(A, n * n);
    seidel2d(ARGUMENTS);
    DUMP(A, n * n);
    return harness_end();
}
