// Calls of functions for double whose arguments and results are narrower: the
// compiler turns them into those for float, or for half.
//
// RUN: %gpu_cc %s %harness -lm -o %t.gpu
// RUN: %ref_cc %s %harness -lm -o %t.ref
// RUN: %run_ref %t.ref
// RUN: %run_gpu %t.gpu 2>&1 | %FileCheck %s
// RUN: cmp %t.ref.dump %t.gpu.dump
//
// CHECK: polygpu: scop roots {{.*}} runs=1 declined=0 failed=0
// CHECK: polygpu: kernel {{.*}} launches=1
// CHECK: polygpu: scop signs {{.*}} runs=1 declined=0 failed=0
// CHECK: polygpu: kernel {{.*}} launches=1
#include "exec.h"

#include <math.h>

enum { N = 70 };

static float a[N], b[N];
static _Float16 c[N], d[N], e[N];

NOINLINE static void roots(int n)
{
    for (int i = 0; i < n; i++)
        b[i] = (float)sqrt(a[i]) + (float)floor(a[i]);
}

NOINLINE static void signs(int n)
{
    for (int i = 0; i < n; i++)
        e[i] = (_Float16)(fabsf(c[i]) + copysignf(d[i], c[i]));
}

int main(int argc, char **argv)
{
    harness_start(argc, argv);
    for (int i = 0; i < N; i++) {
        a[i] = (float)fabs(harness_random() * 9);
        c[i] = (_Float16)harness_random();
        d[i] = (_Float16)harness_random();
    }
    c[3] = -0.0f16;
    d[5] = -0.0f16;
    poison(b, sizeof b);
    poison(e, sizeof e);
    roots(N);
    signs(N);
    dump("b", b, sizeof b);
    dump("e", e, sizeof e);
    return harness_end();
}
