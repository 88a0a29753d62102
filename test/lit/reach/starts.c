// Vectors that the BLAS in C goes through in both directions: the first element
// is chosen by the sign of the step, in each iteration of a loop around.
//
// RUN: %gpu_cc -mfma %record %s %harness -o %t.gpu
// RUN: %ref_cc %s %harness -o %t.ref
// RUN: %run_ref %t.ref
// RUN: %run_gpu %t.gpu > %t.out 2>&1
// RUN: %shapes
// RUN: %FileCheck %s < %t.out
// RUN: cmp %t.ref.dump %t.gpu.dump
//
// Downwards the run-time condition has the original loops run.
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

// == subscripts: a loop's start chosen by a step's sign

SHAPE void product(int m, int n, double alpha, const double *a, int lda,
                   const double *x, int incx, double *y, int incy)
{
    int iy = FIRST(m, incy);

    for (int i = 0; i < m; i++) {
        double sum = 0.0;
        int ix = FIRST(n, incx);

        for (int j = 0; j < n; j++) {
            sum += x[ix] * a[lda * i + j];
            ix += incx;
        }
        y[iy] += alpha * sum;
        iy += incy;
    }
}

SHAPE void transposed(int m, int n, double alpha, const double *a, int lda,
                      const double *x, int incx, double *y, int incy)
{
    int ix = FIRST(n, incx);

    for (int j = 0; j < n; j++) {
        const double factor = alpha * x[ix];

        if (factor != 0.0) {
            int iy = FIRST(m, incy);

            for (int i = 0; i < m; i++) {
                y[iy] += factor * a[lda * j + i];
                iy += incy;
            }
        }
        ix += incx;
    }
}

SHAPE void behind(int n, const double *a, int lda, const double *x, int incx,
                  double *y)
{
    for (int i = 0; i < n; i++) {
        double sum = 0.0;
        int jx = FIRST(n, incx) + (i + 1) * incx;

        for (int j = i + 1; j < n; j++) {
            sum += x[jx] * a[lda * i + j];
            jx += incx;
        }
        y[i] = sum;
    }
}

SHAPE void in_place(int n, const double *a, int lda, double *x, int incx)
{
    int ix = FIRST(n, incx) + (n - 1) * incx;

    for (int i = n; i > 0 && i--;) {
        double sum = 0.0;
        int jx = FIRST(n, incx);

        for (int j = 0; j < i; j++) {
            sum += x[jx] * a[lda * i + j];
            jx += incx;
        }
        x[ix] = sum + x[ix] * a[lda * i + i];
        ix -= incx;
    }
}

static void run(int m, int n, int incx, int incy)
{
    double *to = y + (incy < 0 ? 100 : 0), *from = x + (incx < 0 ? 100 : 0);

    harness_fill(a, MOST, sizeof *a);
    harness_fill(x, MOST, sizeof *x);
    x[incx < 0 ? 103 : 3] = 0.0;
    FLOATS(y, product(m, n, 1.5, a, n + 2, from, incx, to, incy));
    FLOATS(y, transposed(m, n, 1.5, a, m + 1, from, incx, to, incy));
    RUN(y, behind(n, a, n + 3, from, incx, to));
    FLOATS(x, in_place(n, a, n + 1, from, incx));
}

int main(int argc, char **argv)
{
    harness_start(argc, argv);
    run(40, 37, 1, 1);
    run(33, 20, 3, 2);
    run(2, 3, 5, 7);
    run(1, 1, 1, 2);
    run(0, 4, 2, 2);
    if (argc > 1) {
        run(31, 28, -1, -2);
        run(20, 21, 2, -1);
        run(20, 17, -3, 1);
    }
    return harness_end();
}
