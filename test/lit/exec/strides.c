// Boxes of references that step over elements have only those: rows and columns
// of products forwards and backwards, halves of complex numbers, a stencil that
// makes its array half as large. With the sizes here there are full and partial
// tiles.
//
// RUN: %gpu_cc -mllvm -gpu-print-kernels %s %harness -o %t.gpu 2>&1 \
// RUN:   | %FileCheck --check-prefix=BOXES %s
// RUN: %ref_cc %s %harness -o %t.ref
// RUN: %run_ref %t.ref
// RUN: %run_gpu %t.gpu 2>&1 | %FileCheck %s
// RUN: cmp %t.ref.dump %t.gpu.dump
// RUN: %if all %{ %gpu_cc -mllvm -gpu-arch=sm_90 %s %harness -o %t.gpu %}
// RUN: %if all %{ %run_gpu %t.gpu 2>&1 | %FileCheck %s %}
// RUN: %if all %{ cmp %t.ref.dump %t.gpu.dump %}
//
// CHECK-DAG: scop product {{.*}} runs=1 declined=0 failed=0
// CHECK-DAG: kernel product_{{.*}} launches=1
// CHECK-DAG: kernel backwards_{{.*}} launches=1
// CHECK-DAG: kernel complex_{{.*}} launches=1
// CHECK-DAG: kernel complex_{{.*}} launches=1
// CHECK-DAG: kernel halved_{{.*}} launches=1
// CHECK-DAG: kernel vector_{{.*}} launches=1
//
// BOXES-DAG: a[256 * b1 + 1 .. +128 by 2][8 * c2 .. +8];
// BOXES-DAG: b[8 * c2 .. +8][384 * b0 .. +128 by 3];
// BOXES-DAG: a[-256 * b1 + 2 * n - 255 .. +128 by 2][16 * c2 .. +8 by 2];
// BOXES-DAG: b[24 * c2 + 2 .. +8 by 3][-128 * b0 + m - 127 .. +128];
// BOXES-DAG: a[64 * b1 .. +64][16 * c2 .. +16];
// BOXES-DAG: b[32 * b1 .. +33][128 * b0 .. +129];
// BOXES-DAG: w[1 .. +128 by 4];
#include "exec.h"

enum { N = 141, M = 134, L = 37 };

static float a[2 * N][2 * L], b[3 * L][3 * M], c[N][M], d[N][M];
static float e[N][2 * M], half[65][70], v[N], w[4 * L];

NOINLINE static void product(int n, int m, int l, float to[N][M])
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            for (int k = 0; k < l; k++)
                to[i][j] += a[2 * i + 1][k] * b[k][3 * j];
}

NOINLINE static void backwards(int n, int m, int l, float to[N][M])
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            for (int k = 0; k < l; k++)
                to[i][j] += a[2 * n - 2 * i - 1][2 * k] * b[3 * k + 2][m - j];
}

NOINLINE static void complex(int n, int m, int l, float to[N][2 * M])
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            for (int k = 0; k < l; k++) {
                to[i][2 * j] += a[i][2 * k] * b[k][2 * j] -
                                a[i][2 * k + 1] * b[k][2 * j + 1];
                to[i][2 * j + 1] += a[i][2 * k] * b[k][2 * j + 1] +
                                    a[i][2 * k + 1] * b[k][2 * j];
            }
}

NOINLINE static void halved(int n, int m, float to[65][70])
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            to[i][j] = b[2 * i][2 * j] + b[2 * i][2 * j + 1] +
                       b[2 * i][2 * j + 2] + b[2 * i + 2][2 * j] +
                       b[2 * i + 2][2 * j + 1] + b[2 * i + 2][2 * j + 2];
}

NOINLINE static void vector(int n, int l, float to[N])
{
    for (int i = 0; i < n; i++)
        for (int k = 0; k < l; k++)
            to[i] += a[i][2 * k] * w[4 * k + 1];
}

int main(int argc, char **argv)
{
    harness_start(argc, argv);
    harness_fill(a, sizeof a / sizeof(float), sizeof(float));
    harness_fill(b, sizeof b / sizeof(float), sizeof(float));
    harness_fill(c, sizeof c / sizeof(float), sizeof(float));
    harness_fill(d, sizeof d / sizeof(float), sizeof(float));
    harness_fill(e, sizeof e / sizeof(float), sizeof(float));
    harness_fill(half, sizeof half / sizeof(float), sizeof(float));
    harness_fill(v, sizeof v / sizeof(float), sizeof(float));
    harness_fill(w, sizeof w / sizeof(float), sizeof(float));
    product(N, M, L, c);
    backwards(N, M - 1, L, d);
    complex(N, M, L, e);
    halved(54, 70, half);
    vector(N, L, v);
    dump("c", c, sizeof c);
    dump("d", d, sizeof d);
    dump("e", e, sizeof e);
    dump("half", half, sizeof half);
    dump("v", v, sizeof v);
    return harness_end();
}
