// Overlapping tiles know less of the parameters than the loops: here that n is at most 5
// with several steps, and 6 with one, as rows have 5 elements. What the check tries for
// the tiles is what the loops allow.
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
#include "exec.h"

static float u[2][5];

NOINLINE static void sweeps(int n, int steps)
{
    for (int t = 0; t < steps; t++)
        for (int i = 1; i < n - 1; i++)
            u[(t + 1) % 2][i] =
                (u[t % 2][i + 1] + u[t % 2][i - 1]) / 3 + u[t % 2][i];
}

int main(int argc, char **argv)
{
    harness_start(argc, argv);
    harness_fill(u, 10, sizeof(float));
    for (int t = 0; t < 10; t++) {
        sweeps(5, t);
        dump_float("u", &u[0][0], 10);
    }
    return 0;
}
