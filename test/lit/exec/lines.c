// Arrays whose neighbouring threads access elements in different rows are laid
// out by the lines that they go along: Gauss-Seidel sweeps, and sums of two
// parts of a row and a column.  Beside them arrays for which that is not so:
// accessed along two lines, on both sides of the diagonal, in too few loops.
//
// RUN: %gpu_cc -mfma %s %harness -o %t.gpu
// RUN: %ref_cc %s %harness -o %t.ref
// RUN: %run_ref %t.ref
// RUN: %run_gpu %t.gpu 2>&1 | %FileCheck %s
// RUN: cmp %t.ref.dump %t.gpu.dump
// RUN: %run_faults
// RUN: %gpu_cc -mfma -mllvm -gpu-time=tiles \
// RUN:   -mllvm '-gpu-sizes={ kernel[i] -> tile[3,4,9] }' %s %harness -o %t.gpu
// RUN: %run_gpu %t.gpu 2>&1 | %FileCheck --check-prefix=SOME %s
// RUN: cmp %t.ref.dump %t.gpu.dump
// RUN: %gpu_cc -mfma -mllvm -gpu-time=off %s %harness -o %t.gpu
// RUN: %run_gpu %t.gpu 2>&1 | %FileCheck --check-prefix=SOME %s
// RUN: cmp %t.ref.dump %t.gpu.dump
//
// Copies by lines and by rows are kernels of their own.
//
// CHECK: polygpu: scop five {{.*}} runs=3 declined=0 failed=0
// CHECK-NEXT: polygpu: kernel five_{{.*}} launches=3
// CHECK-NEXT: polygpu: kernel five_{{.*}} launches=
// CHECK-NEXT: polygpu: kernel five_{{.*}} launches=3
// CHECK-NEXT: polygpu: scop nine {{.*}} declined=0 failed=0
// CHECK-NEXT: polygpu: kernel nine_{{.*}} launches=3
// CHECK-NEXT: polygpu: kernel nine_{{.*}} launches=
// CHECK-NEXT: polygpu: kernel nine_{{.*}} launches=3
// CHECK-NEXT: polygpu: scop pairs {{.*}} declined=0 failed=0
// CHECK-NEXT: polygpu: kernel pairs_{{.*}} launches=3
// CHECK-NEXT: polygpu: kernel pairs_{{.*}} launches=
// CHECK-NEXT: polygpu: kernel pairs_{{.*}} launches=3
// CHECK-NEXT: polygpu: scop
//
// SOME: polygpu: scop five {{.*}} declined=0 failed=0
// SOME: polygpu: scop nine {{.*}} declined=0 failed=0
// SOME: polygpu: scop pairs {{.*}} declined=0 failed=0
// SOME: polygpu: scop around {{.*}} declined=0 failed=0
// SOME: polygpu: scop across {{.*}} declined=0 failed=0
// SOME: polygpu: scop once {{.*}} declined=0 failed=0
// SOME: polygpu: scop scratch {{.*}} declined=0 failed=0
#include "exec.h"

enum { N = 43 };

static double a[N * N], b[N * N];
static float f[N * N];
static int best[N * N], cost[N];

NOINLINE static void five(int steps, int n, double u[n][n])
{
    for (int t = 0; t < steps; t++)
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++)
                u[i][j] = (u[i - 1][j] + u[i][j - 1] + u[i][j] + u[i][j + 1] +
                           u[i + 1][j]) *
                          0.2;
}

NOINLINE static void nine(int steps, int n, int m, float *u)
{
    for (int t = 0; t < steps; t++)
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++)
                u[i * m + j] =
                    (u[(i - 1) * m + j - 1] + u[(i - 1) * m + j] +
                     u[(i - 1) * m + j + 1] + u[i * m + j - 1] + u[i * m + j] +
                     u[i * m + j + 1] + u[(i + 1) * m + j - 1] +
                     u[(i + 1) * m + j] + u[(i + 1) * m + j + 1]) /
                    9;
}

NOINLINE static void pairs(int n, int c[n], int most[n][n])
{
    for (int i = n - 1; i >= 0; i--)
        for (int j = i + 1; j < n; j++)
            for (int k = i; k < j; k++) {
                int sum = most[i][k] + most[k + 1][j] + c[k];

                most[i][j] = most[i][j] < sum ? sum : most[i][j];
            }
}

// Filled before the sweeps, and read behind them, by rows.
NOINLINE static void around(int steps, int n, double u[n][n], double w[n][n])
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            u[i][j] = w[i][j] * 0.5 + i;
    for (int t = 0; t < steps; t++)
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++)
                u[i][j] = (u[i - 1][j] + u[i][j - 1] + u[i][j + 1]) * 0.25;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            w[i][j] += u[i][j];
}

// Of w elements on two lines are accessed, of u on one.
NOINLINE static void across(int steps, int n, double u[n][n], double w[n][n])
{
    for (int t = 0; t < steps; t++)
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++)
                u[i][j] =
                    (u[i - 1][j] + u[i][j - 1] + w[j][i] + w[i][j]) * 0.25;
}

NOINLINE static void once(int n, double u[n][n])
{
    for (int i = 1; i < n; i++)
        for (int j = 1; j < n; j++)
            u[i][j] = (u[i - 1][j] + u[i][j - 1]) * 0.5 - u[i - 1][j - 1];
}

// Nothing is left of what the sweeps worked on but a row.
NOINLINE static void scratch(int steps, int n, double *to, double w[n][n])
{
    double u[N][N];

    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            u[i][j] = w[j][i];
    for (int t = 0; t < steps; t++)
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++)
                u[i][j] = (u[i - 1][j] + u[i][j - 1] + u[i + 1][j + 1]) * 0.25;
    for (int j = 0; j < n; j++)
        to[j] = u[n / 2][j];
}

static void fill(void)
{
    for (int i = 0; i < N * N; i++) {
        a[i] = harness_random();
        b[i] = harness_random();
        f[i] = (float)harness_random();
        best[i] = (int)(harness_random() * 1000);
    }
    for (int i = 0; i < N; i++)
        cost[i] = (int)(harness_random() * 10);
}

int main(int argc, char **argv)
{
    static const int sizes[] = {N, 18, 3, 1};
    static double row[N];

    harness_start(argc, argv);
    for (int k = 0; k < 4; k++) {
        int n = sizes[k], steps = 11 - 3 * k;

        fill();
        five(steps, n, (void *)a);
        nine(steps, n, n == 1 ? 1 : n - 1 + k, f);
        pairs(n, cost, (void *)best);
        dump("a", a, sizeof a);
        dump("f", f, sizeof f);
        dump("best", best, sizeof best);
        around(steps, n, (void *)a, (void *)b);
        dump("a", a, sizeof a);
        across(steps, n, (void *)a, (void *)b);
        dump("a", a, sizeof a);
        once(n, (void *)a);
        poison(row, sizeof row);
        scratch(steps, n, row, (void *)b);
        dump("a", a, sizeof a);
        dump("b", b, sizeof b);
        dump("row", row, sizeof row);
    }
    return harness_end();
}
