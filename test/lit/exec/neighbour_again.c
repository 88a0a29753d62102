// Threads that read an element, let another thread of the block write it behind
// a barrier, and read it again: the parameters of arrays that are written in
// such a kernel must not be noalias, or LLVM takes the value from before. What
// is only read stays noalias.
//
// RUN: %gpu_cc %s %harness -o %t.gpu
// RUN: %ref_cc %s %harness -o %t.ref
// RUN: %run_ref %t.ref
// RUN: %run_gpu %t.gpu 2>&1 | %FileCheck %s
// RUN: cmp %t.ref.dump %t.gpu.dump
//
// RUN: %clang -O1 -Xclang -disable-llvm-passes -S -emit-llvm -I%S/Inputs \
// RUN:   -I%programs %s -o %t.ll
// RUN: %opt -passes='print<gpu-kernels>' -disable-output %t.ll 2>&1 | \
// RUN:   %FileCheck --check-prefix=KERNEL %s
//
// CHECK: polygpu: scop again {{.*}} runs=1 declined=0 failed=0
// CHECK: kernel {{.*}} launches=1
// CHECK: polygpu: scop before {{.*}} runs=1 declined=0 failed=0
// CHECK: kernel {{.*}} launches=1
//
// KERNEL: define void @again_{{[0-9_]*}}(
// KERNEL-SAME: ptr addrspace(1) align 16 captures(none) %a,
// KERNEL-SAME: ptr addrspace(1) noalias readonly align 16 captures(none) %d
// KERNEL: define void @before_
#include "exec.h"

enum { B = 3, N = 66, T = 5 };

static float a[B][N], b[B][N], c[B][N], d[B][N];

NOINLINE static void again(int n)
{
    for (int p = 0; p < n; p++)
        for (int t = 0; t < T; t++) {
            for (int i = 1; i < N - 1; i++)
                b[p][i] += a[p][i + 1] * d[p][i];
            for (int i = 1; i < N - 1; i++)
                a[p][i] = b[p][i] * 0.3f;
            for (int i = 1; i < N - 1; i++)
                c[p][i] += a[p][i + 1];
        }
}

/* A store that another thread reads, and that the next one hides. */
NOINLINE static void before(int n)
{
    for (int p = 0; p < n; p++)
        for (int t = 0; t < T; t++) {
            for (int i = 1; i < N - 1; i++)
                c[p][i] = c[p][i] * 0.5f + d[p][i];
            for (int i = 1; i < N - 1; i++)
                b[p][i] += c[p][N - 1 - i];
        }
}

int main(int argc, char **argv)
{
    harness_start(argc, argv);
    harness_fill(a, sizeof a / sizeof(float), sizeof(float));
    harness_fill(b, sizeof b / sizeof(float), sizeof(float));
    harness_fill(c, sizeof c / sizeof(float), sizeof(float));
    harness_fill(d, sizeof d / sizeof(float), sizeof(float));
    again(B);
    before(B);
    dump("a", a, sizeof a);
    dump("b", b, sizeof b);
    dump("c", c, sizeof c);
    return harness_end();
}
