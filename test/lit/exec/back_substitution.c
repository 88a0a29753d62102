// Back substitution, after which a schedule could have the largest value of a
// parameter as a factor: the kernel for the substitution would not end.
//
// RUN: %gpu_cc %s %harness -o %t.gpu
// RUN: %ref_cc %s %harness -o %t.ref
// RUN: %run_ref %t.ref
// RUN: %run_gpu %t.gpu 2>&1 | %FileCheck %s
// RUN: cmp %t.ref.dump %t.gpu.dump
//
// CHECK: polygpu: scop substitute {{.*}} runs=2 declined=0 failed=0
// CHECK: polygpu: kernel {{.*}} launches=2
// CHECK: polygpu: kernel {{.*}} launches=2
#include "exec.h"

enum { N = 40 };

static double a[N][N], x[N], y[N];

NOINLINE static void substitute(int n, double u[n][n], double *to,
                                const double *from)
{
    for (int i = n - 1; i >= 0; i--) {
        to[i] = from[i];
        for (int j = i + 1; j < n; j++)
            to[i] -= u[i][j] * to[j];
        to[i] = to[i] / u[i][i];
    }
}

int main(int argc, char **argv)
{
    harness_start(argc, argv);
    for (int i = 0; i < N * N; i++)
        a[0][i] = harness_random() + (i % (N + 1) == 0) * 50;
    for (int i = 0; i < N; i++)
        y[i] = harness_random();
    for (int n = N; n > 0; n -= 7 * N / 8) {
        poison(x, sizeof x);
        substitute(n, (void *)a, x, y);
        dump("x", x, sizeof x);
    }
    return harness_end();
}
