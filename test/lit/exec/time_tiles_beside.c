// A time loop between other loops: they are kernels as ever, and its steps go in
// overlapping tiles. What is read behind the loop is stored, also of arrays that do not
// live longer; and a second time loop has tiles of its own.
//
// RUN: %gpu_cc -mfma %s %harness -o %t.gpu
// RUN: %ref_cc %s %harness -o %t.ref
// RUN: %run_ref %t.ref
// RUN: %run_gpu %t.gpu 2>&1 | %FileCheck %s
// RUN: cmp %t.ref.dump %t.gpu.dump
//
// RUN: %gpu_cc -mfma -mllvm -gpu-time=off %s %harness -o %t.gpu
// RUN: %run_gpu %t.gpu 2>&1 | %FileCheck --check-prefix=OFF %s
// RUN: cmp %t.ref.dump %t.gpu.dump
#include "exec.h"

#include <stdlib.h>

// Four steps a launch: 0 to 9 steps are 0 + 4 * 1 + 4 * 2 + 3 launches, for each of the
// four grids that have an inside.
//
// CHECK: scop heat {{.*}} runs=60 declined=0 failed=0
// CHECK-NEXT: kernel heat_{{.*}} launches=60
// CHECK-NEXT: kernel heat_{{.*}} launches=40
// CHECK-NEXT: kernel heat_{{.*}} launches=20
// CHECK-NEXT: kernel heat_{{.*}} launches=20
// CHECK-NEXT: kernel heat_{{.*}} launches=60
//
// OFF: scop heat {{.*}} runs=60 declined=0 failed=0
// OFF: kernel heat_{{.*}} launches=180
// OFF-NEXT: kernel heat_{{.*}} launches=180
NOINLINE static void heat(int t, int n, const double *restrict in, double a[n][n],
                          double b[n][n], double *restrict rows)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            a[i][j] = in[i * n + j] / 2;
            b[i][j] = in[i * n + j] + 1;
        }
    for (int s = 0; s < t; s++) {
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++)
                b[i][j] = (a[i][j] + a[i][j - 1] + a[i][j + 1] + a[i - 1][j] +
                           a[i + 1][j]) /
                          5;
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++)
                a[i][j] = (b[i][j] + b[i][j - 1] + b[i][j + 1] + b[i - 1][j] +
                           b[i + 1][j]) /
                          5;
    }
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            rows[i] += a[i][j] - b[i][j];
}

enum { LINE = 1000 };

// 0, 13, 26 and 39 steps, 16 a launch: 1 + 2 + 3.
//
// CHECK: scop local {{.*}} runs=4 declined=0 failed=0
// CHECK-NEXT: kernel local_{{.*}} launches=4
// CHECK-NEXT: kernel local_{{.*}} launches=4
// CHECK-NEXT: kernel local_{{.*}} launches=2
// CHECK-NEXT: kernel local_{{.*}} launches=2
// CHECK-NEXT: kernel local_{{.*}} launches=3
NOINLINE static void local(int t, const float *restrict in, float *restrict out)
{
    float a[LINE], b[LINE];

    for (int i = 0; i < LINE; i++)
        a[i] = in[i] / 2;
    for (int s = 0; s < t; s++) {
        for (int i = 1; i < LINE - 1; i++)
            b[i] = (a[i - 1] + a[i] + a[i + 1]) / 3;
        for (int i = 1; i < LINE - 1; i++)
            a[i] = b[i];
    }
    if (t > 0)
        for (int i = 1; i < LINE - 1; i++)
            out[i] = a[i] - 2 * b[i];
}

// CHECK: scop twice {{.*}} runs=4 declined=0 failed=0
// CHECK-NEXT: kernel twice_{{.*}} launches=4
// CHECK-NEXT: kernel twice_{{.*}} launches=2
// CHECK-NEXT: kernel twice_{{.*}} launches=2
// CHECK-NEXT: kernel twice_{{.*}} launches=4
// CHECK-NEXT: kernel twice_{{.*}} launches=4
// CHECK-NEXT: kernel twice_{{.*}} launches=2
// CHECK-NEXT: kernel twice_{{.*}} launches=2
NOINLINE static void twice(int t, int n, float *restrict a, float *restrict b)
{
    for (int s = 0; s < t; s++) {
        for (int i = 1; i < n - 1; i++)
            b[i] = (a[i - 1] + a[i] + a[i + 1]) / 3;
        for (int i = 1; i < n - 1; i++)
            a[i] = b[i];
    }
    for (int i = 0; i < n; i++)
        a[i] = a[i] + b[i] / 2;
    for (int s = 0; s < t; s++) {
        for (int i = 1; i < n - 1; i++)
            b[i] = (a[i - 1] + 2 * a[i] + a[i + 1]) / 4;
        for (int i = 1; i < n - 1; i++)
            a[i] = b[i];
    }
}

int main(int argc, char **argv)
{
    enum { MOST = 75, ALL = MOST * MOST };
    static const int sizes[] = {1, 2, 3, 4, 40, MOST};
    double *in = harness_alloc(ALL, sizeof *in);
    double *a = harness_alloc(ALL, sizeof *a);
    double *b = harness_alloc(ALL, sizeof *b);
    double *rows = harness_alloc(MOST, sizeof *rows);
    float *x = harness_alloc(ALL, sizeof *x);
    float *y = harness_alloc(ALL, sizeof *y);

    harness_start(argc, argv);
    harness_fill(in, ALL, sizeof *in);
    harness_fill(a, ALL, sizeof *a);
    harness_fill(b, ALL, sizeof *b);
    harness_fill(rows, MOST, sizeof *rows);
    harness_fill(x, ALL, sizeof *x);
    harness_fill(y, ALL, sizeof *y);
    for (int t = 0; t < 10; t++)
        for (unsigned s = 0; s < sizeof sizes / sizeof *sizes; s++) {
            int n = sizes[s];

            heat(t, n, in, (double(*)[n])a, (double(*)[n])b, rows);
            dump_double("a", a, (size_t)n * n);
            dump_double("b", b, (size_t)n * n);
            dump_double("rows", rows, n);
        }
    for (int t = 0; t < 40; t += 13) {
        local(t, x, y);
        dump_float("y", y, LINE);
        twice(t, 500 + t, x, y);
        dump_float("x", x, ALL);
        dump_float("y", y, ALL);
    }
    free(in);
    free(a);
    free(b);
    free(rows);
    free(x);
    free(y);
    return 0;
}
