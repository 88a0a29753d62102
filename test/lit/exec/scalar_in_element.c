// A sum that Polly keeps in the element that it is stored to, of another type:
// as large, larger, and of the other kind.
//
// RUN: %gpu_cc %s %harness -o %t.gpu
// RUN: %ref_cc %s %harness -o %t.ref
// RUN: %run_ref %t.ref
// RUN: %run_gpu %t.gpu 2>&1 | %FileCheck %s
// RUN: cmp %t.ref.dump %t.gpu.dump
//
// CHECK-DAG: polygpu: scop as_large {{.*}} runs=2 declined=0 failed=0
// CHECK-DAG: polygpu: scop larger {{.*}} runs=2 declined=0 failed=0
// CHECK-DAG: polygpu: scop real {{.*}} runs=2 declined=0 failed=0
#include "exec.h"

enum { N = 40 };

static float a[N], b[N];
static unsigned long c[N];
static long d[N];

NOINLINE static void as_large(int n, float *restrict to, const float *from)
{
    for (int i = 0; i < n; i++) {
        unsigned sum = 7;
        for (int j = 0; j < n; j++)
            sum += from[j] > 0.5f;
        to[i] = sum;
    }
}

NOINLINE static void larger(int n, unsigned long *restrict to,
                            const float *from)
{
    for (int i = 0; i < n; i++) {
        unsigned sum = -3;
        for (int j = 0; j < i; j++)
            sum += from[j] > 0.5f;
        to[i] = sum;
    }
}

NOINLINE static void real(int n, long *restrict to, const float *from)
{
    for (int i = 0; i < n; i++) {
        float sum = 0.25f;
        for (int j = 0; j <= i; j++)
            sum += from[j] * 3;
        to[i] = sum > 20;
    }
}

int main(int argc, char **argv)
{
    harness_start(argc, argv);
    for (int i = 0; i < N; i++)
        b[i] = (float)harness_random();
    poison(a, sizeof a);
    poison(c, sizeof c);
    poison(d, sizeof d);
    for (int n = N; n > 0; n -= N - 1) {
        as_large(n, a, b);
        larger(n, c, b);
        real(n, d, b);
        dump("a", a, sizeof a);
        dump("c", c, sizeof c);
        dump("d", d, sizeof d);
    }
    return harness_end();
}
