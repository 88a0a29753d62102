// A factorisation, of which each step is two launches: 5 runs, of which the
// fourth has another size.  The first is recorded, with the second graphs are
// built, the third and the fifth are one graph each.  Whatever fails, the result
// is right.
//
// RUN: %gpu_cc -mfma -mllvm -gpu-time=off %s %harness -o %t.gpu
// RUN: %ref_cc %s %harness -o %t.ref
// RUN: %run_ref %t.ref
// RUN: %run_gpu %t.gpu 2>&1 | %FileCheck %s
// RUN: cmp %t.ref.dump %t.gpu.dump
// RUN: env POLYGPU_GRAPHS=on POLYGPU=mandatory POLYGPU_DUMP=%t.gpu.dump \
// RUN:     POLYGPU_DEVICE=cuda LD_LIBRARY_PATH=%build/ptx \
// RUN:     PTX_MACHINE=streams=late,profile=on POLYGPU_DEBUG=1 %t.gpu 2>&1 | \
// RUN:     %FileCheck --check-prefix=ON %s
// RUN: cmp %t.ref.dump %t.gpu.dump
// RUN: env POLYGPU_GRAPHS=off POLYGPU=mandatory POLYGPU_DUMP=%t.gpu.dump \
// RUN:     POLYGPU_DEVICE=cuda LD_LIBRARY_PATH=%build/ptx \
// RUN:     PTX_MACHINE=profile=on %t.gpu 2>&1 | \
// RUN:     %FileCheck --check-prefix=OFF %s
// RUN: cmp %t.ref.dump %t.gpu.dump
// RUN: env POLYGPU_GRAPHS=on POLYGPU_COST=off POLYGPU_DUMP=%t.gpu.dump \
// RUN:     POLYGPU_DEVICE=cuda LD_LIBRARY_PATH=%build/ptx \
// RUN:     PTX_MACHINE=streams=late POLYGPU_FAULT=launch:120 %t.gpu 2>&1 | \
// RUN:     %FileCheck --check-prefix=FAULT %s
// RUN: cmp %t.ref.dump %t.gpu.dump
// RUN: env POLYGPU_GRAPHS=on POLYGPU_COST=off POLYGPU_DUMP=%t.gpu.dump \
// RUN:     POLYGPU_DEVICE=cuda LD_LIBRARY_PATH=%build/ptx \
// RUN:     PTX_MACHINE=streams=late POLYGPU_FAULT=graph:20 %t.gpu 2>&1 | \
// RUN:     %FileCheck --check-prefix=BUILD %s
// RUN: cmp %t.ref.dump %t.gpu.dump
// RUN: env POLYGPU_GRAPHS=on POLYGPU_COST=off POLYGPU_DUMP=%t.gpu.dump \
// RUN:     POLYGPU_DEVICE=cuda LD_LIBRARY_PATH=%build/ptx \
// RUN:     PTX_MACHINE=streams=late POLYGPU_FAULT=graph:49 %t.gpu 2>&1 | \
// RUN:     %FileCheck --check-prefix=LAUNCH %s
// RUN: cmp %t.ref.dump %t.gpu.dump
// RUN: env POLYGPU=mandatory POLYGPU_DUMP=%t.gpu.dump POLYGPU_DEVICE=cuda \
// RUN:     LD_LIBRARY_PATH=%build/ptx PTX_MACHINE=profile=on \
// RUN:     POLYGPU_PROFILE=lines %t.gpu 2>&1 | \
// RUN:     %FileCheck --check-prefix=PROFILE %s
// RUN: cmp %t.ref.dump %t.gpu.dump
// RUN: %run_faults
//
// CHECK: scop factor {{.*}} runs=5 declined=0 failed=0
// CHECK: kernel {{.*}} launches=114
// CHECK: kernel {{.*}} launches=114
// ON-NOT: graph{{s:| of}}
// ON-COUNT-92: launch factor
// ON-NOT: debug: launch
// ON: graphs: 1 of 46 launches
// ON-COUNT-46: launch factor
// ON-NEXT: graph of 46 launches
// ON-COUNT-44: launch factor
// ON-NOT: graph{{s:| of}}
// ON-COUNT-46: launch factor
// ON-NEXT: graph of 46 launches
// ON: ptx machine: launches={{.*}} graphs=2
// ON: debug: graphs: 1 built, 2 launched, for 92 launches
// OFF: ptx machine: launches={{.*}} graphs=0
// FAULT: injected fault: launch number 120 failed; running loops on the CPU
// FAULT-NOT: polygpu
// BUILD: polygpu: launches are not made graphs any more: building a graph failed: out of memory (CUDA error 2)
// BUILD-NOT: polygpu
// LAUNCH: polygpu: factor {{.*}} a graph of 46 launches, which are not made graphs any more, failed: out of memory (CUDA error 2); running loops on the CPU
// LAUNCH-NOT: polygpu
// PROFILE: ptx machine: {{.*}} graphs=0
// PROFILE: polygpu: repeats launches=233 again=138
#include "exec.h"

enum { N = 24 };

static double a[N][N];

NOINLINE static void factor(int n)
{
    for (int k = 0; k < n; k++) {
        for (int i = k + 1; i < n; i++)
            a[i][k] /= a[k][k];
        for (int i = k + 1; i < n; i++)
            for (int j = k + 1; j < n; j++)
                a[i][j] -= a[i][k] * a[k][j];
    }
}

int main(int argc, char **argv)
{
    harness_start(argc, argv);
    harness_fill(a, N * N, sizeof(double));
    for (int t = 0; t < 5; t++) {
        factor(t == 3 ? N - 1 : N);
        for (int i = 0; i < N; i++)
            a[i][i] += 7;
    }
    dump("a", a, sizeof a);
    return harness_end();
}
