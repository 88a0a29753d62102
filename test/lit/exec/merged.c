// LLVM makes one load of two where a value comes from one of two elements: the
// checked device has to look at the address then, not at the code.
//
// RUN: %gpu_cc -mllvm -gpu-promotion=off %s %harness -o %t.gpu
// RUN: %ref_cc %s %harness -o %t.ref
// RUN: %run_ref %t.ref
// RUN: %run_gpu %t.gpu 2>&1 | %FileCheck %s
// RUN: cmp %t.ref.dump %t.gpu.dump
//
// CHECK: polygpu: scop last {{.*}} runs=1 declined=0 failed=0
// CHECK: kernel {{.*}} launches={{[1-9]}}
#include "exec.h"

enum { N = 19, M = 4 };

static float e[N], d[M];

NOINLINE static void last(int n, const float *restrict from, float *restrict to)
{
    float s = 0;

    for (int j = 0; j < M; j++)
        for (int i = 0; i < n; i++) {
            s = from[j] * from[i] + from[j];
            to[j] = s;
        }
    to[2] = s;
}

int main(int argc, char **argv)
{
    harness_start(argc, argv);
    harness_fill(e, N, sizeof(float));
    harness_fill(d, M, sizeof(float));
    last(N, e, d);
    dump("d", d, sizeof d);
    return harness_end();
}
