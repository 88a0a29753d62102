/* jacobi1d.c - mean of three neighbours, from A to B and back in each step.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "harness.h"

#if FORM == 1
enum { steps = STEPS, n = N };
T A[n];
T B[n];
#define PARAMETERS void
#define ARGUMENTS
#else
#if FORM == 2
#define PARAMETERS int steps, int n, T A[n], T B[n]
#else
#define PARAMETERS int steps, int n, T *A, T *B
#endif
#define ARGUMENTS steps, n, (void *)A, (void *)B
#endif

__attribute__((noinline)) void jacobi1d(PARAMETERS)
{
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            B[i] = (A[i - 1] + A[i] + A[i + 1]) / 3;
        for (int i = 1; i < n - 1; i++)
            A[i] = (B[i - 1] + B[i] + B[i + 1]) / 3;
    }
}

int main(int argc, char **argv)
{
    harness_start(argc, argv);
    SIZE(steps, 1);
    SIZE(n, 2);
    INPUT(A, n);
    INPUT(B, n);
    jacobi1d(ARGUMENTS);
    DUMP(A, n);
    DUMP(B, n);
    return harness_end();
}
