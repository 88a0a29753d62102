/* trmm.c - triangular product in place: B = alpha U B, U upper triangular.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "harness.h"

#if FORM == 1
enum { n = N, m = M };
T U[n][n];
T B[n][m];
#define PARAMETERS T alpha
#define ARGUMENTS alpha
#else
#if FORM == 2
#define PARAMETERS int n, int m, T alpha, T U[n][n], T B[n][m]
#else
#define PARAMETERS int n, int m, T alpha, T *U, T *B
#endif
#define ARGUMENTS n, m, alpha, (void *)U, (void *)B
#endif

__attribute__((noinline)) void trmm(PARAMETERS)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            AT(B, i, j, m) *= AT(U, i, i, n);
            for (int l = i + 1; l < n; l++)
                AT(B, i, j, m) += AT(U, i, l, n) * AT(B, l, j, m);
            AT(B, i, j, m) *= alpha;
        }
}

int main(int argc, char **argv)
{
    harness_start(argc, argv);
    SIZE(n, 1);
    SIZE(m, 2);
    INPUT(U, n * n);
    INPUT(B, n * m);
    T alpha = (T)harness_random();
    trmm(ARGUMENTS);
    DUMP(U, n * n);
    DUMP(B, n * m);
    return harness_end();
}
