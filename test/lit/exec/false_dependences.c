// What an iteration of a time loop overwrites is copied at its beginning where
// only that order keeps the loops inside from being parallel (Di and Xue, III-C):
// two kernels per step instead of a wavefront of single elements.  Where values
// come from the same step as well, the wavefront stays.  Sizes are such that
// steps, rows, or all of it may be missing.
//
// RUN: %gpu_cc -mfma -mllvm -gpu-time=off %s %harness -o %t.gpu
// RUN: %ref_cc %s %harness -o %t.ref
// RUN: %run_ref %t.ref
// RUN: %run_gpu %t.gpu 2>&1 | %FileCheck %s
// RUN: cmp %t.ref.dump %t.gpu.dump
//
// Steps are 7, 1, 0 and 12; there is nothing to do for one row.
//
// CHECK: scop forwards {{.*}} runs=3 declined=0 failed=0
// CHECK-NEXT: kernel forwards_{{.*}} launches=20
// CHECK-NEXT: kernel forwards_{{.*}} launches=20
// CHECK: scop backwards {{.*}} runs=3 declined=0 failed=0
// CHECK-NEXT: kernel backwards_{{.*}} launches=20
// CHECK-NEXT: kernel backwards_{{.*}} launches=20
// CHECK: scop plane {{.*}} runs=3 declined=0 failed=0
// CHECK-NEXT: kernel plane_{{.*}} launches=20
// CHECK-NEXT: kernel plane_{{.*}} launches=20
// CHECK: scop two {{.*}} runs=3 declined=0 failed=0
// CHECK-NEXT: kernel two_{{.*}} launches=20
// CHECK-NEXT: kernel two_{{.*}}_joined {{.*}} launches=20
// CHECK: scop inside {{.*}} runs=3 declined=0 failed=0
// CHECK-NEXT: kernel inside_{{.*}} launches=20
// CHECK-NEXT: kernel inside_{{.*}} launches=20
// CHECK: scop seidel {{.*}} runs=3 declined=0 failed=0
// CHECK-NEXT: kernel seidel_{{.*}} launches={{[0-9]+}}
// CHECK-NOT: kernel seidel
#include "exec.h"

#include <stdlib.h>

NOINLINE static void forwards(int t, int n, double *a)
{
    for (int s = 0; s < t; s++)
        for (int i = 0; i < n - 1; i++)
            a[i] = 0.5 * (a[i] + a[i + 1]);
}

NOINLINE static void backwards(int t, int n, double *a)
{
    for (int s = 0; s < t; s++)
        for (int i = n - 1; i >= 3; i--)
            a[i] = a[i] - 0.25 * a[i - 3];
}

NOINLINE static void plane(int t, int n, double (*a)[n])
{
    for (int s = 0; s < t; s++)
        for (int i = 0; i < n - 1; i++)
            for (int j = 0; j < n - 2; j++)
                a[i][j] = a[i][j] * 0.5 + a[i + 1][j] + a[i][j + 2] * 0.25;
}

/* Of two arrays in one loop; the second update reads what the first wrote. */
NOINLINE static void two(int t, int n, double *restrict a, double *restrict b)
{
    for (int s = 0; s < t; s++)
        for (int i = 0; i < n - 1; i++) {
            a[i] = a[i + 1] - b[i];
            b[i] = 0.5 * b[i + 1] + a[i];
        }
}

/* With another loop around the parallel one. */
NOINLINE static void inside(int t, int n, double (*a)[n])
{
    for (int s = 0; s < t; s++)
        for (int k = 1; k < 4; k++)
            for (int i = 0; i < n - 1; i++)
                a[k][i] = a[k][i + 1] + a[k - 1][i] * 0.125;
}

/* One neighbour is of this step. */
NOINLINE static void seidel(int t, int n, double *a)
{
    for (int s = 0; s < t; s++)
        for (int i = 1; i < n - 1; i++)
            a[i] = (a[i - 1] + a[i] + a[i + 1]) / 3;
}

NOINLINE static void all(int t, int n)
{
    size_t size = (size_t)n * n + 4 * n;
    double *a = harness_alloc(size, sizeof *a);
    double *b = harness_alloc(size, sizeof *b);

    harness_fill(a, size, sizeof *a);
    harness_fill(b, size, sizeof *b);
    forwards(t, n, a);
    backwards(t, n, a);
    plane(t, n, (void *)a);
    two(t, n, a, b);
    inside(t, n, (void *)b);
    seidel(t, n, b);
    dump_double("a", a, size);
    dump_double("b", b, size);
    free(a);
    free(b);
}

int main(int argc, char **argv)
{
    harness_start(argc, argv);
    all(7, 50);
    all(1, 33);
    all(0, 20);
    all(12, 4);
    return harness_end();
}
