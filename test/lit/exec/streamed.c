// Tiles in time whose planes come one after the other: a block has only those in
// shared memory that are still needed.  Compared with the sequential program, on
// the checked device and on the PTX machine.
//
// RUN: %gpu_cc -mfma -mllvm '-gpu-sizes={ kernel[i] -> stream[2,5,6,7] }' %s \
// RUN:   %harness -o %t.gpu
// RUN: %ref_cc %s %harness -o %t.ref
// RUN: %run_ref %t.ref
// RUN: %run_gpu %t.gpu 2>&1 | %FileCheck %s
// RUN: cmp %t.ref.dump %t.gpu.dump
//
// Sizes that the compiler chooses, three dimensions only if it is asked to:
//
// RUN: %gpu_cc -mfma -mllvm -gpu-time=overlap %s %harness -o %t.gpu
// RUN: %run_gpu %t.gpu 2>&1 | %FileCheck --check-prefix=OWN %s
// RUN: cmp %t.ref.dump %t.gpu.dump
//
// 1, 3 and 6 steps are 1, 2 and 3 launches of two steps: 4 even and 2 odd ones.
// After an odd number of them what was stored goes back.
//
// CHECK: scop heat {{.*}} runs=3 declined=0 failed=0
// CHECK-NEXT: kernel heat_{{.*}} launches=4
// CHECK-NEXT: kernel heat_{{.*}} launches=2
// CHECK-NEXT: kernel heat_{{.*}} launches=2
// OWN: scop heat {{.*}} runs=3 declined=0 failed=0
// OWN-NEXT: kernel heat_{{.*}} launches=4
// OWN-NEXT: kernel heat_{{.*}} launches=2
// OWN-NEXT: kernel heat_{{.*}} launches=2
//
// CHECK: scop wave {{.*}} runs=3 declined=0 failed=0
// CHECK-NEXT: kernel wave_{{.*}} launches=4
// CHECK-NEXT: kernel wave_{{.*}} launches=2
// CHECK-NEXT: kernel wave_{{.*}} launches=2
// CHECK-NEXT: kernel wave_{{.*}} launches=2
//
// CHECK: scop plate {{.*}} runs=3 declined=0 failed=0
// CHECK-NEXT: kernel plate_{{.*}} launches=4
// CHECK-NEXT: kernel plate_{{.*}} launches=2
// CHECK-NEXT: kernel plate_{{.*}} launches=2
//
// CHECK: scop field {{.*}} runs=3 declined=0 failed=0
// CHECK-NEXT: kernel field_{{.*}} launches=4
// CHECK-NEXT: kernel field_{{.*}} launches=2
// CHECK-NEXT: kernel field_{{.*}} launches=2
// CHECK-NEXT: kernel field_{{.*}} launches=2
#include "exec.h"

#include <stdlib.h>

enum { X = 11, Y = 13 };

NOINLINE static void heat(int t, int n, float (*restrict a)[Y][X],
                          float (*restrict b)[Y][X])
{
    for (int s = 0; s < t; s++) {
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < Y - 1; j++)
                for (int k = 1; k < X - 1; k++)
                    b[i][j][k] = 0.2f * (a[i + 1][j][k] - a[i - 1][j][k]) +
                                 0.3f * (a[i][j + 1][k] - a[i][j - 1][k]) +
                                 0.4f * (a[i][j][k + 1] - a[i][j][k]);
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < Y - 1; j++)
                for (int k = 1; k < X - 1; k++)
                    a[i][j][k] = b[i][j][k] + 0.1f * b[i - 1][j][k] -
                                 0.3f * b[i + 1][j][k - 1];
    }
}

/* Planes that are needed for longer on one side, and an array that is only
 * read.
 */
NOINLINE static void wave(int t, int n, double (*restrict next)[Y][X],
                          double (*restrict now)[Y][X],
                          float (*restrict before)[Y][X],
                          double (*restrict speed)[Y][X])
{
    for (int s = 0; s < t; s++) {
        for (int i = 0; i < n - 2; i++)
            for (int j = 0; j < Y; j++)
                for (int k = 1; k < X; k++)
                    next[i][j][k] =
                        now[i][j][k] - before[i][j][k] +
                        speed[i][j][k] * (now[i + 2][j][k] - now[i][j][k - 1]);
        for (int i = 0; i < n - 2; i++)
            for (int j = 0; j < Y; j++)
                for (int k = 1; k < X; k++) {
                    before[i][j][k] = (float)now[i][j][k];
                    now[i][j][k] = next[i][j][k];
                }
    }
}

NOINLINE static void plate(int t, int n, int m, double (*restrict a)[m],
                           double (*restrict b)[m])
{
    for (int s = 0; s < t; s++) {
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++)
                b[i][j] = (a[i][j] + a[i - 1][j] + a[i + 1][j] + a[i][j - 1] +
                           a[i][j + 1]) /
                          5;
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++)
                a[i][j] = (b[i][j] + b[i - 1][j] + b[i + 1][j] + b[i][j - 1] +
                           b[i][j + 1]) /
                          5;
    }
}

/* A row that comes from outside in each step, and sweeps in place. */
NOINLINE static void field(int t, int n, int m, const double *restrict source,
                           double (*restrict e)[m], double (*restrict h)[m])
{
    for (int s = 0; s < t; s++) {
        for (int j = 0; j < m; j++)
            e[0][j] = source[s];
        for (int i = 1; i < n; i++)
            for (int j = 0; j < m; j++)
                e[i][j] -= 0.5 * (h[i][j] - h[i - 1][j]);
        for (int i = 0; i < n - 1; i++)
            for (int j = 0; j < m; j++)
                h[i][j] -= 0.7 * (e[i + 1][j] - e[i][j]);
    }
}

NOINLINE static void all(int t, int n)
{
    size_t size = (size_t)n * X * Y;
    double *a = harness_alloc(size, sizeof *a);
    double *b = harness_alloc(size, sizeof *b);
    float *c = harness_alloc(size, sizeof *c);
    float *d = harness_alloc(size, sizeof *d);
    double *e = harness_alloc(size, sizeof *e);

    harness_fill(a, size, sizeof *a);
    harness_fill(b, size, sizeof *b);
    harness_fill(e, size, sizeof *e);
    for (size_t i = 0; i < size; i++) {
        c[i] = (float)a[size - 1 - i];
        d[i] = (float)b[size - 1 - i];
    }
    heat(t, n, (void *)c, (void *)d);
    dump_float("c", c, size);
    wave(t, n, (void *)b, (void *)a, (void *)d, (void *)e);
    dump_double("b", b, size);
    plate(t, n * 3, X * Y / 3, (void *)a, (void *)b);
    field(t, n * 3, X * Y / 3, e, (void *)a, (void *)b);
    dump_double("a", a, size);
    dump_double("b", b, size);
    dump_float("c", c, size);
    dump_float("d", d, size);
    free(a);
    free(b);
    free(c);
    free(d);
    free(e);
}

int main(int argc, char **argv)
{
    harness_start(argc, argv);
    all(1, 17);
    all(3, 4);
    all(6, 12);
    return harness_end();
}
