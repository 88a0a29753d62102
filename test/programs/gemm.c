/* gemm.c - general matrix product: C = alpha A B + beta C.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "harness.h"

#if FORM == 1
enum { n = N, m = M, k = K };
T A[n][k];
T B[k][m];
T C[n][m];
#define PARAMETERS T alpha, T beta
#define ARGUMENTS alpha, beta
#else
#if FORM == 2
#define PARAMETERS                                                             \
    int n, int m, int k, T alpha, T beta, T A[n][k], T B[k][m], T C[n][m]
#else
#define PARAMETERS int n, int m, int k, T alpha, T beta, T *A, T *B, T *C
#endif
#define ARGUMENTS n, m, k, alpha, beta, (void *)A, (void *)B, (void *)C
#endif

__attribute__((noinline)) void gemm(PARAMETERS)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            AT(C, i, j, m) *= beta;
            for (int l = 0; l < k; l++)
                AT(C, i, j, m) += alpha * AT(A, i, l, k) * AT(B, l, j, m);
        }
}

int main(int argc, char **argv)
{
    harness_start(argc, argv);
    SIZE(n, 1);
    SIZE(m, 2);
    SIZE(k, 3);
    INPUT(A, n * k);
    INPUT(B, k * m);
    INPUT(C, n * m);
    T alpha = (T)harness_random();
    T beta = (T)harness_random();
    gemm(ARGUMENTS);
    DUMP(A, n * k);
    DUMP(B, k * m);
    DUMP(C, n * m);
    return harness_end();
}
