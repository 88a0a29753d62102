// Loops that overwrite what later iterations would have read: with a copy of
// the inputs, made on the device before, every iteration can run at any time.
// The last function's second loop reads its own results as well and stays
// sequential.
//
// RUN: %ref_cc %s %harness -o %t.ref
// RUN: %run_ref %t.ref
// RUN: %gpu_cc %s %harness -o %t.gpu
// RUN: %run_gpu %t.gpu 2>&1 | %FileCheck %s
// RUN: cmp %t.ref.dump %t.gpu.dump
//
// CHECK: polygpu: scop shift {{.*}} runs=3 declined=0 failed=0
// CHECK-NEXT: kernel {{.*}} launches=3 {{.*}} block=256,1,1
// CHECK-NEXT: kernel {{.*}} launches=3 {{.*}} block=256,1,1
// CHECK-NEXT: polygpu: scop rows {{.*}} runs=3 declined=0 failed=0
// CHECK-NEXT: kernel {{.*}} launches=3 {{.*}} block=32,8,1
// CHECK-NEXT: kernel {{.*}} launches=3 {{.*}} block=32,8,1
// CHECK-NEXT: polygpu: scop triangle {{.*}} runs=3 declined=0 failed=0
// CHECK-NEXT: kernel {{.*}} launches=2 {{.*}} block=32,8,1
// CHECK-NEXT: kernel {{.*}} launches=3 {{.*}} block=16,16,1
// CHECK-NEXT: polygpu: scop both_ways {{.*}} runs=1 declined=0 failed=0
// CHECK-NEXT: kernel {{.*}} launches=1 {{.*}} block=1,1,1
// CHECK-NEXT: kernel {{.*}} launches=1 {{.*}} block=256,1,1
// CHECK-NOT: kernel
#include "exec.h"

enum { N = 77 };

static double x[4][N + 2], y[4][N + 2][N + 2], z[4][N][N], a[N][N], w[N];

NOINLINE static void shift(int n, double *x)
{
    for (int i = 0; i < n; i++)
        x[i] = 0.5 * x[i + 2] + x[i + 1];
}

NOINLINE static void rows(int n, double y[N + 2][N + 2])
{
    for (int i = 0; i < n; i++)
        for (int j = n; j > 0; j--)
            y[i][j] += y[i + 1][j - 1] * y[i][j - 1];
}

NOINLINE static void triangle(int n, double z[N][N])
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            for (int k = i + 1; k < n; k++)
                z[i][j] += a[k][i] * z[k][j];
            z[i][j] *= 0.25;
        }
}

NOINLINE static void both_ways(int n)
{
    for (int i = 0; i < n; i++)
        a[0][i] = a[0][i] * 0.125;
    for (int i = 1; i < n - 1; i++)
        w[i] = w[i - 1] + 0.5 * w[i + 1];
}

int main(int argc, char **argv)
{
    static const int sizes[4] = {0, 1, 2, N};

    harness_start(argc, argv);
    harness_fill(x, 4 * (N + 2), sizeof(double));
    harness_fill(y, 4 * (N + 2) * (N + 2), sizeof(double));
    harness_fill(z, 4 * N * N, sizeof(double));
    harness_fill(a, N * N, sizeof(double));
    harness_fill(w, N, sizeof(double));
    for (int s = 0; s < 4; s++)
        shift(sizes[s], x[s]);
    for (int s = 0; s < 4; s++)
        rows(sizes[s], y[s]);
    for (int s = 0; s < 4; s++)
        triangle(sizes[s], z[s]);
    both_ways(N);
    dump("x", x, sizeof x);
    dump("y", y, sizeof y);
    dump("z", z, sizeof z);
    dump("a", a, sizeof a);
    dump("w", w, sizeof w);
    return harness_end();
}
