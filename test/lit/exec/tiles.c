// Loops of the host that carry dependences launch waves of tiles where these are
// fewer launches; compared with the sequential program, on the checked device and
// on the PTX machine.
//
// RUN: %gpu_cc -mfma %s %harness -o %t.gpu
// RUN: %ref_cc %s %harness -o %t.ref
// RUN: %run_ref %t.ref
// RUN: %run_gpu POLYGPU_CHAIN=off %t.gpu 2>&1 | %FileCheck --check-prefix=AUTO %s
// RUN: cmp %t.ref.dump %t.gpu.dump
//
// Wherever they can be, and with tiles of the user's that cut all sizes:
//
// RUN: %gpu_cc -mfma -mllvm -gpu-time=tiles \
// RUN:   -mllvm '-gpu-sizes={ kernel[i] -> tile[7,5] }' %s %harness -o %t.gpu
// RUN: %run_gpu %t.gpu 2>&1 | %FileCheck --check-prefix=FORCED %s
// RUN: cmp %t.ref.dump %t.gpu.dump
// RUN: %gpu_cc -mfma -mllvm -gpu-time=tiles \
// RUN:   -mllvm '-gpu-sizes={ kernel[i] -> tile[3,4,9] }' %s %harness -o %t.gpu
// RUN: %run_gpu %t.gpu 2>&1 | %FileCheck --check-prefix=CUBES %s
// RUN: cmp %t.ref.dump %t.gpu.dump
//
// And nowhere:
//
// RUN: %gpu_cc -mfma -mllvm -gpu-time=off %s %harness -o %t.gpu
// RUN: %run_gpu %t.gpu 2>&1 | %FileCheck --check-prefix=NONE %s
// RUN: cmp %t.ref.dump %t.gpu.dump
//
// Sizes are 1, 31, 32, 33 and 100: floor((9 n - 9) / 256) + 1 launches of solve; factor is
// in blocks (blocks.c) where tiles are not asked for.
//
// AUTO: scop solve {{.*}} runs=5 declined=0 failed=0
// AUTO-NEXT: kernel solve_{{.*}} launches=11
// AUTO: scop factor {{.*}} runs=4 declined=0 failed=0
// AUTO-NEXT: kernel factor_{{.*}} launches=7
// AUTO-NEXT: kernel factor_{{.*}} launches=3
// AUTO-NEXT: kernel factor_{{.*}} launches=3
//
// A sum of unknown length in a tile, which the grid shares otherwise:
// AUTO: scop columns {{.*}} runs=4 declined=0 failed=0
// AUTO-NEXT: kernel columns_{{.*}} launches=192
//
// A wavefront, of whose steps a tile runs many:
// AUTO: scop sweep {{.*}} runs=4 declined=0 failed=0
// AUTO-NEXT: kernel sweep_{{.*}} launches=5
//
// FORCED: scop solve
// FORCED-NEXT: kernel solve_{{.*}} launches=68
// FORCED: scop columns
// FORCED-NEXT: kernel columns_{{.*}} launches=66
// FORCED: scop sweep
// FORCED-NEXT: kernel sweep_{{.*}} launches=53
//
// CUBES: scop factor
// CUBES-NEXT: kernel factor_{{.*}} launches=133
// CUBES: scop fixed {{.*}} runs=4
// CUBES-NEXT: kernel fixed_{{.*}} launches=4
//
// NONE: scop factor {{.*}} runs=4 declined=0 failed=0
// NONE-NEXT: kernel factor_{{.*}} launches=192
#include "exec.h"

#include <stdlib.h>

NOINLINE static void factor(int n, double (*a)[n])
{
    for (int k = 0; k < n; k++)
        for (int i = k + 1; i < n; i++) {
            a[i][k] /= a[k][k];
            for (int j = k + 1; j < n; j++)
                a[i][j] -= a[i][k] * a[k][j];
        }
}

NOINLINE static void solve(int n, double (*restrict l)[n], double *restrict x)
{
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < i; j++)
            x[i] -= l[i][j] * x[j];
        x[i] = x[i] / (l[i][i] + 3);
    }
}

/* Each column less what the ones before have of it. */
NOINLINE static void columns(int n, double (*restrict q)[n],
                             double (*restrict r)[n])
{
    for (int k = 0; k < n; k++)
        for (int j = k + 1; j < n; j++) {
            for (int i = 0; i < n; i++)
                r[k][j] += q[i][k] * q[i][j];
            for (int i = 0; i < n; i++)
                q[i][j] -= q[i][k] * r[k][j];
        }
}

NOINLINE static void sweep(int t, int n, double *a)
{
    for (int s = 0; s < t; s++)
        for (int i = 1; i < n - 1; i++)
            a[i] = (a[i - 1] + a[i] + a[i + 1]) / 3;
}

/* A single tile of 64 x 64. */
NOINLINE static void fixed(double (*a)[31])
{
    for (int i = 1; i < 31; i++)
        for (int j = 1; j < 31; j++)
            a[i][j] = (a[i][j - 1] + a[i - 1][j]) / 2;
}

static void scale(size_t size, double *a)
{
    for (size_t i = 0; i < size; i++)
        a[i] = a[i] / 64;
}

NOINLINE static void all(int n)
{
    size_t size = (size_t)n * n;
    double *a = harness_alloc(size, sizeof *a);
    double *b = harness_alloc(size, sizeof *b);

    harness_fill(a, size, sizeof *a);
    harness_fill(b, size, sizeof *b);
    for (int i = 0; i < n; i++)
        a[i * n + i] = 2 * n;
    factor(n, (void *)a);
    solve(n, (void *)a, b);
    dump_double("a", a, size);
    scale(size, a);
    columns(n, (void *)a, (void *)b);
    sweep(11, n, a);
    if (n >= 31)
        fixed((void *)a);
    dump_double("a", a, size);
    dump_double("b", b, size);
    free(a);
    free(b);
}

int main(int argc, char **argv)
{
    static const int sizes[] = {1, 31, 32, 33, 100};

    harness_start(argc, argv);
    for (int i = 0; i < 5; i++)
        all(sizes[i]);
    return harness_end();
}
