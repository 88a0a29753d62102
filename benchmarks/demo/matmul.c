/* matmul.c - the loops of the demo: C = alpha A B + beta C.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */

void matmul(int n, int m, int k, float alpha, float beta, float A[n][k],
            float B[k][m], float C[n][m])
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            C[i][j] *= beta;
            for (int l = 0; l < k; l++)
                C[i][j] += alpha * A[i][l] * B[l][j];
        }
}
