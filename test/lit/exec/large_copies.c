// Few elements far apart are one large copy with gaps, which several threads
// bring through pinned memory, in each direction; an array that is not large
// goes straight.
//
// RUN: %gpu_cc %s %harness -o %t.gpu
// RUN: %ref_cc %s %harness -o %t.ref
// RUN: %run_ref %t.ref
// RUN: %run_gpu %t.gpu 2>&1 | %FileCheck %s
// RUN: cmp %t.ref.dump %t.gpu.dump
// RUN: env POLYGPU=mandatory POLYGPU_DUMP=%t.gpu.dump POLYGPU_DEVICE=cuda \
// RUN:     LD_LIBRARY_PATH=%build/ptx POLYGPU_COPY_THREADS=3 POLYGPU_DEBUG=1 \
// RUN:     %t.gpu 2>&1 | %FileCheck --check-prefix=STAGED %s
// RUN: cmp %t.ref.dump %t.gpu.dump
// RUN: env POLYGPU_DUMP=%t.gpu.dump POLYGPU_DEVICE=cuda POLYGPU_COST=off \
// RUN:     LD_LIBRARY_PATH=%build/ptx POLYGPU_COPY_THREADS=3 \
// RUN:     POLYGPU_FAULT=in:3 %t.gpu 2>&1 | %FileCheck --check-prefix=FAULT %s
// RUN: cmp %t.ref.dump %t.gpu.dump
// RUN: env POLYGPU_DUMP=%t.gpu.dump POLYGPU_DEVICE=cuda POLYGPU_COST=off \
// RUN:     LD_LIBRARY_PATH=%build/ptx POLYGPU_COPY_THREADS=3 \
// RUN:     POLYGPU_FAULT=out:2 %t.gpu 2>&1 | %FileCheck --check-prefix=FAULT %s
// RUN: cmp %t.ref.dump %t.gpu.dump
//
// CHECK: scop apart {{.*}} runs=2 declined=0 failed=0
// STAGED: debug: 3 of 3 threads for copies
// STAGED: debug: {{[0-9]+}} bytes are pinned for copies by 3 threads
// FAULT: polygpu: {{.*}} injected fault: {{in number 3|out number 2}} failed
// FAULT-NOT: polygpu
#include "exec.h"

enum { N = 220, STEP = 3000 };

static double from[N * STEP], to[N * STEP], small[N];

APART void apart(int n)
{
    for (int i = 0; i < n; i++)
        to[i * STEP + 1] = to[i * STEP + 1] + small[i] - from[i * STEP];
}

int main(int argc, char **argv)
{
    harness_start(argc, argv);
    harness_fill(from, N * STEP, sizeof(double));
    harness_fill(to, N * STEP, sizeof(double));
    harness_fill(small, N, sizeof(double));
    apart(N);
    apart(N - 1);
    dump("to", to, sizeof to);
    return harness_end();
}
