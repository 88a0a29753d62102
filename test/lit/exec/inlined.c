// Functions called in a loop become part of it: arithmetic, an access through
// a pointer that is passed on, and a loop of their own.
//
// RUN: %gpu_cc %s %harness -o %t.gpu
// RUN: %ref_cc %s %harness -o %t.ref
// RUN: %run_ref %t.ref
// RUN: %run_gpu %t.gpu 2>&1 | %FileCheck %s
// RUN: cmp %t.ref.dump %t.gpu.dump
//
// CHECK: polygpu: scop rows {{.*}} runs=1 declined=0 failed=0
// CHECK: polygpu: kernel {{.*}} launches=1
#include "exec.h"

enum { N = 33, M = 21 };

static float a[N][M], b[N][M];

static float mix(float x, float y)
{
    return x * 0.75f + y * y;
}

static void put(float *at, float value)
{
    *at = value;
}

static void row(int m, const float *x, float *y)
{
    for (int j = 0; j < m; j++)
        put(&y[j], mix(x[j], x[m - 1 - j]));
}

NOINLINE static void rows(int n, int m)
{
    for (int i = 0; i < n; i++)
        row(m, a[i], b[i]);
}

int main(int argc, char **argv)
{
    harness_start(argc, argv);
    harness_fill(a, N * M, sizeof(float));
    poison(b, sizeof b);
    rows(N, M - 1);
    dump_float("b", &b[0][0], N * M);
    return harness_end();
}
