// Steps of Floyd and Warshall's algorithm in tiles, 32 at a time: row and column k are
// read before and behind their own update, and both versions are kept.  The values
// show it: shortest paths with negative cycles, modulo 2^32; not a number; and
// operations that are no minimum.  Compared with the sequential program, on the
// checked device and on the PTX machine.
//
// RUN: %gpu_cc -mfma -mllvm -gpu-max-operations=60000000 %s %harness -o %t.gpu
// RUN: %ref_cc %s %harness -o %t.ref
// RUN: %run_ref %t.ref
// RUN: %run_gpu %t.gpu 2>&1 | %FileCheck %s
// RUN: cmp %t.ref.dump %t.gpu.dump
//
// Sizes are 1, 31, 32, 33, 64 and 77, which are 1, 1, 1, 2, 2 and 3 times 32 steps; the
// diagonal tile is the only one of the first three.
//
// CHECK: scop paths {{.*}} runs=6 declined=0 failed=0
// CHECK-NEXT: kernel paths_{{.*}} launches=10
// CHECK-NEXT: kernel paths_{{.*}} launches=7
// CHECK-NEXT: kernel paths_{{.*}} launches=7
// CHECK-NOT: kernel paths_
// CHECK: scop turned {{.*}} runs=6 declined=0 failed=0
// CHECK-NEXT: kernel turned_{{.*}} launches=10
// CHECK-NEXT: kernel turned_{{.*}} launches=7
// CHECK-NEXT: kernel turned_{{.*}} launches=7
// CHECK-NOT: kernel turned_
// CHECK: scop numbers {{.*}} runs=6 declined=0 failed=0
// CHECK-NEXT: kernel numbers_{{.*}} launches=10
// CHECK-NEXT: kernel numbers_{{.*}} launches=7
// CHECK-NEXT: kernel numbers_{{.*}} launches=7
// CHECK-NOT: kernel numbers_
// CHECK: scop mixed {{.*}} runs=6 declined=0 failed=0
// CHECK-NEXT: kernel mixed_{{.*}} launches=10
// CHECK-NEXT: kernel mixed_{{.*}} launches=7
// CHECK-NEXT: kernel mixed_{{.*}} launches=7
// CHECK-NOT: kernel mixed_
#include "exec.h"

#include <stdlib.h>

/* Sums become ever smaller along a negative cycle. */
NOINLINE static void paths(int n, unsigned (*a)[n])
{
    for (int k = 0; k < n; k++)
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++) {
                unsigned through = a[i][k] + a[k][j];

                a[i][j] = a[i][j] < through ? a[i][j] : through;
            }
}

/* The form of a sum that is no number decides. */
NOINLINE static void numbers(int n, double (*a)[n])
{
    for (int k = 0; k < n; k++)
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++)
                a[i][j] = a[i][j] < a[i][k] + a[k][j] ? a[i][j]
                                                      : a[i][k] + a[k][j];
}

/* No minimum; what is known before the first step; and an array beside. */
NOINLINE static void mixed(int n, float (*restrict a)[n],
                           const float (*restrict b)[n])
{
    for (int k = 0; k < n; k++)
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++)
                a[i][j] = a[i][j] * 0.5f - a[k][j] * b[i][j] + a[i][k] * 0.25f;
}

/* Loops the other way around. */
NOINLINE static void turned(int n, unsigned (*a)[n])
{
    for (int k = 0; k < n; k++)
        for (int j = 0; j < n; j++)
            for (int i = 0; i < n; i++)
                a[i][j] ^= 3 * a[k][j] + 5 * a[i][k] + 1;
}

NOINLINE static void all(int n)
{
    size_t size = (size_t)n * n;
    unsigned *a = harness_alloc(size, sizeof *a);
    double *d = harness_alloc(size, sizeof *d);
    float *f = harness_alloc(size, sizeof *f);
    float *g = harness_alloc(size, sizeof *g);

    random_bits(a, size * sizeof *a);
    paths(n, (void *)a);
    dump("a", a, size * sizeof *a);
    turned(n, (void *)a);
    dump("a", a, size * sizeof *a);
    harness_fill(d, size, sizeof *d);
    for (size_t i = 0; i < size; i++) {
        f[i] = (float)d[i];
        g[i] = (float)d[size - 1 - i];
        d[i] = i % 97 == 13 ? __builtin_nan("") : d[i] - 0.2;
    }
    numbers(n, (void *)d);
    dump_double("d", d, size);
    mixed(n, (void *)f, (void *)g);
    dump_float("f", f, size);
    free(a);
    free(d);
    free(f);
    free(g);
}

int main(int argc, char **argv)
{
    static const int sizes[] = {1, 31, 32, 33, 64, 77};

    harness_start(argc, argv);
    for (int i = 0; i < 6; i++)
        all(sizes[i]);
    return harness_end();
}
