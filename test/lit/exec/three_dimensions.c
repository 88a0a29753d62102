// Three-dimensional arrays: constant extents, variable ones, and a product of
// sizes in the subscript.
//
// RUN: %gpu_cc %s %harness -o %t.gpu
// RUN: %ref_cc %s %harness -o %t.ref
// RUN: %run_ref %t.ref
// RUN: %run_gpu %t.gpu 2>&1 | %FileCheck %s
// RUN: cmp %t.ref.dump %t.gpu.dump
//
// CHECK: polygpu: scop constant {{.*}} runs=1 declined=0 failed=0
// CHECK: polygpu: kernel {{.*}} launches=1
// CHECK: polygpu: scop variable {{.*}} runs=1 declined=0 failed=0
// CHECK: polygpu: kernel {{.*}} launches=1
// CHECK: polygpu: scop linear {{.*}} runs=1 declined=0 failed=0
// CHECK: polygpu: kernel {{.*}} launches=1
#include "exec.h"

enum { N = 9, M = 11, K = 14 };

static double a[N][M][K], b[K][M][N], c[N][M][K], d[N * M * K];

NOINLINE static void constant(void)
{
    for (int i = 0; i < N; i++)
        for (int j = 0; j < M; j++)
            for (int k = 0; k < K; k++)
                b[k][j][i] = a[i][j][k] + 1;
}

NOINLINE static void variable(int n, int m, int k, double x[n][m][k],
                              double y[k][m][n])
{
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < m - 1; j++)
            for (int l = 1; l < k - 1; l++)
                x[i][j][l] = y[l - 1][j][i] + y[l + 1][j][i] +
                             y[l][j - 1][i] * y[l][j + 1][i] -
                             y[l][j][i - 1] + y[l][j][i + 1];
}

NOINLINE static void linear(int n, int m, int k, double *restrict x,
                            const double *restrict y)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            for (int l = 0; l < k; l++)
                x[(i * m + j) * k + l] = y[(i * m + j) * k + (k - 1 - l)] / 3;
}

int main(int argc, char **argv)
{
    harness_start(argc, argv);
    harness_fill(a, N * M * K, sizeof(double));
    poison(b, sizeof b);
    harness_fill(c, N * M * K, sizeof(double));
    poison(d, sizeof d);
    constant();
    variable(N, M, K, c, b);
    linear(N, M, K, d, &a[0][0][0]);
    dump_double("b", &b[0][0][0], N * M * K);
    dump_double("c", &c[0][0][0], N * M * K);
    dump_double("d", d, N * M * K);
    return harness_end();
}
