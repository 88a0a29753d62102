// Loops in an exit handler and in a destructor still run on the device, and
// the profile counts them.
//
// RUN: %gpu_cc %s %harness -o %t.gpu
// RUN: %ref_cc %s %harness -o %t.ref
// RUN: %t.ref > %t.ref.out
// RUN: %run_gpu %t.gpu > %t.gpu.out 2> %t.err
// RUN: %FileCheck %s < %t.err
// RUN: cmp %t.ref.out %t.gpu.out
//
// CHECK-DAG: polygpu: scop handler {{.*}} runs=1 declined=0 failed=0
// CHECK-DAG: polygpu: kernel {{.*}}handler{{.*}} launches=1
// CHECK-DAG: polygpu: scop late {{.*}} runs=1 declined=0 failed=0
// CHECK-DAG: polygpu: kernel {{.*}}late{{.*}} launches=1
#include "exec.h"

#include <stdio.h>
#include <stdlib.h>

enum { N = 200 };

static float a[N], b[N];

HOST void show(const float *p)
{
    for (int i = 0; i < N; i++)
        printf("%a\n", p[i]);
    fflush(stdout);
}

static void handler(void)
{
    for (int i = 0; i < N; i++)
        b[i] = a[i] * a[i] + 1;
    show(b);
}

__attribute__((destructor)) static void late(void)
{
    for (int i = 0; i < N; i++)
        a[i] = b[i] / 3 - a[i];
    show(a);
}

int main(int argc, char **argv)
{
    harness_start(argc, argv);
    harness_fill(a, N, sizeof *a);
    poison(b, sizeof b);
    return atexit(handler);
}
