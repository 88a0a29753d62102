// Arrays of which the program says that they are apart (restrict, as each
// argument in Fortran) and that are not all the same: the run is declined, as
// the runtime sees when it is told what moves.  Rows of one matrix are apart.
//
// RUN: %gpu_cc %s %harness -o %t.gpu
// RUN: %ref_cc %s %harness -o %t.ref
// RUN: %run_ref %t.ref
// RUN: env POLYGPU_DEBUG=1 %run_auto %t.gpu 2>&1 | %FileCheck %s
// RUN: cmp %t.ref.dump %t.gpu.dump
//
// CHECK: two{{.*}} a and b overlap, though the program says that they do not
// CHECK: two{{.*}} a and b overlap, though the program says that they do not
// CHECK-DAG: polygpu: scop two {{.*}} runs=2 declined=3 failed=0
// CHECK-DAG: polygpu: scop rotate {{.*}} runs=1 declined=1 failed=0
#include "exec.h"

enum { N = 200, ROWS = 8 };

static double memory[4 * N], from[N], to[N], matrix[N][ROWS];

/* What the first loop writes, the second one reads where a is b. */
NOINLINE static void two(int n, double *restrict a, const double *restrict b,
                         const double *restrict x, double *restrict y)
{
    for (int i = 0; i < n; i++)
        a[i] = x[i] + 1;
    for (int i = 0; i < n; i++)
        y[i] = b[n - 1 - i] * 3;
}

/* As BLAS's, on two rows or columns of a matrix. */
NOINLINE static void rotate(int n, int step, double *restrict a,
                            double *restrict b, double c, double s)
{
    for (int i = 0; i < n; i++) {
        double old = a[i * step];

        a[i * step] = c * old + s * b[i * step];
        b[i * step] = c * b[i * step] - s * old;
    }
}

static void call(double *a, const double *b)
{
    harness_fill(memory, 4 * N, sizeof *memory);
    harness_fill(from, N, sizeof *from);
    two(N, a, b, from, to);
    dump("memory", memory, sizeof memory);
    dump("to", to, sizeof to);
}

int main(int argc, char **argv)
{
    harness_start(argc, argv);
    call(memory, memory + N);
    call(memory + 7, memory + 7);
    call(memory + 2 * N, memory);
    call(memory + N, memory + 1);
    call(memory, memory + N - 1);
    harness_fill(matrix, N * ROWS, sizeof **matrix);
    rotate(N, ROWS, &matrix[0][3], &matrix[0][5], 0.8, 0.6);
    dump("rotated", matrix, sizeof matrix);
    rotate(N - 1, ROWS, &matrix[0][3], &matrix[1][3], 0.8, 0);
    return harness_end();
}
