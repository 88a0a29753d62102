// An element is written before others are read through an index, under a
// condition: where the arrays are the same, the original loops run, and there it
// is what the index may lead to.
//
// RUN: %gpu_cc %s %harness -o %t.gpu
// RUN: %ref_cc %s %harness -o %t.ref
// RUN: %run_ref %t.ref
// RUN: %run_auto %t.gpu 2>&1 | %FileCheck %s
// RUN: cmp %t.ref.dump %t.gpu.dump
//
// CHECK-DAG: polygpu: scop first {{.*}} runs=1 declined=1 failed=0
// CHECK-DAG: polygpu: kernel first_{{.*}} launches=1
#include "exec.h"

enum { N = 120 };

static float x[N], y[N], c[N];
static int idx[N];

NOINLINE static void first(int n, float *y, const float *x, const float *c,
                           const int *idx)
{
    for (int i = 0; i < n; i++) {
        float t = c[i];
        int k = idx[i];

        y[i] = 0;
        if (t > 0)
            y[i] = x[k] + 1;
    }
}

NOINLINE static void twice(int n, float *y, const float *x, const float *c,
                           const int *idx)
{
    for (int i = 0; i < n; i++) {
        float t = c[i];
        int k = idx[i];

        if (t > -0.5f)
            y[i] = 2;
        if (t > 0)
            y[i] += x[k];
    }
}

static void start(void)
{
    harness_fill(x, N, sizeof *x);
    harness_fill(y, N, sizeof *y);
    harness_fill(c, N, sizeof *c);
    for (int i = 0; i < N; i++)
        idx[i] = i % 3 ? i : i / 2;
}

int main(int argc, char **argv)
{
    harness_start(argc, argv);
    start();
    first(N, y, x, c, idx);
    first(N, x, x, c, idx);
    dump("x", x, sizeof x);
    dump("y", y, sizeof y);
    start();
    twice(N, y, x, c, idx);
    twice(N, x, x, c, idx);
    dump("x", x, sizeof x);
    dump("y", y, sizeof y);
    return harness_end();
}
