/* syrk.c - symmetric product: C = alpha A A^T + beta C, lower triangle of C
 * only.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "harness.h"

#if FORM == 1
enum { n = N, k = K };
T A[n][k];
T C[n][n];
#define PARAMETERS T alpha, T beta
#define ARGUMENTS alpha, beta
#else
#if FORM == 2
#define PARAMETERS int n, int k, T alpha, T beta, T A[n][k], T C[n][n]
#else
#define PARAMETERS int n, int k, T alpha, T beta, T *A, T *C
#endif
#define ARGUMENTS n, k, alpha, beta, (void *)A, (void *)C
#endif

__attribute__((noinline)) void syrk(PARAMETERS)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j <= i; j++) {
            AT(C, i, j, n) *= beta;
            for (int l = 0; l < k; l++)
                AT(C, i, j, n) += alpha * AT(A, i, l, k) * AT(A, j, l, k);
        }
}

int main(int argc, char **argv)
{
    harness_start(argc, argv);
    SIZE(n, 1);
    SIZE(k, 2);
    INPUT(A, n * k);
    INPUT(C, n * n);
    T alpha = (T)harness_random();
    T beta = (T)harness_random();
    syrk(ARGUMENTS);
    DUMP(A, n * k);
    DUMP(C, n * n);
    return harness_end();
}
