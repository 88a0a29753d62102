// A variable step in rows of constant length, a[i][j] with j += s, is offloaded for runs in
// which it is 1: it was taken for the length of rows, which it never is. In a[i * 64 + j * s]
// it may be the length of columns.
//
// RUN: %gpu_cc %s %harness -o %t.gpu
// RUN: %ref_cc %s %harness -o %t.ref
// RUN: %run_ref %t.ref
// RUN: %run_auto %t.gpu 2>&1 | %FileCheck %s
// RUN: cmp %t.ref.dump %t.gpu.dump
//
// CHECK: polygpu: scop fill {{.*}} runs=2 declined=2 failed=0
// CHECK-NEXT: polygpu: kernel {{.*}} launches=2
// CHECK: polygpu: scop scale {{.*}} runs=1 declined=3 failed=0
// CHECK-NEXT: polygpu: kernel {{.*}} launches=1
// CHECK: polygpu: scop columns {{.*}} runs=3 declined=0 failed=0
#include "exec.h"

enum { N = 41, M = 64 };

static double a[N * M * 3];

NOINLINE static void fill(double (*x)[M], int n, int s, double value)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < M; j += s)
            x[i][j] = value + j;
}

NOINLINE static void scale(double *x, int n, int m, int s)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            x[i * M + j * s] *= i + 2;
}

/* Of rows of s elements the step is constant: as before. */
NOINLINE static void columns(double *x, int n, int m, int s)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            x[i * s + j * 3] += j;
}

static void run(int s)
{
    fill((double(*)[M])a, N, s, 0.25);
    dump("fill", a, sizeof a);
    scale(a, N, M / s, s);
    dump("scale", a, sizeof a);
    columns(a, N, 20, 60 + s);
    dump("columns", a, sizeof a);
}

int main(int argc, char **argv)
{
    harness_start(argc, argv);
    harness_fill(a, N * M * 3, sizeof *a);
    run(1);
    run(2);
    fill((double(*)[M])a, 3, 1, 1.5);
    scale(a, 2, 9, 3 * M);
    dump("few", a, sizeof a);
    run(7);
    return harness_end();
}
