// A write of the host that nothing tells of: POLYGPU_RESIDENCY=verify names the
// array, the element and the next place that tells of something, and the results
// are right.
//
// REQUIRES: mutate
// RUN: %ref_cc %s %harness -o %t.ref
// RUN: %run_ref %t.ref
// RUN: %gpu_cc %s %harness -o %t.whole
// RUN: env POLYGPU_RESIDENCY=verify POLYGPU=mandatory POLYGPU_DEVICE=emulated \
// RUN:   %run_plain %t.whole 2>&1 | %FileCheck %s --check-prefix=NONE
// RUN: cmp %t.ref.dump %t.gpu.dump
// RUN: %clang_gpu -O3 -I%S/Inputs -I%programs %s %harness \
// RUN:   -mllvm -gpu-targets=emulated-checked -mllvm -gpu-mutate=touch:3 -o %t.gpu
// RUN: env POLYGPU_RESIDENCY=verify POLYGPU_DEVICE=emulated \
// RUN:   %run_plain %t.gpu 2>&1 | %FileCheck %s
// RUN: cmp %t.ref.dump %t.gpu.dump
//
// NONE-NOT: host has changed
// CHECK: simulate {{.*}}: array a, element 3: the host has changed it since an earlier run, and nothing had said so when the program came to simulate at {{.*}}resident_verified.c:[[@LINE+17]]; please report this; it is copied anew
#include "exec.h"

enum { N = 200 };

static double a[N], b[N];
static unsigned writes;

NOINLINE static void simulate(int steps, int at)
{
    for (int t = 0; t < steps; t++) {
        for (int i = 0; i < N; i++)
            a[i] = a[i] * 0.5 + 1;
        for (int i = 0; i < N; i++)
            b[i] = b[i] * 0.25 + i;
        a[at] = t;
        __atomic_fetch_add(&writes, 1, __ATOMIC_RELAXED);
        b[at + 1] = 3 * t;
        if (t == 100)
            harness_random();
        for (int i = 1; i < N; i++)
            b[i] += 2;
        if (t == 101)
            harness_random();
        for (int i = 0; i < N; i++)
            a[i] = a[i] * 0.75 + 1;
    }
}

int main(int argc, char **argv)
{
    harness_start(argc, argv);
    for (int i = 0; i < N; i++) {
        a[i] = harness_random();
        b[i] = harness_random();
    }
    simulate(3, 3);
    dump("a", a, sizeof a);
    dump("b", b, sizeof b);
    return harness_end();
}
