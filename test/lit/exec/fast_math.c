// -ffast-math: sums may be done in another order; the result is near, and the
// loops do run on the device.
//
// RUN: %checked_cc -ffast-math %s %harness -o %t.gpu
// RUN: %run_checked %t.gpu 2>&1 | %FileCheck %s
//
// CHECK: polygpu: scop product {{.*}} runs=1 declined=0 failed=0
// CHECK: polygpu: kernel {{.*}} launches=1
#include "exec.h"

#include <stdio.h>

enum { N = 25 };

static double a[N][N], b[N][N], c[N][N];

NOINLINE static void product(int n)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            c[i][j] = 0;
            for (int k = 0; k < n; k++)
                c[i][j] += a[i][k] * b[k][j] / 3;
        }
}

HOST int wrong(void)
{
    int count = 0;

    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            double sum = 0;
            for (int k = 0; k < N; k++)
                sum += a[i][k] * b[k][j] / 3;
            if (!(c[i][j] - sum < 1e-10 && sum - c[i][j] < 1e-10))
                count++;
        }
    return count;
}

int main(int argc, char **argv)
{
    harness_start(argc, argv);
    harness_fill(a, N * N, sizeof(double));
    harness_fill(b, N * N, sizeof(double));
    poison(c, sizeof c);
    product(N);
    if (wrong())
        fprintf(stderr, "%d elements are wrong\n", wrong());
    return harness_end() || wrong();
}
