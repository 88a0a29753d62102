// Steps of an elimination in blocks, 32 at a time: the diagonal one, panels, and the rest,
// which is a matrix product.  Compared with the sequential program, on the checked device
// and on the PTX machine.
//
// RUN: %gpu_cc -mfma %s %harness -lm -o %t.gpu
// RUN: %ref_cc %s %harness -lm -o %t.ref
// RUN: %run_ref %t.ref
// RUN: %run_gpu %t.gpu 2>&1 | %FileCheck %s
// RUN: cmp %t.ref.dump %t.gpu.dump
//
// Sizes are 1, 2, 31, 32, 33, 70, 97 and 150: in launches floor((n + 31) / 32) diagonal blocks
// or one less, as often panels as there is something behind these, and a rest.
//
// CHECK: scop cholesky {{.*}} runs=8 declined=0 failed=0
// CHECK-NEXT: kernel cholesky_{{.*}} launches=18
// CHECK-NEXT: kernel cholesky_{{.*}} launches=10
// CHECK-NEXT: kernel cholesky_{{.*}} launches=8
// CHECK: scop rows {{.*}} runs=7 declined=0 failed=0
// CHECK-NEXT: kernel rows_{{.*}} launches=15
// CHECK-NEXT: kernel rows_{{.*}} launches=10
// CHECK-NEXT: kernel rows_{{.*}}_joined {{.*}} launches=10
// CHECK: scop crout {{.*}} runs=7 declined=0 failed=0
// CHECK-NEXT: kernel crout_{{.*}} launches=15
// CHECK-NEXT: kernel crout_{{.*}} launches=10
// CHECK-NEXT: kernel crout_{{.*}}_joined {{.*}} launches=10
// CHECK: scop steps {{.*}} runs=7 declined=0 failed=0
// CHECK-NEXT: kernel steps_{{.*}} launches=15
// CHECK-NEXT: kernel steps_{{.*}} launches=8
// CHECK-NEXT: kernel steps_{{.*}} launches=8
// CHECK: scop gauss {{.*}} runs=7 declined=0 failed=0
// CHECK-NEXT: kernel gauss_{{.*}} launches=15
// CHECK-NEXT: kernel gauss_{{.*}} launches=12
// CHECK-NEXT: kernel gauss_{{.*}} launches=8
// CHECK: scop turned {{.*}} runs=7 declined=0 failed=0
// CHECK-NEXT: kernel turned_{{.*}} launches=15
// CHECK-NEXT: kernel turned_{{.*}} launches=8
// CHECK-NEXT: kernel turned_{{.*}} launches=8
//
// No blocks, but waves:
//
// CHECK: scop bent {{.*}} runs=7 declined=0 failed=0
// CHECK-NEXT: kernel bent_{{.*}} launches=53
//
// Blocks, and waves behind them:
//
// CHECK: scop two {{.*}} runs=7 declined=0 failed=0
// CHECK-NEXT: kernel two_{{.*}} launches=15
// CHECK-NEXT: kernel two_{{.*}} launches=8
// CHECK-NEXT: kernel two_{{.*}} launches=8
// CHECK-NEXT: kernel two_{{.*}} launches=40
// CHECK-NOT: kernel two_
//
// No blocks, and launches of one step each:
//
// CHECK: scop late {{.*}} runs=6 declined=0 failed=0
// CHECK-NEXT: kernel late_{{.*}} launches=401
// CHECK-NEXT: kernel late_{{.*}} launches=401
#include "exec.h"

#include <math.h>
#include <stdlib.h>

/* Row by row, without pivots. */
NOINLINE static void rows(int n, float (*a)[n])
{
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < i; j++) {
            for (int k = 0; k < j; k++)
                a[i][j] -= a[i][k] * a[k][j];
            a[i][j] /= a[j][j];
        }
        for (int j = i; j < n; j++)
            for (int k = 0; k < i; k++)
                a[i][j] -= a[i][k] * a[k][j];
    }
}

/* Row and column i of a flat array at a time, sums in a scalar. */
NOINLINE static void crout(int n, float *a)
{
    for (int i = 0; i < n; i++) {
        for (int j = i; j < n; j++) {
            float sum = a[i * n + j];

            for (int k = 0; k < i; k++)
                sum -= a[i * n + k] * a[k * n + j];
            a[i * n + j] = sum;
        }
        for (int j = i + 1; j < n; j++) {
            float sum = a[j * n + i];

            for (int k = 0; k < i; k++)
                sum -= a[j * n + k] * a[k * n + i];
            a[j * n + i] = sum / a[i * n + i];
        }
    }
}

/* Step by step. */
NOINLINE static void steps(int n, double (*a)[n])
{
    for (int k = 0; k < n; k++) {
        for (int i = k + 1; i < n; i++)
            a[i][k] /= a[k][k];
        for (int i = k + 1; i < n; i++)
            for (int j = k + 1; j < n; j++)
                a[i][j] -= a[i][k] * a[k][j];
    }
}

/* The lower triangle, with the diagonal's sums apart. */
NOINLINE static void cholesky(int n, float (*a)[n])
{
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < i; j++) {
            for (int k = 0; k < j; k++)
                a[i][j] -= a[i][k] * a[j][k];
            a[i][j] /= a[j][j];
        }
        for (int k = 0; k < i; k++)
            a[i][i] -= a[i][k] * a[i][k];
        a[i][i] = sqrtf(a[i][i]);
    }
}

/* Integers, and another operation; wrong values in another order. */
NOINLINE static void turned(int n, unsigned (*a)[n])
{
    for (int k = 0; k < n; k++)
        for (int i = k + 1; i < n; i++)
            for (int j = k + 1; j < n; j++)
                a[i][j] = (a[i][j] ^ a[i][k]) * 5 + a[k][j];
}

/* More columns than rows, as Gauss's elimination with right sides. */
NOINLINE static void gauss(int n, int m, double (*a)[n + m])
{
    for (int k = 0; k < n; k++)
        for (int i = k + 1; i < n; i++)
            for (int j = k + 1; j < n + m; j++)
                a[i][j] -= a[k][j] * a[i][k] / a[k][k];
}

/* An element of the rest needs its neighbour: no blocks. */
NOINLINE static void bent(int n, unsigned (*a)[n])
{
    for (int k = 0; k < n; k++)
        for (int i = k + 1; i < n; i++)
            for (int j = k + 1; j < n; j++)
                a[i][j] = (a[i][j] ^ a[i][k]) * 5 + a[k][j] + a[i][j - 1];
}

/* Values of the step before are needed, so that the rest comes before panels. */
NOINLINE static void late(int n, unsigned (*a)[n], unsigned *s)
{
    for (int k = 1; k < n; k++)
        for (int i = k + 1; i < n; i++)
            for (int j = k + 1; j < n; j++)
                a[i][j] = (a[i][j] ^ a[i][k]) * 5 + a[k][j] + a[n - 1][n - 1];
    s[0] = a[n - 1][n - 1];
}

/* Two of them: the first one is in blocks, the other one is waves. */
NOINLINE static void two(int n, unsigned (*restrict a)[n],
                         unsigned (*restrict b)[n])
{
    for (int k = 0; k < n; k++)
        for (int i = k + 1; i < n; i++)
            for (int j = k + 1; j < n; j++)
                a[i][j] = (a[i][j] ^ a[i][k]) * 5 + a[k][j];
    for (int k = 0; k < n; k++)
        for (int i = k + 1; i < n; i++)
            for (int j = k + 1; j < n; j++)
                b[i][j] = (b[i][j] ^ b[k][j]) * 3 + b[i][k] + a[i][j];
}

/* Elements by the diagonal that keep pivots away from zero. */
HOST void dominant_float(int n, float *a)
{
    for (int i = 0; i < n; i++)
        a[i * n + i] += (float)n;
}

HOST void dominant(int n, int m, double *a)
{
    for (int i = 0; i < n; i++)
        a[i * m + i] += n;
}

NOINLINE static void all(int n)
{
    int m = n + 7;
    size_t size = (size_t)n * m;
    float *f = harness_alloc(size, sizeof *f);
    double *d = harness_alloc(size, sizeof *d);
    unsigned *u = harness_alloc(size, sizeof *u);

    harness_fill(f, size, sizeof *f);
    dominant_float(n, f);
    rows(n, (void *)f);
    dump_float("rows", f, size);
    harness_fill(f, size, sizeof *f);
    dominant_float(n, f);
    crout(n, f);
    dump_float("crout", f, size);
    harness_fill(f, size, sizeof *f);
    dominant_float(n, f);
    cholesky(n, (void *)f);
    dump_float("cholesky", f, size);
    harness_fill(d, size, sizeof *d);
    dominant(n, n, d);
    steps(n, (void *)d);
    dump_double("steps", d, size);
    harness_fill(d, size, sizeof *d);
    dominant(n, m, d);
    gauss(n, 7, (void *)d);
    dump_double("gauss", d, size);
    random_bits(u, size * sizeof *u);
    turned(n, (void *)u);
    dump("turned", u, size * sizeof *u);
    bent(n, (void *)u);
    dump("bent", u, size * sizeof *u);
    late(n, (void *)u, u);
    dump("late", u, size * sizeof *u);
    random_bits(d, size * sizeof *d);
    two(n, (void *)u, (void *)d);
    dump("two", u, size * sizeof *u);
    dump("two", d, size * sizeof *d);
    free(f);
    free(d);
    free(u);
}

int main(int argc, char **argv)
{
    static const int sizes[] = {1, 2, 31, 32, 33, 70, 97, 150};

    harness_start(argc, argv);
    for (int i = 0; i < 8; i++)
        all(sizes[i]);
    return harness_end();
}
