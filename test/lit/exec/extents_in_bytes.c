// Rows of max(n, 0) elements whose distance is counted in bytes, as a section
// a(i, 1:m) of Fortran has it that is passed to an elemental procedure: in one
// loop, and behind a counter that is set forth by hand in a loop around.
//
// RUN: %gpu_cc -mfma %s %harness -o %t.gpu
// RUN: %ref_cc %s %harness -o %t.ref
// RUN: %run_ref %t.ref
// RUN: %run_gpu %t.gpu 2>&1 | %FileCheck %s
// RUN: cmp %t.ref.dump %t.gpu.dump
//
// CHECK-DAG: scop twice {{.*}} runs=1 declined=0 failed=0
// CHECK-DAG: kernel twice_{{.*}} launches=1
// CHECK-DAG: scop rotate {{.*}} runs=2 declined=0 failed=0
// CHECK-DAG: kernel rotate_{{.*}} launches=2
#include "exec.h"

enum { ROWS = 17, COLUMNS = 23 };

static double a[COLUMNS][ROWS], row[COLUMNS], h[ROWS];

NOINLINE static void twice(char *restrict column, double *restrict sums, int n,
                           int m)
{
    long bytes = (long)(n > 0 ? n : 0) * (long)sizeof(double);

    for (long j = 0; j < m; j++) {
        double *at = (double *)(column + j * bytes);

        sums[j] += *at;
        *at *= 2;
    }
}

static inline void turn(double c, double s, double *restrict x,
                        double *restrict y)
{
    double old = *x;

    *x = c * old - s * *y;
    *y = c * *y + s * old;
}

/* The counter may wrap around for all that is said here. */
NOINLINE static void rotate(double *restrict to, double *restrict values,
                            const double *restrict angles, int n, int m,
                            int first, int steps)
{
    long size = n > 0 ? n : 0;
    int at = first;

    for (int i = 0; i < steps; i++) {
        at = (int)(at + 1u);

        double *begin = to + (at - 1L);
        long bytes = (long)(8ul * (unsigned long)size);

        for (long j = 0; j < m; j++)
            turn(angles[i] * 0.5, angles[i] * 0.25, &values[j],
                 (double *)((char *)begin + j * bytes));
    }
}

int main(int argc, char **argv)
{
    harness_start(argc, argv);
    harness_fill(a, (size_t)COLUMNS * ROWS, sizeof **a);
    harness_fill(row, COLUMNS, sizeof *row);
    harness_fill(h, ROWS, sizeof *h);
    twice((char *)&a[0][3], row, ROWS, COLUMNS);
    rotate(a[0], row, h, ROWS, COLUMNS, 2, ROWS - 3);
    rotate(a[0], row, h, ROWS, COLUMNS, 0, 1);
    dump("a", a, sizeof a);
    dump("row", row, sizeof row);
    return harness_end();
}
