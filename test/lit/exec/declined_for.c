// A run that is declined says which part of the run-time condition does not hold:
// which arrays overlap, or what was assumed of the sizes.
//
// RUN: %gpu_cc -ffp-contract=off %s %harness -o %t.gpu
// RUN: %ref_cc -ffp-contract=off %s %harness -o %t.ref
// RUN: %run_ref %t.ref
// RUN: env POLYGPU_DEBUG=1 %run_auto %t.gpu 2>&1 | %FileCheck %s
// RUN: cmp %t.ref.dump %t.gpu.dump
//
// CHECK: polygpu: {{.*}}pair{{.*}}'x' overlaps one of {{'y', 'z'|'z', 'y'}}
// CHECK: polygpu: {{.*}}rows{{.*}}the sizes are not what was assumed (m <= 15) with m = 60
// CHECK: polygpu: {{.*}}column{{.*}}the sizes are not what was assumed (0 < j <= m) with m = 15, j = 16
// CHECK: polygpu: scop pair {{.*}} runs=1 declined=1 failed=0
// CHECK: polygpu: scop rows {{.*}} runs=1 declined=1 failed=0
// CHECK: polygpu: scop column {{.*}} runs=1 declined=1 failed=0
#include "exec.h"

enum { N = 60 };

static float a[4 * N], b[4 * N], c[4 * N];

NOINLINE static void pair(int n, float *x, const float *y, const float *z)
{
    for (int i = 0; i < n; i++)
        x[i] = y[n - 1 - i] + z[n - 1 - i];
}

NOINLINE static void rows(int n, int m, float (*restrict x)[N / 4])
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            x[i][j] *= 2;
}

/* Column j, counted from 1, or one of the row below. */
NOINLINE static void column(int n, int m, float *restrict x, int j)
{
    for (int i = 0; i < n; i++)
        x[i * m + (j - 1)] += x[i * m];
}

int main(int argc, char **argv)
{
    harness_start(argc, argv);
    harness_fill(a, 4 * N, sizeof *a);
    harness_fill(b, 4 * N, sizeof *b);
    harness_fill(c, 4 * N, sizeof *c);
    pair(N, a, b, c);
    pair(N, a + 1, a, c);
    rows(4, N / 4, (float (*)[N / 4])b);
    rows(1, N, (float (*)[N / 4])b);
    column(4, N / 4, c, 3);
    column(4, N / 4, c, N / 4 + 1);
    dump("c", c, sizeof c);
    dump("a", a, sizeof a);
    dump("b", b, sizeof b);
    return harness_end();
}
