// Neighbours in the steps of a loop of the host that are parallel over the same
// points, with nothing between them but what goes from a point to the same one, are
// one kernel: one launch a step instead of two.  Near twins are not: what needs a
// neighbour's value, other lengths in each step, without an array of both.
//
// RUN: %gpu_cc %s %harness -o %t.gpu -mllvm -gpu-time=off
// RUN: %ref_cc %s %harness -o %t.ref
// RUN: %run_ref %t.ref 0 3
// RUN: %run_gpu %t.gpu 0 3
// RUN: cmp %t.ref.dump %t.gpu.dump
// RUN: %run_ref %t.ref 1 2
// RUN: %run_gpu %t.gpu 1 2
// RUN: cmp %t.ref.dump %t.gpu.dump
// RUN: %run_ref %t.ref 37 4
// RUN: %run_gpu %t.gpu 37 4 2>&1 | %FileCheck %s
// RUN: cmp %t.ref.dump %t.gpu.dump
// RUN: %gpu_cc %s %harness -o %t.gpu -mllvm -gpu-time=off -mllvm -gpu-fusion=min
// RUN: %run_gpu %t.gpu 37 4 2>&1 | %FileCheck --check-prefix=MIN %s
// RUN: cmp %t.ref.dump %t.gpu.dump
//
// CHECK: kernel mirrors_{{[0-9]+}}_0 {{.*}} launches=4
// CHECK: kernel mirrors_{{[0-9]+}}_1 {{.*}} launches=4
// CHECK-NOT: kernel mirrors
// CHECK: kernel fields_{{[0-9]+}}_0 {{.*}} launches=4
// CHECK: kernel fields_{{[0-9]+}}_1 {{.*}} launches=4
// CHECK-NOT: kernel fields
// CHECK: kernel cleared_{{[0-9]+}}_0 {{.*}} launches=1
// CHECK-NOT: kernel cleared
// CHECK: kernel lengths_{{[0-9]+}}_0 {{.*}} launches=36
// CHECK: kernel lengths_{{[0-9]+}}_1 {{.*}} launches=36
// CHECK-NOT: kernel lengths
// Two kernels all the same, whose launches are one.
// CHECK: kernel apart_{{[0-9]+}}_2 {{.*}} launches=4
// CHECK: kernel apart_{{[0-9]+}}_0_joined {{.*}} launches=4
// CHECK-NOT: kernel apart
//
// MIN: kernel mirrors_{{[0-9]+}}_3 {{.*}} launches=4
// MIN: kernel fields_{{[0-9]+}}_2 {{.*}} launches=4
// MIN: kernel cleared_{{[0-9]+}}_1 {{.*}} launches=1
#include "exec.h"

#include <stdlib.h>

enum { N = 40 };

static double a[N * N], b[N * N], c[N * N], d[N * N];

NOINLINE static void mirrors(int steps, int n, double a[restrict n][n],
                             double b[restrict n][n], double c[restrict n][n],
                             double d[restrict n][n])
{
    for (int t = 0; t < steps; t++) {
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++)
                b[i][j] = a[i][j] + a[n - 1 - i][j];
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++)
                c[i][j] = a[i][j] - a[n - 1 - i][n - 1 - j];
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++)
                d[i][j] = a[i][j] * 0.5;
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++)
                a[i][j] = b[n - 1 - i][j] + c[i][n - 1 - j] + d[i][j];
    }
}

NOINLINE static void fields(int steps, int n, double a[restrict n][n],
                            double b[restrict n][n], double c[restrict n][n])
{
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n; i++)
            for (int j = 0; j < n; j++)
                b[i][j] -= a[i][j] + a[i - 1][j];
        for (int i = 0; i < n; i++)
            for (int j = 1; j < n; j++)
                c[i][j] -= a[i][j] + a[i][j - 1];
        for (int i = 0; i < n - 1; i++)
            for (int j = 0; j < n - 1; j++)
                a[i][j] -= b[i + 1][j] - b[i][j] + c[i][j + 1] - c[i][j];
    }
}

// Read, and written behind that.
NOINLINE static void cleared(int n, double *restrict a, double *restrict b)
{
    for (int i = 0; i < n; i++)
        b[i] = a[i] * 2;
    for (int i = 0; i < n; i++)
        a[i] = 0;
}

NOINLINE static void lengths(int n, double a[restrict n][n],
                             double b[restrict n][n], double c[restrict n][n])
{
    for (int k = 1; k < n; k++) {
        for (int j = 0; j < k; j++)
            b[k][j] = b[k - 1][n - 1 - j] + a[k][j];
        for (int j = 0; j < n - k; j++)
            c[k][j] = c[k - 1][n - 1 - j] + a[k][j];
    }
}

NOINLINE static void apart(int steps, int n, double *restrict a,
                           double *restrict b, double *restrict c,
                           double *restrict d)
{
    for (int t = 0; t < steps; t++) {
        for (int i = 0; i < n; i++)
            a[i] = b[n - 1 - i] * 2;
        for (int i = 0; i < n; i++)
            c[i] = d[n - 1 - i] * 3;
        for (int i = 1; i < n - 1; i++)
            d[i] = a[i + 1] + a[i - 1] + c[i - 1] + c[i + 1];
    }
}

HOST void inputs(void)
{
    harness_fill(a, N * N, sizeof *a);
    harness_fill(b, N * N, sizeof *b);
    harness_fill(c, N * N, sizeof *c);
    harness_fill(d, N * N, sizeof *d);
}

HOST void results(const char *name)
{
    dump(name, a, sizeof a);
    dump(name, b, sizeof b);
    dump(name, c, sizeof c);
    dump(name, d, sizeof d);
}

int main(int argc, char **argv)
{
    int n, steps;

    harness_start(argc, argv);
    n = atoi(argv[1]);
    steps = atoi(argv[2]);
    inputs();
    mirrors(steps, n, (void *)a, (void *)b, (void *)c, (void *)d);
    results("mirrors");
    inputs();
    fields(steps, n, (void *)a, (void *)b, (void *)c);
    results("fields");
    inputs();
    cleared(n, a, b);
    results("cleared");
    inputs();
    lengths(n, (void *)a, (void *)b, (void *)c);
    results("lengths");
    inputs();
    apart(steps, n, a, b, c, d);
    results("apart");
    return harness_end();
}
