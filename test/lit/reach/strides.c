// Vectors whose elements are a variable number of elements apart, with a
// subscript that each iteration adds to, as BLAS in C has them.
//
// RUN: %gpu_cc -mfma %record %s %harness -o %t.gpu
// RUN: %ref_cc %s %harness -o %t.ref
// RUN: %run_ref %t.ref
// RUN: %run_gpu %t.gpu > %t.out 2>&1
// RUN: %shapes
// RUN: %FileCheck %s < %t.out
// RUN: cmp %t.ref.dump %t.gpu.dump
//
// Downwards, and on the spot, the run-time condition has the original loops run.
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

// == subscripts: a variable is added

SHAPE void triangle(int n, int lda, const double *a, const double *x, int incx,
                    double *y, int incy)
{
    int iy = FIRST(n, incy);

    for (int i = 0; i < n; i++) {
        double sum = 0.0;
        int jx = incx * (i + 1);

        for (int j = i + 1; j < n; j++) {
            sum += a[lda * i + j] * x[jx];
            jx += incx;
        }
        y[iy] = sum;
        iy += incy;
    }
}

SHAPE void column(int n, double *x, int incx, const double *y, int incy)
{
    int ix = incx * 2, iy = incy * 3;

    for (int i = 0; i < n; i++) {
        x[ix] = y[iy] * 2;
        ix += incx;
        iy += incy;
    }
}

SHAPE void complex_numbers(int n, double *x, int incx, const double *y)
{
    int ix = FIRST(n, incx) + incx * 2;

    for (int i = 0; i < n; i++) {
        x[2 * ix] = y[2 * i] * y[2 * i + 1];
        x[2 * ix + 1] = y[2 * i + 1];
        ix += incx;
    }
}

SHAPE void backwards(int n, double *x, int step, const double *y)
{
    int ix = step;

    for (int i = 0; i < n; i++) {
        x[ix] = y[i] + 1;
        ix -= step;
    }
}

static void run(int n, int incx, int incy)
{
    harness_fill(a, MOST, sizeof *a);
    harness_fill(x, MOST, sizeof *x);
    RUN(y, triangle(n, n + 3, a, x, incx, y, incy));
    harness_fill(y, MOST, sizeof *y);
    RUN(x, column(n, x + (incx < 0 ? 1000 : 0), incx,
                  y + (incy < 0 ? 1000 : 0), incy));
    RUN(x, complex_numbers(n, x + 100, incx, y));
    RUN(x, backwards(n, x + 1000, incx, y));
}

int main(int argc, char **argv)
{
    harness_start(argc, argv);
    run(40, 1, 1);
    run(33, 3, 2);
    run(2, 5, 7);
    run(1, 1, 2);
    run(0, 2, 2);
    if (argc > 1) {
        run(31, -1, -2);
        run(20, 0, 1);
        run(20, -3, 0);
    }
    return harness_end();
}
