// Loops around small kernels are in one kernel of one block, as the sizes of each
// run decide; POLYGPU_CHAIN takes one way for all.  Both are compared with the
// sequential program, on the checked device and on the PTX machine.
//
// RUN: %gpu_cc -mfma %s %harness -o %t.gpu
// RUN: %ref_cc %s %harness -o %t.ref
// RUN: %run_ref %t.ref
// RUN: %run_gpu %t.gpu 2>&1 | %FileCheck --check-prefix=AUTO %s
// RUN: cmp %t.ref.dump %t.gpu.dump
// RUN: %run_gpu POLYGPU_CHAIN=on %t.gpu 2>&1 | %FileCheck --check-prefix=ON %s
// RUN: cmp %t.ref.dump %t.gpu.dump
// RUN: %run_gpu POLYGPU_CHAIN=off %t.gpu 2>&1 | %FileCheck --check-prefix=OFF %s
// RUN: cmp %t.ref.dump %t.gpu.dump
// RUN: env POLYGPU_CHAIN=maybe %run_plain POLYGPU_DEVICE=emulated %t.gpu 2>&1 \
// RUN:   | %FileCheck --check-prefix=WRONG %s
//
// Each in a kernel of one block wherever that can be, also planes and waves:
//
// RUN: %gpu_cc -mfma -mllvm -gpu-time=chain %s %harness -o %t.gpu
// RUN: %run_gpu %t.gpu 2>&1 | %FileCheck --check-prefix=FORCED %s
// RUN: cmp %t.ref.dump %t.gpu.dump
//
// And nowhere:
//
// RUN: %gpu_cc -mfma -mllvm -gpu-time=off %s %harness -o %t.gpu
// RUN: %run_gpu POLYGPU_CHAIN=on %t.gpu 2>&1 | %FileCheck --check-prefix=NONE %s
// RUN: cmp %t.ref.dump %t.gpu.dump
//
// With a file of kernels as CUDA the program launches those, and no kernel of
// the whole grid, which is not among them:
//
// RUN: %gpu_cc -mfma -mllvm -gpu-print-kernels=%t.cu %s %harness -o %t.gpu
// RUN: %run_gpu %t.gpu 2>&1 | %FileCheck --check-prefix=PRINTED %s
// RUN: cmp %t.ref.dump %t.gpu.dump
//
// Sizes are 300, 45 and 4200 with 3, 20 and 2 steps.
//
// AUTO: scop sweeps {{.*}} runs=3 declined=0 failed=0
// AUTO-NEXT: kernel sweeps_{{.*}} launches=2
// AUTO-NEXT: kernel sweeps_{{.*}} launches=2
// AUTO-NEXT: kernel sweeps_{{.*}} launches=2
// AUTO-NEXT: scop solve {{.*}} runs=2 declined=0 failed=0
// AUTO: kernel solve_{{.*}} launches=2
// AUTO: scop sums {{.*}} runs=3 declined=0 failed=0
// AUTO: scop constant {{.*}} runs=3 declined=0 failed=0
// AUTO-NEXT: kernel constant_{{.*}} launches=3
// AUTO-NEXT: scop plane
// AUTO-NEXT: kernel plane_{{.*}} launches=5
// AUTO-NEXT: kernel plane_{{.*}} launches=5
// AUTO-NEXT: kernel plane_{{[0-9]+}}_0_grid {{.*}}launches=1
//
// ON: scop sweeps {{.*}} runs=3 declined=0 failed=0
// ON-NEXT: kernel sweeps_{{.*}} launches=0
// ON-NEXT: kernel sweeps_{{.*}} launches=0
// ON-NEXT: kernel sweeps_{{.*}} launches=3
// ON-NEXT: scop solve
// ON: kernel solve_{{.*}} launches=2
// ON-NEXT: scop sums
// ON: kernel sums_{{.*}} launches=3
// ON-NEXT: scop constant
// ON-NEXT: kernel constant_{{.*}} launches=3
//
// OFF: scop sweeps {{.*}} runs=3 declined=0 failed=0
// OFF-NEXT: kernel sweeps_{{.*}} launches=25
// OFF-NEXT: kernel sweeps_{{.*}} launches=25
// OFF-NEXT: kernel sweeps_{{.*}} launches=0
// OFF-NEXT: scop solve
//
// The constant one has no other way.
// OFF: kernel constant_{{.*}} launches=3
//
// FORCED: kernel sweeps_{{.*}} launches=3
// FORCED: kernel plane_{{.*}} launches=3
// FORCED: kernel wave_{{.*}} launches=3
//
// NONE: kernel sweeps_{{.*}} launches=25
// NONE: kernel constant_{{.*}} launches=75
//
// PRINTED: kernel plane_{{.*}} launches=25
// PRINTED-NEXT: kernel plane_{{.*}} launches=25
// PRINTED-NOT: kernel plane_
//
// WRONG: POLYGPU_CHAIN=maybe is not a known value; allowed: auto, on, off
#include "exec.h"

#include <stdlib.h>

/* What is far away keeps them out of overlapping tiles. */
NOINLINE static void sweeps(int t, int n, double *restrict a,
                            double *restrict b)
{
    for (int s = 0; s < t; s++) {
        for (int i = 1; i < n - 1; i++)
            b[i] = (a[i - 1] + a[i] + a[n - 1 - i]) / 3;
        for (int i = 1; i < n - 1; i++)
            a[i] = (b[i - 1] + b[i] + b[i + 1]) / 3;
    }
}

/* In each step a division by one thread, and then all others. */
NOINLINE static void solve(int n, double (*restrict l)[n], double *restrict x)
{
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < i; j++)
            x[i] -= l[i][j] * x[j];
        x[i] = x[i] / (l[i][i] + 3);
    }
}

/* A sum in order by one thread, whose result all threads need. */
NOINLINE static void sums(int t, int n, double *restrict a, double *restrict c)
{
    for (int s = 0; s < t; s++) {
        double sum = 0;
        for (int i = 0; i < n; i++)
            sum += a[i];
        for (int i = 0; i < n; i++)
            a[i] = a[i] - sum / n;
        c[s] = sum;
    }
}

/* Small enough whatever the arguments. */
NOINLINE static void constant(double *restrict a, double *restrict b)
{
    for (int s = 0; s < 25; s++) {
        for (int i = 0; i < 300; i++)
            b[i] = a[i] + a[299 - i];
        for (int i = 0; i < 300; i++)
            a[i] = b[i] * 0.5;
    }
}

NOINLINE static void plane(int t, int n, double (*restrict a)[n],
                           double (*restrict b)[n])
{
    for (int s = 0; s < t; s++) {
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++)
                b[i][j] = (a[i - 1][j] + a[i][n - 1 - j]) / 2;
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++)
                a[i][j] = b[i][j] + 1;
    }
}

NOINLINE static void wave(int t, int n, double *a)
{
    for (int s = 0; s < t; s++)
        for (int i = 1; i < n - 1; i++)
            a[i] = (a[i - 1] + a[i] + a[i + 1]) / 3;
}

NOINLINE static void all(int t, int n)
{
    int side = n > 100 ? 33 : n;
    size_t size = 300 * 300 + 4200;
    double *a = harness_alloc(size, sizeof *a);
    double *b = harness_alloc(size, sizeof *b);

    harness_fill(a, size, sizeof *a);
    harness_fill(b, size, sizeof *b);
    sweeps(t, n, a, b);
    if (n < 1000)
        solve(n, (void *)a, b);
    sums(t, n, a, b);
    constant(a, b);
    plane(t, side, (void *)a, (void *)b);
    wave(t, n, a);
    dump_double("a", a, size);
    dump_double("b", b, size);
    free(a);
    free(b);
}

int main(int argc, char **argv)
{
    harness_start(argc, argv);
    all(3, 300);
    all(20, 45);
    all(2, 4200);
    return harness_end();
}
