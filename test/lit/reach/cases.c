// Nests of which only one runs, by what an argument says: few are one nest, many
// are nests of their own, so that their conditions and rows are not multiplied.
//
// RUN: %gpu_cc %record %s %harness -o %t.gpu
// RUN: %ref_cc %s %harness -o %t.ref
// RUN: %run_ref %t.ref
// RUN: %run_gpu %t.gpu > %t.out 2>&1
// RUN: %shapes
// RUN: cmp %t.ref.dump %t.gpu.dump
#include "reach.h"

enum { N = 17, MOST = 2 * N * N };

static float a[MOST], b[MOST], c[MOST];

// == cases of an argument: two

SHAPE void copy_or_transpose(int transposed, int n, float *restrict to,
                             const float *restrict from)
{
    if (transposed)
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++)
                to[i * n + j] = from[j * n + i];
    else
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++)
                to[i * n + j] = from[i * n + j];
}

// == cases of an argument: products of transposed matrices

SHAPES(5) void product(int ta, int tb, int n, int m, int l, float alpha,
                       const float *restrict a, int lda,
                       const float *restrict b, int ldb, float beta,
                       float *restrict c, int ldc)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            c[i * ldc + j] *= beta;
    if (!ta && !tb) {
        for (int i = 0; i < n; i++)
            for (int k = 0; k < l; k++) {
                float part = alpha * a[i * lda + k];
                for (int j = 0; j < m; j++)
                    c[i * ldc + j] += part * b[k * ldb + j];
            }
    } else if (ta && !tb) {
        for (int i = 0; i < n; i++)
            for (int k = 0; k < l; k++) {
                float part = alpha * a[k * lda + i];
                for (int j = 0; j < m; j++)
                    c[i * ldc + j] += part * b[k * ldb + j];
            }
    } else if (!ta && tb) {
        for (int i = 0; i < n; i++)
            for (int j = 0; j < m; j++) {
                float sum = 0;
                for (int k = 0; k < l; k++)
                    sum += alpha * a[i * lda + k] * b[j * ldb + k];
                c[i * ldc + j] += sum;
            }
    } else {
        for (int i = 0; i < n; i++)
            for (int j = 0; j < m; j++) {
                float sum = 0;
                for (int k = 0; k < l; k++)
                    sum += alpha * a[i + k * lda] * b[k + j * ldb];
                c[i * ldc + j] += sum;
            }
    }
}

// == cases of an argument: triangles

SHAPES(4) void triangle(int upper, int transposed, int n, int m, int ld,
                        const float *restrict a, float *restrict b)
{
    if (!transposed && upper) {
        for (int i = 0; i < n; i++)
            for (int j = 0; j < m; j++) {
                float sum = a[i * ld + i] * b[i * ld + j];
                for (int k = i + 1; k < n; k++)
                    sum += a[i * ld + k] * b[k * ld + j];
                b[i * ld + j] = sum;
            }
    } else if (!transposed) {
        for (int i = n - 1; i >= 0; i--)
            for (int j = 0; j < m; j++) {
                float sum = a[i * ld + i] * b[i * ld + j];
                for (int k = 0; k < i; k++)
                    sum += a[i * ld + k] * b[k * ld + j];
                b[i * ld + j] = sum;
            }
    } else if (upper) {
        for (int i = n - 1; i >= 0; i--)
            for (int j = 0; j < m; j++) {
                float sum = a[i * ld + i] * b[i * ld + j];
                for (int k = 0; k < i; k++)
                    sum += a[k * ld + i] * b[k * ld + j];
                b[i * ld + j] = sum;
            }
    } else {
        for (int i = 0; i < n; i++)
            for (int j = 0; j < m; j++) {
                float sum = a[i * ld + i] * b[i * ld + j];
                for (int k = i + 1; k < n; k++)
                    sum += a[k * ld + i] * b[k * ld + j];
                b[i * ld + j] = sum;
            }
    }
}

HOST void run(int n, int m)
{
    harness_fill(a, MOST, sizeof *a);
    harness_fill(b, MOST, sizeof *b);
    RUN(c, copy_or_transpose(0, n, c, a));
    RUN(c, copy_or_transpose(1, n, c, a));
    for (int which = 0; which < 4; which++) {
        int longer = n > m ? n : m;

        FLOATS(c, product(which & 1, which / 2, n, m, n, 0.75f, a, longer + 1,
                          b, longer, 0.5f, c, m + 2));
        FLOATS(b, triangle(which & 1, which / 2, n, m, longer + 3, a, b));
    }
}

int main(int argc, char **argv)
{
    harness_start(argc, argv);
    run(N, N - 4);
    run(5, 11);
    run(0, 0);
    return harness_end();
}
