// Elements in steps of 5 that an inner loop overwrites: the array that keeps
// them all has as many rows as (n - 1) / 5 tells, which isl divides as if n were
// positive. It is not where nothing runs; such sizes use no extents.
//
// RUN: %gpu_cc %s %harness -o %t.gpu
// RUN: %ref_cc %s %harness -o %t.ref
// RUN: %run_ref %t.ref
// RUN: %run_gpu %t.gpu 2>&1 | %FileCheck %s
// RUN: cmp %t.ref.dump %t.gpu.dump
//
// Three of four sizes have something to do.
// CHECK: polygpu: scop steps {{.*}} runs=3 declined=0 failed=0
// CHECK-COUNT-2: kernel {{.*}} launches=3
// CHECK-NOT: kernel
#include "exec.h"

enum { N = 37, SIZES = 4 };

static const int sizes[SIZES] = {0, N, 1, 11};

static float a[N], b[N], c[N][N], d[SIZES][N];

NOINLINE static void steps(int n, const float *x, const float *y,
                           float z[N][N], float *restrict w)
{
    for (int i = 0; i < n; i += 5)
        for (int j = 0; j < n; j++) {
            w[i] = x[j] - y[i];
            w[i] = z[j][i] - 0.75f;
        }
}

int main(int argc, char **argv)
{
    harness_start(argc, argv);
    harness_fill(a, N, sizeof(float));
    harness_fill(b, N, sizeof(float));
    harness_fill(c, N * N, sizeof(float));
    harness_fill(d, SIZES * N, sizeof(float));
    for (int s = 0; s < SIZES; s++)
        steps(sizes[s], a, b, c, d[s]);
    dump("d", d, sizeof d);
    return harness_end();
}
