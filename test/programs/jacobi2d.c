/* jacobi2d.c - five-point stencil, from A to B and back in each step.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "harness.h"

#if FORM == 1
enum { steps = STEPS, n = N };
T A[n][n];
T B[n][n];
#define PARAMETERS void
#define ARGUMENTS
#else
#if FORM == 2
#define PARAMETERS int steps, int n, T A[n][n], T B[n][n]
#else
#define PARAMETERS int steps, int n, T *A, T *B
#endif
#define ARGUMENTS steps, n, (void *)A, (void *)B
#endif

__attribute__((noinline)) void jacobi2d(PARAMETERS)
{
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++)
                AT(B, i, j, n) =
                    (T)0.2 *
                    (AT(A, i, j, n) + AT(A, i, j - 1, n) + AT(A, i, j + 1, n) +
                     AT(A, i + 1, j, n) + AT(A, i - 1, j, n));
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++)
                AT(A, i, j, n) =
                    (T)0.2 *
                    (AT(B, i, j, n) + AT(B, i, j - 1, n) + AT(B, i, j + 1, n) +
                     AT(B, i + 1, j, n) + AT(B, i - 1, j, n));
    }
}

int main(int argc, char **argv)
{
    harness_start(argc, argv);
    SIZE(steps, 1);
    SIZE(n, 2);
    INPUT(A, n * n);
    INPUT(B, n * n);
    jacobi2d(ARGUMENTS);
    DUMP(A, n * n);
    DUMP(B, n * n);
    return harness_end();
}
