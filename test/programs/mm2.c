/* mm2.c - two chained matrix products: D = (A B) C, with A B kept in E.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "harness.h"

#if FORM == 1
enum { n = N, k = K, m = M, p = P };
T A[n][k];
T B[k][m];
T C[m][p];
T D[n][p];
T E[n][m];
#define PARAMETERS void
#define ARGUMENTS
#else
#if FORM == 2
#define PARAMETERS                                                             \
    int n, int k, int m, int p, T A[n][k], T B[k][m], T C[m][p], T D[n][p],    \
        T E[n][m]
#else
#define PARAMETERS int n, int k, int m, int p, T *A, T *B, T *C, T *D, T *E
#endif
#define ARGUMENTS                                                              \
    n, k, m, p, (void *)A, (void *)B, (void *)C, (void *)D, (void *)E
#endif

__attribute__((noinline)) void mm2(PARAMETERS)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            AT(E, i, j, m) = 0;
            for (int l = 0; l < k; l++)
                AT(E, i, j, m) += AT(A, i, l, k) * AT(B, l, j, m);
        }
    for (int i = 0; i < n; i++)
        for (int j = 0; j < p; j++) {
            AT(D, i, j, p) = 0;
            for (int l = 0; l < m; l++)
                AT(D, i, j, p) += AT(E, i, l, m) * AT(C, l, j, p);
        }
}

int main(int argc, char **argv)
{
    harness_start(argc, argv);
    SIZE(n, 1);
    SIZE(k, 2);
    SIZE(m, 3);
    SIZE(p, 4);
    INPUT(A, n * k);
    INPUT(B, k * m);
    INPUT(C, m * p);
    OUTPUT(D, n * p);
    OUTPUT(E, n * m);
    mm2(ARGUMENTS);
    DUMP(A, n * k);
    DUMP(B, k * m);
    DUMP(C, m * p);
    DUMP(D, n * p);
    DUMP(E, n * m);
    return harness_end();
}
