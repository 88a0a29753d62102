// Steps of Floyd and Warshall's algorithm in tiles, 32 at a time: row and column k are
// read before and behind their own update, and both versions are kept.  The values
// show it: shortest paths with negative cycles, modulo 2^32, and operations that are no
// minimum.  Compared with the sequential program, on the
// checked device and on the PTX machine.
//
// RUN: %gpu_cc -mfma -mllvm -gpu-max-operations=60000000 %s %harness -o %t.gpu
// RUN: %ref_cc %s %harness -o %t.ref
// RUN: %run_ref %t.ref
// RUN: %run_gpu %t.gpu 2>&1 | %FileCheck %s
// RUN: cmp %t.ref.dump %t.gpu.dump
//
// Sizes are 1, 31, 33 and 70, which are 1, 1, 2 and 3 times 32 steps; the diagonal tile
// is the only one of the first two.  The rest is four kernels: above and below row k,
// left and right of column k; their launches are one.
//
// CHECK: scop paths {{.*}} runs=4 declined=0 failed=0
// CHECK-NEXT: kernel paths_{{.*}} launches=7
// CHECK-NEXT: kernel paths_{{.*}} launches=5
// CHECK-NEXT: kernel paths_{{.*}}_joined {{.*}} launches=5
// CHECK-NOT: kernel paths_
//
// CHECK: scop turned {{.*}} runs=4 declined=0 failed=0
// CHECK-NEXT: kernel turned_{{.*}} launches=7
// CHECK-NEXT: kernel turned_{{.*}} launches=5
// CHECK-NEXT: kernel turned_{{.*}}_joined {{.*}} launches=5
// CHECK-NOT: kernel turned_
//
// CHECK: scop mixed {{.*}} runs=4 declined=0 failed=0
// CHECK-NEXT: kernel mixed_{{.*}} launches=7
// CHECK-NEXT: kernel mixed_{{.*}} launches=5
// CHECK-NEXT: kernel mixed_{{.*}}_joined {{.*}} launches=5
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

/* No minimum; what is known before the first step; and an array beside. */
NOINLINE static void mixed(int n, double (*restrict a)[n],
                           const double (*restrict b)[n])
{
    for (int k = 0; k < n; k++)
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++)
                a[i][j] = a[i][j] * 0.5 - a[k][j] * b[i][j] + a[i][k] * 0.25;
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
    double *e = harness_alloc(size, sizeof *e);

    random_bits(a, size * sizeof *a);
    paths(n, (void *)a);
    dump("a", a, size * sizeof *a);
    turned(n, (void *)a);
    dump("a", a, size * sizeof *a);
    harness_fill(d, size, sizeof *d);
    harness_fill(e, size, sizeof *e);
    mixed(n, (void *)d, (void *)e);
    dump_double("d", d, size);
    free(a);
    free(d);
    free(e);
}

int main(int argc, char **argv)
{
    static const int sizes[] = {1, 31, 33, 70};

    harness_start(argc, argv);
    for (int i = 0; i < 4; i++)
        all(sizes[i]);
    return harness_end();
}
