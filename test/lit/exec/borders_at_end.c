// Borders at the end of rows: n + j in rows of n + 4 elements is in this row, and so is
// n - depth + j in rows of n. As j - 4 and j - depth they were in no row, and conditions of
// runs such that few sizes or none met them. The original loops run where a border is wider.
// What is read under a condition on j may be in the next row: such runs are as before.
//
// RUN: %gpu_cc %s %harness -o %t.gpu
// RUN: %ref_cc %s %harness -o %t.ref
// RUN: %run_ref %t.ref
// RUN: %run_auto %t.gpu 2>&1 | %FileCheck %s
// RUN: cmp %t.ref.dump %t.gpu.dump
//
// CHECK: polygpu: scop mirror {{.*}} runs=2 declined=1 failed=0
// CHECK-NEXT: polygpu: kernel {{.*}} launches=2
// CHECK: polygpu: scop behind {{.*}} runs=2 declined=1 failed=0
// CHECK-NEXT: polygpu: kernel {{.*}} launches=2
// CHECK: polygpu: scop bounds {{.*}} runs=2 declined=1 failed=0
// CHECK-NEXT: polygpu: kernel {{.*}} launches=2
// CHECK: polygpu: scop halo {{.*}} runs=2 declined=1 failed=0
// CHECK-NEXT: polygpu: kernel {{.*}} launches=2
// CHECK: polygpu: scop next_row {{.*}} runs=3 declined=0 failed=0
// CHECK-NEXT: polygpu: kernel {{.*}} launches=3
#include "exec.h"

enum { N = 21, Rows = 34 };

static double a[5][(N + 4) * (Rows + 6)];

NOINLINE static void mirror(int n, int rows, int depth, double *x)
{
    for (int i = 0; i < rows; i++)
        for (int j = 1; j <= depth; j++)
            x[(n + 4) * i + n + 1 + j] = x[(n + 4) * i + n + 2 - j];
}

NOINLINE static void behind(long n, long rows, long depth, double *x)
{
    for (long i = 0; i < rows; i++)
        for (long j = 0; j < depth; j++)
            x[i * (n + 4) + n + j] = x[i * (n + 4) + j] + 1;
}

NOINLINE static void bounds(const int *first, const int *last, int rows, const int *width,
                            double *x)
{
    int low = *first, high = *last, depth = *width;
    for (int i = 1 - depth; i <= rows + depth; i++)
        for (int j = 1; j <= depth; j++)
            x[(high + 4) * (i + 2) + high + j - low + 2] =
                x[(high + 4) * (i + 2) + high + 1 - j - low + 2];
}

NOINLINE static void halo(int n, int rows, int border, int depth, double *x)
{
    for (int i = border; i < rows - border; i++)
        for (int j = 0; j < depth; j++)
            x[i * n + (n - border + j)] = x[i * n + (n - border - 1 - j)];
}

NOINLINE static void next_row(long n, long rows, long first, double *restrict x, const double *y)
{
    for (long i = 0; i < rows; i++)
        for (long j = 0; j < n; j++)
            if (j >= first)
                x[i * n + j] = y[(i + 1) * n + j - first] * 2;
}

int main(int argc, char **argv)
{
    harness_start(argc, argv);
    harness_fill(a, sizeof a / sizeof(double), sizeof(double));
    for (int k = 0; k < 3; k++) {
        int n = N, low = 1, width = k + 1;
        mirror(n, Rows, width, a[0]);
        behind(n, Rows, 3 + k, a[1]);
        bounds(&low, &n, Rows, &width, a[2]);
        halo(n, Rows, 2, width, a[3]);
        next_row(n, Rows, k, a[4], a[0]);
    }
    dump("a", a, sizeof a);
    return harness_end();
}
