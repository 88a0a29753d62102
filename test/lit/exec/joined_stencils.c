// Stencils over one input that are one kernel copy its tile to shared memory
// once: the same neighbours, other neighbours on other domains, and three of
// them.
//
// RUN: %gpu_cc -mfma %s %harness -o %t.gpu -Rpass-analysis=gpu-polyhedral \
// RUN:     > %t.remarks 2>&1
// RUN: %FileCheck --check-prefix=REMARK %s < %t.remarks
// RUN: %ref_cc %s %harness -o %t.ref
// RUN: %run_ref %t.ref
// RUN: %run_gpu %t.gpu 2>&1 | %FileCheck %s
// RUN: cmp %t.ref.dump %t.gpu.dump
// RUN: env POLYGPU_DUMP=%t.gpu.dump POLYGPU_DEVICE=emulated POLYGPU_COST=off \
// RUN:     POLYGPU_FAULT=launch:1 %t.gpu 2>&1 | \
// RUN:     %FileCheck --check-prefix=FAULT %s
// RUN: cmp %t.ref.dump %t.gpu.dump
//
// REMARK: kernel gradient_{{.*}} x 2; a in 9024 bytes of shared memory; sizes
// REMARK: kernel radii_{{.*}} x 2; a in 9792 bytes of shared memory; sizes
// REMARK: kernel three_{{.*}}; a in {{[0-9]+}} bytes of shared memory; sizes
// CHECK: scop gradient {{.*}} runs=3 declined=0 failed=0
// CHECK: kernel gradient_{{[0-9]+}}_0 device=emulated launches=3
// CHECK: scop radii {{.*}} runs=3 declined=0 failed=0
// CHECK: kernel radii_{{[0-9]+}}_0 device=emulated launches=3
// CHECK: scop three {{.*}} runs=3 declined=0 failed=0
// CHECK: kernel three_{{[0-9]+}}_0 device=emulated launches=3
// FAULT: injected fault: launch number 1 failed
#include "exec.h"

enum { SIDE = 150 };

static float a[SIDE][SIDE], p[SIDE][SIDE], q[SIDE][SIDE], r[SIDE][SIDE];

NOINLINE static void gradient(int n, int m, float (*restrict x)[SIDE],
                              float (*restrict y)[SIDE],
                              float (*restrict a)[SIDE])
{
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < m - 1; j++)
            x[i][j] = a[i - 1][j - 1] + 2 * a[i][j - 1] + a[i + 1][j - 1] -
                      a[i - 1][j + 1] - 2 * a[i][j + 1] - a[i + 1][j + 1];
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < m - 1; j++)
            y[i][j] = a[i - 1][j - 1] + 2 * a[i - 1][j] + a[i - 1][j + 1] -
                      a[i + 1][j - 1] - 2 * a[i + 1][j] - a[i + 1][j + 1];
}

NOINLINE static void radii(int n, int m, float (*restrict p)[SIDE],
                           float (*restrict q)[SIDE], float (*restrict a)[SIDE])
{
    for (int i = 2; i < n - 2; i++)
        for (int j = 2; j < m - 2; j++)
            p[i][j] = a[i][j - 2] + a[i][j + 2] + a[i - 2][j] + a[i + 2][j] -
                      4 * a[i][j];
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < m - 1; j++)
            q[i][j] = a[i][j - 1] + a[i][j + 1] + a[i - 1][j] + a[i + 1][j];
}

NOINLINE static void three(int n, int m, float (*restrict p)[SIDE],
                           float (*restrict q)[SIDE], float (*restrict r)[SIDE],
                           float (*restrict a)[SIDE])
{
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < m - 1; j++) {
            p[i][j] = a[i][j - 1] - a[i][j + 1];
            q[i][j] = a[i - 1][j] - a[i + 1][j];
            r[i][j] = a[i - 1][j - 1] + a[i + 1][j + 1] + q[i][j];
        }
}

HOST void run(int n, int m)
{
    harness_fill(a, (size_t)SIDE * SIDE, sizeof **a);
    poison(p, sizeof p);
    poison(q, sizeof q);
    poison(r, sizeof r);
    gradient(n, m, p, q, a);
    dump("gradient x", p, sizeof p);
    dump("gradient y", q, sizeof q);
    radii(n, m, p, q, a);
    dump("radii p", p, sizeof p);
    dump("radii q", q, sizeof q);
    three(n, m, p, q, r, a);
    dump("three p", p, sizeof p);
    dump("three q", q, sizeof q);
    dump("three r", r, sizeof r);
}

int main(int argc, char **argv)
{
    static const int sizes[][2] = {
        {0, 0}, {150, 150}, {7, 141}, {139, 66}, {1, 1}};

    harness_start(argc, argv);
    for (int i = 0; i < 5; i++)
        run(sizes[i][0], sizes[i][1]);
    return harness_end();
}
