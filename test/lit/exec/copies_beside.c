// Two kernels with arrays of their own: those of the second one are copied while
// the first one runs, and its results while the second one does.  Nothing does
// with POLYGPU_OVERLAP=off.  Streams do their work as late as may be, so that a
// launch that does not wait for what it needs has other data; whatever fails, the
// result is right.
//
// RUN: %gpu_cc %s %harness -o %t.gpu
// RUN: %ref_cc %s %harness -o %t.ref
// RUN: %run_ref %t.ref
// RUN: %run_gpu %t.gpu 2>&1 | %FileCheck %s
// RUN: cmp %t.ref.dump %t.gpu.dump
// RUN: env POLYGPU=mandatory POLYGPU_DUMP=%t.gpu.dump POLYGPU_DEBUG=1 \
// RUN:     POLYGPU_RESIDENCY=off \
// RUN:     POLYGPU_DEVICE=cuda LD_LIBRARY_PATH=%build/ptx \
// RUN:     PTX_MACHINE=streams=late %t.gpu 2>&1 | \
// RUN:     %FileCheck --check-prefix=ON %s
// RUN: cmp %t.ref.dump %t.gpu.dump
// RUN: env POLYGPU=mandatory POLYGPU_DUMP=%t.gpu.dump POLYGPU_DEBUG=1 \
// RUN:     POLYGPU_RESIDENCY=off \
// RUN:     POLYGPU_DEVICE=cuda LD_LIBRARY_PATH=%build/ptx \
// RUN:     PTX_MACHINE=streams=late POLYGPU_OVERLAP=off %t.gpu 2>&1 | \
// RUN:     %FileCheck --check-prefix=OFF %s
// RUN: cmp %t.ref.dump %t.gpu.dump
// RUN: env POLYGPU_COST=off POLYGPU_DUMP=%t.gpu.dump \
// RUN:     POLYGPU_DEVICE=cuda LD_LIBRARY_PATH=%build/ptx \
// RUN:     PTX_MACHINE=streams=late POLYGPU_FAULT=in:4 %t.gpu 2>&1 | \
// RUN:     %FileCheck --check-prefix=FAULT %s
// RUN: cmp %t.ref.dump %t.gpu.dump
// RUN: %run_faults
//
// CHECK: polygpu: scop steps {{.*}} runs=1 declined=0 failed=0
// CHECK-NEXT: kernel {{.*}} launches=1
// CHECK-NEXT: kernel {{.*}} launches=1
//
// ON: copy in {{[cd]}}:
// ON-NEXT: {{.*}} copy in {{[cd]}}:
// ON-NEXT: {{.*}} launch steps
// ON-NEXT: {{.*}} copy in {{[ab]}}:
// ON-NEXT: {{.*}} copy in {{[ab]}}:
// ON-NEXT: {{.*}} launch steps
// ON-NEXT: {{.*}} array c: results are copied while kernels run
//
// OFF-NOT: while kernels run
// OFF-COUNT-4: copy in {{[abcd]}}:
// OFF: launch steps
// OFF-NOT: copy in
// OFF-NOT: while kernels run
// OFF: end, results written
//
// FAULT: injected fault
#include "exec.h"

enum { N = 1000, TIMES = 3 };

static float a[N], b[N], c[N], d[N];

NOINLINE static void steps(float *restrict a, const float *restrict b,
                           float *restrict c, const float *restrict d, int n,
                           int times)
{
    for (int i = 0; i < n; i++)
        a[i] = 2 * a[i] + b[n - 1 - i];
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
    steps(a, b, c, d, N, TIMES);
    dump("a", a, sizeof a);
    dump("c", c, sizeof c);
    return harness_end();
}
