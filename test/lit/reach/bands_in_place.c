// Products of triangular matrices with bands with vectors, on the spot.  Columns are
// gone through: the number of the row, which begins at the larger one of 0 and a
// difference, is times the length of rows, too.  A branch behind the loop asks for the
// diagonal, and the nest is entered only where there are rows.
//
// RUN: %gpu_cc -mfma %record %s %harness -o %t.gpu
// RUN: %ref_cc %s %harness -o %t.ref
// RUN: %run_ref %t.ref
// RUN: %run_gpu %t.gpu > %t.out 2>&1
// RUN: %shapes
// RUN: %FileCheck %s < %t.out
// RUN: cmp %t.ref.dump %t.gpu.dump
//
// Backwards, or on one element, the run-time condition has the original loops run.
// RUN: env POLYGPU_SEED=7 POLYGPU_DUMP=%t.ref.dump %t.ref others
// RUN: env POLYGPU_SEED=7 POLYGPU_DUMP=%t.gpu.dump POLYGPU_COST=off \
// RUN:     POLYGPU_DEVICE=emulated %t.gpu others
// RUN: cmp %t.ref.dump %t.gpu.dump
//
// CHECK: polygpu: kernel
#include "reach.h"

enum { MOST = 4000 };

static double a[MOST], x[MOST], y[MOST];

/* Where the first element is: at the end, if the others come before it. */
#define FIRST(n, step) ((step) > 0 ? 0 : ((n) - 1) * -(step))

// == subscripts: the larger one of two, times the length of rows

SHAPE void columns(int n, int width, int diagonal, const double *a, int lda,
                   double *x, int incx)
{
    int ix = FIRST(n, incx) + (n - 1) * incx;

    for (int i = n; i > 0 && i--;) {
        double sum = 0.0;
        const int first = width > i ? 0 : i - width;
        int jx = FIRST(n, incx) + first * incx;

        for (int j = first; j < i; j++) {
            sum += x[jx] * a[lda * j + (i - j)];
            jx += incx;
        }
        if (diagonal == 131)
            x[ix] = sum + x[ix] * a[lda * i];
        else
            x[ix] += sum;
        ix -= incx;
    }
}

SHAPE void rows(int n, int width, int diagonal, const double *a, int lda,
                double *x, int incx)
{
    int ix = FIRST(n, incx) + (n - 1) * incx;

    for (int i = n; i > 0 && i--;) {
        double sum = 0.0;
        const int first = width > i ? 0 : i - width;
        int jx = FIRST(n, incx) + first * incx;

        for (int j = first; j < i; j++) {
            sum += x[jx] * a[lda * i + (width - i + j)];
            jx += incx;
        }
        if (diagonal == 131)
            x[ix] = sum + x[ix] * a[lda * i + width];
        else
            x[ix] += sum;
        ix -= incx;
    }
}

SHAPE void general(int n, int m, int below, const double *a, int lda,
                   const double *x, int incx, double *y)
{
    for (int i = 0; i < m; i++) {
        double sum = 0.0;
        const int first = i > below ? i - below : 0;
        int jx = first * incx;

        for (int j = first; j < n; j++) {
            sum += x[jx] * a[lda * j + (i - first)];
            jx += incx;
        }
        y[i] = sum;
    }
}

HOST void run(int n, int m, int width, int incx)
{
    for (int diagonal = 131; diagonal < 133; diagonal++) {
        harness_fill(a, MOST, sizeof *a);
        FLOATS(x, columns(n, width, diagonal, a, width + 1, x, incx));
        FLOATS(x, rows(n, width, diagonal, a, width + 1, x, incx));
    }
    harness_fill(x, MOST, sizeof *x);
    RUN(y, general(n, m, width, a, width + m, x, incx, y));
}

int main(int argc, char **argv)
{
    harness_start(argc, argv);
    run(40, 20, 3, 1);
    run(33, 18, 7, 3);
    run(20, 31, 1, 2);
    run(12, 9, 30, 5);
    run(1, 1, 1, 1);
    if (argc > 1) {
        run(31, 20, 4, -1);
        run(20, 20, 0, 2);
        run(20, 20, 2, 0);
        run(20, 20, 2, -3);
        run(0, 0, 1, 1);
        run(-2, -1, 2, 1);
    }
    return harness_end();
}
