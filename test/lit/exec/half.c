// Arrays of _Float16: copied, converted and computed with.
//
// RUN: %gpu_cc %s %harness -o %t.gpu
// RUN: %ref_cc %s %harness -o %t.ref
// RUN: %run_ref %t.ref
// RUN: %run_gpu %t.gpu 2>&1 | %FileCheck %s
// RUN: cmp %t.ref.dump %t.gpu.dump
//
// CHECK: polygpu: scop widen {{.*}} runs=1 declined=0 failed=0
// CHECK: polygpu: kernel {{.*}} launches=1
// CHECK: polygpu: scop compute {{.*}} runs=1 declined=0 failed=0
// CHECK: polygpu: kernel {{.*}} launches=1
#include "exec.h"

enum { N = 90 };

static _Float16 a[N], b[N], c[N];
static float wide[N];

NOINLINE static void widen(int n)
{
    for (int i = 0; i < n; i++)
        wide[i] = (float)a[i] * 3 + (float)b[i];
}

NOINLINE static void compute(int n)
{
    for (int i = 0; i < n; i++)
        c[i] = (_Float16)((_Float16)(a[i] + b[n - 1 - i]) / b[i]);
}

int main(int argc, char **argv)
{
    harness_start(argc, argv);
    for (int i = 0; i < N; i++) {
        a[i] = (_Float16)(harness_random() * 100);
        b[i] = (_Float16)harness_random();
    }
    poison(c, sizeof c);
    poison(wide, sizeof wide);
    widen(N);
    compute(N);
    dump("wide", wide, sizeof wide);
    dump("c", c, sizeof c);
    return harness_end();
}
