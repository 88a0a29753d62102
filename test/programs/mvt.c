/* mvt.c - a matrix times a vector, and its transpose times another one.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "harness.h"

#if FORM == 1
enum { n = N };
T A[n][n];
T x[n];
T y[n];
T u[n];
T v[n];
#define PARAMETERS void
#define ARGUMENTS
#else
#if FORM == 2
#define PARAMETERS int n, T A[n][n], T x[n], T y[n], T u[n], T v[n]
#else
#define PARAMETERS int n, T *A, T *x, T *y, T *u, T *v
#endif
#define ARGUMENTS n, (void *)A, (void *)x, (void *)y, (void *)u, (void *)v
#endif

__attribute__((noinline)) void mvt(PARAMETERS)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            x[i] += AT(A, i, j, n) * u[j];
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            y[i] += AT(A, j, i, n) * v[j];
}

int main(int argc, char **argv)
{
    harness_start(argc, argv);
    SIZE(n, 1);
    INPUT(A, n * n);
    INPUT(x, n);
    INPUT(y, n);
    INPUT(u, n);
    INPUT(v, n);
    mvt(ARGUMENTS);
    DUMP(A, n * n);
    DUMP(x, n);
    DUMP(y, n);
    DUMP(u, n);
    DUMP(v, n);
    return harness_end();
}
