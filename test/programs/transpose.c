/* transpose.c - matrix transpose: B = A^T.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "harness.h"

#if FORM == 1
enum { n = N, m = M };
T A[n][m];
T B[m][n];
#define PARAMETERS void
#define ARGUMENTS
#else
#if FORM == 2
#define PARAMETERS int n, int m, T A[n][m], T B[m][n]
#else
#define PARAMETERS int n, int m, T *A, T *B
#endif
#define ARGUMENTS n, m, (void *)A, (void *)B
#endif

__attribute__((noinline)) void transpose(PARAMETERS)
{
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++)
            AT(B, i, j, n) = AT(A, j, i, m);
}

int main(int argc, char **argv)
{
    harness_start(argc, argv);
    SIZE(n, 1);
    SIZE(m, 2);
    INPUT(A, n * m);
    OUTPUT(B, m * n);
    transpose(ARGUMENTS);
    DUMP(A, n * m);
    DUMP(B, m * n);
    return harness_end();
}
