// Time loops over three or four planes of variable size, of which the remainder of
// the step says which one is which: steps are unrolled by their number, and those
// that are left are nests of their own.
//
// RUN: %gpu_cc -mfma %s %harness -o %t.gpu
// RUN: %ref_cc %s %harness -o %t.ref
// RUN: %run_ref %t.ref
// RUN: %run_gpu POLYGPU_CHAIN=off %t.gpu 2>&1 | %FileCheck %s
// RUN: cmp %t.ref.dump %t.gpu.dump
// RUN: %run_gpu POLYGPU_CHAIN=on %t.gpu
// RUN: cmp %t.ref.dump %t.gpu.dump
// RUN: %run_faults
//
// Steps are 0 to 9: 12 times three, and 0, 1 or 2 left.
//
// CHECK-DAG: polygpu: scop wave {{.*}} runs=7 declined=0 failed=0
// CHECK-DAG: kernel wave_{{[0-9]+}}_0 {{.*}}launches=12
// CHECK-DAG: kernel wave_{{[0-9]+}}_1 {{.*}}launches=12
// CHECK-DAG: kernel wave_{{[0-9]+}}_2 {{.*}}launches=12
// CHECK-DAG: polygpu: scop wave {{.*}} runs=6 declined=0 failed=0
// CHECK-DAG: polygpu: scop delayed {{.*}} runs=6 declined=0 failed=0
// CHECK-DAG: kernel delayed_{{.*}} launches={{[1-9]}}
#include "exec.h"

#include <stdlib.h>

enum { N = 40, M = 30 };

NOINLINE static void wave(int steps, int n, int m, float (*restrict u)[n][m])
{
    for (int t = 0; t < steps; t++)
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++)
                u[(t + 2) % 3][i][j] =
                    1.5f * u[(t + 1) % 3][i][j] - u[t % 3][i][j] +
                    0.1f * (u[(t + 1) % 3][i - 1][j] +
                            u[(t + 1) % 3][i + 1][j] +
                            u[(t + 1) % 3][i][j - 1] +
                            u[(t + 1) % 3][i][j + 1]);
}

// Four planes, from step 3 on.
NOINLINE static void delayed(unsigned long steps, int n, double (*restrict u)[n])
{
    for (unsigned long t = 3; t < steps; t++)
        for (int i = 1; i < n - 1; i++)
            u[t % 4][i] = 0.5 * u[(t + 3) % 4][i - 1] +
                          0.25 * u[(t + 1) % 4][i + 1];
}

int main(int argc, char **argv)
{
    float *u = harness_alloc((size_t)3 * N * M, sizeof *u);
    double *v = harness_alloc((size_t)4 * N, sizeof *v);

    harness_start(argc, argv);
    harness_fill(u, (size_t)3 * N * M, sizeof *u);
    harness_fill(v, (size_t)4 * N, sizeof *v);
    for (int t = 0; t < 10; t++) {
        wave(t, N, M, (void *)u);
        delayed(t, N, (void *)v);
        dump_float("u", u, (size_t)3 * N * M);
        dump_double("v", v, (size_t)4 * N);
    }
    free(u);
    free(v);
    return harness_end();
}
