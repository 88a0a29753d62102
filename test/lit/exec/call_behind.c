// Calls under conditions that come behind a loop, or between two: whether they
// happen or not, the loops run on the device.
//
// RUN: %gpu_cc %s %harness -o %t.gpu
// RUN: %ref_cc %s %harness -o %t.ref
// RUN: %run_ref %t.ref quiet
// RUN: %run_gpu %t.gpu quiet 2>&1 | %FileCheck %s
// RUN: cmp %t.ref.dump %t.gpu.dump
// RUN: %run_ref %t.ref loud
// RUN: %run_gpu %t.gpu loud 2>&1 | %FileCheck %s
// RUN: cmp %t.ref.dump %t.gpu.dump
//
// CHECK-DAG: polygpu: scop steps {{.*}} runs=1 declined=0 failed=0
// CHECK-DAG: polygpu: kernel steps_{{.*}} launches=1
// CHECK-DAG: polygpu: scop steps {{.*}} runs=1 declined=0 failed=0
// CHECK-DAG: polygpu: kernel steps_{{.*}} launches=1
#include "exec.h"

#include <string.h>

enum { N = 40 };

static float a[N][N];

NOINLINE static void change(int kind)
{
    __asm__ volatile("" ::: "memory");
    a[kind % N][3] = 7;
}

NOINLINE static void steps(int n, float beta, int first, int second)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            a[i][j] *= beta;
    if (first && !second)
        change(1);
    else if (second)
        change(2);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            a[i][j] += beta;
    if (first)
        change(3);
}

int main(int argc, char **argv)
{
    int loud = !strcmp(argv[1], "loud");

    harness_start(argc, argv);
    harness_fill(a, N * N, sizeof **a);
    steps(N, 0.5f, loud, 0);
    dump("a", a, sizeof a);
    return harness_end();
}
