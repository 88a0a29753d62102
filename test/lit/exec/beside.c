// Three kernels of one SCoP, of which each has arrays that the others do not:
// these are copied in before the kernel that has them, and out while later ones
// run.  Whatever fails meanwhile, the results are right.  Without residency, with
// which the arrays are on the device for the second run.
//
// RUN: %gpu_cc -mfma -mllvm -gpu-fusion=min %s %harness -o %t.gpu
// RUN: %ref_cc %s %harness -o %t.ref
// RUN: %run_ref %t.ref
// RUN: %run_gpu %t.gpu 2>&1 | %FileCheck %s
// RUN: cmp %t.ref.dump %t.gpu.dump
// RUN: env POLYGPU_RESIDENCY=off POLYGPU=mandatory \
// RUN:     POLYGPU_DUMP=%t.gpu.dump POLYGPU_DEVICE=cuda \
// RUN:     LD_LIBRARY_PATH=%build/ptx PTX_MACHINE=streams=late \
// RUN:     POLYGPU_DEBUG=1 POLYGPU_FAULT=count %t.gpu 2>&1 | \
// RUN:     %FileCheck --check-prefix=LATE %s
// RUN: cmp %t.ref.dump %t.gpu.dump
// RUN: env POLYGPU_RESIDENCY=off %run_faults
// RUN: env POLYGPU_RESIDENCY=off POLYGPU_COST=off \
// RUN:     POLYGPU_DUMP=%t.gpu.dump POLYGPU_DEVICE=cuda \
// RUN:     LD_LIBRARY_PATH=%build/ptx PTX_MACHINE=streams=late \
// RUN:     POLYGPU_FAULT=in:3 %t.gpu 2>&1 | %FileCheck --check-prefix=FAULT %s
// RUN: cmp %t.ref.dump %t.gpu.dump
// RUN: env POLYGPU_RESIDENCY=off POLYGPU_COST=off \
// RUN:     POLYGPU_DUMP=%t.gpu.dump POLYGPU_DEVICE=cuda \
// RUN:     LD_LIBRARY_PATH=%build/ptx PTX_MACHINE=streams=late \
// RUN:     POLYGPU_FAULT=reach:2 %t.gpu 2>&1 | %FileCheck --check-prefix=FAULT %s
// RUN: cmp %t.ref.dump %t.gpu.dump
//
// CHECK: scop steps {{.*}} runs=2 declined=0 failed=0
// LATE: debug: copy in a:
// LATE: debug: launch
// LATE: debug: copy in b:
// LATE: debug: launch
// LATE: debug: copy in c:
// LATE: debug: launch
// LATE: debug: array a: results are copied while kernels run
// LATE-NEXT: debug: array b: results are copied while kernels run
// LATE: operations {{.*}} mark=4 launch=6 graph=0 reach=4 sync=2
// FAULT: polygpu: {{.*}} injected fault: {{in number 3|reach number 2}} failed
// FAULT-NOT: polygpu
#include "exec.h"

enum { N = 40 };

static double a[N][N], b[N], c[N][N], d[N];

NOINLINE static void steps(int n)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            a[i][j] = 2 * a[i][j] + 1;
    for (int i = 0; i < n; i++)
        b[i] = b[i] * 3 + a[i][n - 1 - i];
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            c[i][j] = c[i][j] * d[j] + d[i];
}

int main(int argc, char **argv)
{
    harness_start(argc, argv);
    harness_fill(a, N * N, sizeof(double));
    harness_fill(b, N, sizeof(double));
    harness_fill(c, N * N, sizeof(double));
    harness_fill(d, N, sizeof(double));
    steps(N);
    steps(N - 1);
    dump("a", a, sizeof a);
    dump("b", b, sizeof b);
    dump("c", c, sizeof c);
    return harness_end();
}
