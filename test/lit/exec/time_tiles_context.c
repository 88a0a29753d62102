// Overlapping tiles know less of the parameters than the loops: here that n is at most 5
// with several steps, and 6 with one, as rows have 5 elements. What the check tries for
// the tiles is what the loops allow; with n of 6 and several steps, where rows run into
// each other, the loops stay as they are.
//
// RUN: %gpu_cc -mfma -mllvm '-gpu-sizes={ kernel[i] -> time[2,3] }' %s %harness -o %t.gpu
// RUN: %ref_cc %s %harness -o %t.ref
// RUN: %run_ref %t.ref
// RUN: %run_gpu %t.gpu 2>&1 | %FileCheck %s
// RUN: cmp %t.ref.dump %t.gpu.dump
//
// Steps are 0 to 9 and pairs 0 to 4, two of which are a launch; then an odd step.
//
// CHECK: scop sweeps {{.*}} runs=9 declined=0 failed=0
// CHECK-NEXT: kernel sweeps_{{.*}} launches=8
// CHECK-NEXT: kernel sweeps_{{.*}} launches=4
// CHECK-NEXT: kernel sweeps_{{.*}} launches=4
// CHECK-NEXT: kernel sweeps_{{.*}} launches=5
//
// RUN: %run_plain POLYGPU_SEED=5 POLYGPU_DUMP=%t.ref.dump %t.ref 6
// RUN: %run_plain POLYGPU_DEVICE=emulated POLYGPU_COST=off POLYGPU_PROFILE=lines \
// RUN:   POLYGPU_SEED=5 POLYGPU_DUMP=%t.long.dump %t.gpu 6 2>&1 \
// RUN:   | %FileCheck --check-prefix=LONG %s
// RUN: cmp %t.ref.dump %t.long.dump
//
// LONG: scop sweeps {{.*}} runs=1 declined=4 failed=0
#include "exec.h"

#include <stdlib.h>

// Two planes, and what the second one runs into.
static float u[3][5];

NOINLINE static void sweeps(int n, int steps)
{
    for (int t = 0; t < steps; t++)
        for (int i = 1; i < n - 1; i++)
            u[(t + 1) % 2][i] =
                (u[t % 2][i + 1] + u[t % 2][i - 1]) / 3 + u[t % 2][i];
}

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 5;

    harness_start(1, argv);
    harness_fill(u, 15, sizeof(float));
    for (int t = 0; t < 10; t++) {
        sweeps(n, t);
        dump_float("u", &u[0][0], 15);
    }
    return 0;
}
