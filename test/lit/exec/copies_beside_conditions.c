// The results of a run with stores under a condition on data come back at its end,
// although its arrays stay on the device: so those of its first kernel do while the
// second one runs, which does not have them.
//
// RUN: %gpu_cc %s %harness -o %t.gpu
// RUN: %ref_cc %s %harness -o %t.ref
// RUN: %run_ref %t.ref
// RUN: %run_gpu %t.gpu 2>&1 | %FileCheck %s
// RUN: cmp %t.ref.dump %t.gpu.dump
// RUN: env POLYGPU=mandatory POLYGPU_DUMP=%t.gpu.dump POLYGPU_DEBUG=1 \
// RUN:     POLYGPU_DEVICE=cuda LD_LIBRARY_PATH=%build/ptx \
// RUN:     PTX_MACHINE=streams=late %t.gpu 2>&1 | \
// RUN:     %FileCheck --check-prefix=ON %s
// RUN: cmp %t.ref.dump %t.gpu.dump
// RUN: env POLYGPU_COST=off POLYGPU_DUMP=%t.gpu.dump \
// RUN:     POLYGPU_DEVICE=cuda LD_LIBRARY_PATH=%build/ptx \
// RUN:     PTX_MACHINE=streams=late POLYGPU_FAULT=out:1 %t.gpu 2>&1 | \
// RUN:     %FileCheck --check-prefix=FAULT %s
// RUN: cmp %t.ref.dump %t.gpu.dump
// RUN: %run_faults
//
// CHECK: polygpu: scop steps {{.*}} runs=2 declined=0 failed=0
// CHECK-NEXT: kernel {{.*}} launches=2
// CHECK-NEXT: kernel {{.*}} launches=2
//
// ON-COUNT-2: array c: results are copied while kernels run
//
// FAULT: injected fault
#include "exec.h"

enum { N = 1000, TIMES = 3 };

static float a[N], b[N], c[N], d[N];

NOINLINE static void steps(int n, int times)
{
    for (int i = 0; i < n; i++)
        if (b[n - 1 - i] > 0.5f)
            a[i] = 2 * b[i];
    for (int t = 0; t < times; t++)
        for (int i = 0; i < n; i++)
            c[i] = c[i] * 0.5f + d[n - 1 - i];
}

int main(int argc, char **argv)
{
    harness_start(argc, argv);
    harness_fill(a, N, sizeof *a);
    harness_fill(b, N, sizeof *b);
    harness_fill(c, N, sizeof *c);
    harness_fill(d, N, sizeof *d);
    for (int run = 0; run < 2; run++)
        steps(N - run, TIMES);
    dump("a", a, sizeof a);
    dump("c", c, sizeof c);
    return harness_end();
}
