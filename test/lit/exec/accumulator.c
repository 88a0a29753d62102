// A sum in a local variable, stored after the innermost loop; the bound of
// that loop is a parameter and may be 0.  A sum that is used in a further
// expression gets a copy for each iteration, on the device only.
//
// RUN: %gpu_cc -mfma %s %harness -o %t.gpu
// RUN: %ref_cc %s %harness -o %t.ref
// RUN: %run_ref %t.ref
// RUN: %run_gpu %t.gpu 2>&1 | %FileCheck %s
// RUN: cmp %t.ref.dump %t.gpu.dump
//
// CHECK: polygpu: scop product {{.*}} runs=2 declined=0 failed=0
// The run without summands launches the second kernel alone, the other run the first.
// CHECK-NEXT: kernel {{.*}} launches=1
// CHECK-NEXT: kernel {{.*}} launches=1
// CHECK: polygpu: scop vector {{.*}} runs=1 declined=0 failed=0 bytes_in=5400 bytes_out=200
// CHECK-NEXT: kernel {{.*}} launches=1 {{.*}} block=256,1,1
// CHECK-NEXT: kernel {{.*}} launches=1 {{.*}} block=32,8,1
// CHECK-NOT: kernel
#include "exec.h"

enum { N = 25 };

static double a[N][N], b[N][N], c[2][N][N], x[N], y[N];

NOINLINE static void product(int n, int m, double out[N][N])
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            double sum = 0.25;
            for (int k = 0; k < m; k++)
                sum += a[i][k] * b[k][j];
            out[i][j] = sum;
        }
}

NOINLINE static void vector(int n)
{
    for (int i = 0; i < n; i++) {
        double sum = 0;
        for (int k = 0; k < n; k++)
            sum += a[k][i] * x[k];
        y[i] = sum * 0.5 + y[i];
    }
}

int main(int argc, char **argv)
{
    harness_start(argc, argv);
    harness_fill(a, N * N, sizeof(double));
    harness_fill(b, N * N, sizeof(double));
    harness_fill(x, N, sizeof(double));
    harness_fill(y, N, sizeof(double));
    poison(c, sizeof c);
    product(N, N - 1, c[0]);
    product(N - 1, 0, c[1]);
    vector(N);
    dump("c", c, sizeof c);
    dump("y", y, sizeof y);
    return harness_end();
}
