// A cycle of gotos with two entries is no loop to LLVM.  What a local array
// has at the end of loops inside of it is read when they run again.
//
// RUN: %ref_cc %s %harness -o %t.ref
// RUN: %run_ref %t.ref
// RUN: %gpu_cc -mfma %s %harness -o %t.gpu
// RUN: %run_gpu %t.gpu 2>&1 | %FileCheck %s
// RUN: cmp %t.ref.dump %t.gpu.dump
//
// RUN: %clang -O1 -Xclang -disable-llvm-passes -S -emit-llvm -g \
// RUN:   -fno-discard-value-names -I%S/Inputs -I%programs %s -o %t.ll
// RUN: %opt -passes='print<gpu-scops>' -disable-output %t.ll 2>&1 \
// RUN:   | %FileCheck --check-prefix=SCOPS %s
//
// SCOPS: scop "around"
// SCOPS: array {{.*}} "t" double 8 memory 1 live
// SCOPS: scop "straight"
// SCOPS: array {{.*}} "t" double 8 memory 1 dead
//
// CHECK-DAG: polygpu: scop around {{.*}} runs=8 declined=0 failed=0
// CHECK-DAG: polygpu: kernel around_{{.*}} launches=8
// CHECK-DAG: polygpu: scop straight {{.*}} runs=1 declined=0 failed=0
// CHECK-DAG: polygpu: kernel straight_{{.*}} launches=1
#include "exec.h"

enum { N = 50 };

static double out[2][N];
static int steps;

HOST void step(int t)
{
    steps = steps * 10 + t;
}

NOINLINE static void around(int n, int from, int to, double *restrict x)
{
    double t[N];
    int s = 0, first = !from;

    if (from)
        goto middle;
top:
    step(s);
    s++;
middle:
    step(9);
    for (int i = 0; i < n; i++) {
        if (s > first)
            x[i] = x[i] + t[i];
        t[i] = x[i] * 2;
    }
    if (s < to)
        goto top;
}

NOINLINE static void straight(int n, double *restrict x)
{
    double t[N];

    for (int i = 0; i < n; i++)
        t[i] = x[n - 1 - i] * 2;
    for (int i = 0; i < n; i++)
        x[i] = x[i] + t[i];
}

int main(int argc, char **argv)
{
    harness_start(argc, argv);
    harness_fill(out, 2 * N, sizeof(double));
    around(N, 0, 4, out[0]);
    around(N, 1, 3, out[0]);
    straight(N, out[1]);
    dump("out", out, sizeof out);
    dump("steps", &steps, sizeof steps);
    return harness_end();
}
