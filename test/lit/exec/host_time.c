// A loop that ends when the data says so stays on the host and launches the
// nest inside once for each of its iterations; the program counts them.
//
// RUN: %gpu_cc %s %harness -o %t.gpu
// RUN: %ref_cc %s %harness -o %t.ref
// RUN: %run_ref %t.ref
// RUN: %run_gpu %t.gpu 2>&1 | %FileCheck %s
// RUN: cmp %t.ref.dump %t.gpu.dump
//
// CHECK: steps [[#STEPS:]]{{$}}
// CHECK: polygpu: scop settle {{.*}} runs=[[#STEPS]] declined=0 failed=0
// CHECK: polygpu: kernel {{.*}} launches=[[#STEPS]]
// CHECK: polygpu: kernel {{.*}} launches=[[#STEPS]]
// CHECK: polygpu: scop fill {{.*}} runs=7 declined=0 failed=0
// CHECK: polygpu: kernel {{.*}} launches=7
#include "exec.h"

#include <stdio.h>

enum { N = 20 };

static double a[N][N], b[N][N], list[8][N];

NOINLINE static int settle(int n)
{
    int steps = 0;

    while (a[n / 2][n / 2] > 0.01 || a[n / 2][n / 2] < -0.01) {
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++)
                b[i][j] = (a[i - 1][j] + a[i][j + 1] + a[i][j]) * 0.25;
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++)
                a[i][j] = b[i][j] * 0.5;
        steps++;
    }
    return steps;
}

/* The counter outside takes its next value from a table. */
NOINLINE static void fill(int n, const int *next)
{
    for (int k = 0; k >= 0; k = next[k])
        for (int i = 0; i < n; i++)
            list[k][i] = list[k][i] * 2 + i;
}

int main(int argc, char **argv)
{
    static int next[8] = {3, 2, 7, 1, -1, 4, 5, 6};

    harness_start(argc, argv);
    harness_fill(a, N * N, sizeof(double));
    harness_fill(b, N * N, sizeof(double));
    harness_fill(list, 8 * N, sizeof(double));
    a[N / 2][N / 2] = 1.5;
    next[5] = -1;
    fprintf(stderr, "steps %d\n", settle(N));
    fill(N, next);
    dump_double("a", &a[0][0], N * N);
    dump_double("list", &list[0][0], 8 * N);
    return harness_end();
}
