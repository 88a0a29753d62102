// Tiles that the model chooses where the sizes of loops are known: small ones,
// for more than one step of the usual length, and half as many rows of a
// matrix-vector product; stencils get fewer points for each thread. In half of the
// runs, in the others it is known_sizes_double.test.
//
// REQUIRES: even
// RUN: %ref_cc -DE=float %s %harness -o %t.ref
// RUN: %run_ref %t.ref
// RUN: %gpu_cc -DE=float -mllvm -gpu-arch=sm_90 %s %harness -o %t.gpu
// RUN: %run_gpu %t.gpu 2>&1 | %FileCheck %s
// RUN: cmp %t.ref.dump %t.gpu.dump
// RUN: %if all %{ %gpu_cc -DE=float %s %harness -o %t.gpu %}
// RUN: %if all %{ %run_gpu %t.gpu 2>&1 | %FileCheck %s %}
// RUN: %if all %{ cmp %t.ref.dump %t.gpu.dump %}
//
// CHECK-DAG: scop small {{.*}} runs=1 declined=0 failed=0
// CHECK-DAG: kernel small_{{.*}} launches=1
// CHECK-DAG: kernel large_{{.*}} launches=1
// CHECK-DAG: kernel rows_{{.*}} launches=1
// CHECK-DAG: kernel columns_{{.*}} launches=1
// CHECK-DAG: kernel sweep_{{.*}} launches=1
// CHECK-DAG: kernel cube_{{.*}} launches=1
#include "exec.h"

#ifndef E
#define E float
#endif
enum { N = 69, L = 150, H = 13 };

static E g[H][H][L], h[H][H][L];
static E a[N][L], b[L][N], c[N][N], d[N][N], s[N][L], x[L], y[N], z[N];

NOINLINE static void small(E to[restrict N][N])
{
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            for (int k = 0; k < L; k++)
                to[i][j] += a[i][k] * b[k][j];
}

NOINLINE static void large(int n, int m, int l, int s, int t, int u,
                           E to[restrict n][m], E p[restrict s][t],
                           E q[restrict t][u])
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            for (int k = 0; k < l; k++)
                to[i][j] += p[i][k] * q[k][j];
}

NOINLINE static void rows(E to[restrict N])
{
    for (int i = 0; i < N; i++)
        for (int k = 0; k < L; k++)
            to[i] += a[i][k] * x[k];
}

NOINLINE static void columns(E to[restrict N])
{
    for (int i = 0; i < N; i++)
        for (int k = 0; k < L; k++)
            to[i] += b[k][i] * x[k];
}

NOINLINE static void sweep(E to[restrict N][L])
{
    for (int i = 1; i < N - 1; i++)
        for (int j = 1; j < L - 1; j++)
            to[i][j] =
                a[i][j] + a[i - 1][j] + a[i + 1][j] - a[i][j - 1] - a[i][j + 1];
}

NOINLINE static void cube(E to[restrict H][H][L])
{
    for (int i = 1; i < H - 1; i++)
        for (int j = 1; j < H - 1; j++)
            for (int k = 1; k < L - 1; k++)
                to[i][j][k] = g[i][j][k] + g[i - 1][j][k] + g[i + 1][j][k] -
                              g[i][j - 1][k] - g[i][j + 1][k] - g[i][j][k - 1] -
                              g[i][j][k + 1] - g[i - 1][j - 1][k] +
                              g[i + 1][j + 1][k];
}

int main(int argc, char **argv)
{
    harness_start(argc, argv);
    harness_fill(a, sizeof a / sizeof(E), sizeof(E));
    harness_fill(b, sizeof b / sizeof(E), sizeof(E));
    harness_fill(c, sizeof c / sizeof(E), sizeof(E));
    harness_fill(d, sizeof d / sizeof(E), sizeof(E));
    harness_fill(x, sizeof x / sizeof(E), sizeof(E));
    harness_fill(y, sizeof y / sizeof(E), sizeof(E));
    harness_fill(z, sizeof z / sizeof(E), sizeof(E));
    harness_fill(g, sizeof g / sizeof(E), sizeof(E));
    harness_fill(h, sizeof h / sizeof(E), sizeof(E));
    harness_fill(s, sizeof s / sizeof(E), sizeof(E));
    sweep(s);
    cube(h);
    small(c);
    large(N, N, L, N, L, N, d, a, b);
    rows(y);
    columns(z);
    dump("s", s, sizeof s);
    dump("h", h, sizeof h);
    dump("c", c, sizeof c);
    dump("d", d, sizeof d);
    dump("y", y, sizeof y);
    dump("z", z, sizeof z);
    return harness_end();
}
