// Matrices with bands, as BLAS in C has them: a loop begins at the larger one of 0
// and a difference of counter and width, and a subscript at that times a step.
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

#define SMALLER(a, b) ((a) < (b) ? (a) : (b))
/* Where the first element is: at the end, if the others come before it. */
#define FIRST(n, step) ((step) > 0 ? 0 : ((n) - 1) * -(step))

// == subscripts: the larger one of two, times a step

SHAPE void general(int n, int m, int below, int above, double alpha,
                   const double *a, int lda, const double *x, int incx,
                   double *y, int incy)
{
    int iy = FIRST(m, incy);

    for (int i = 0; i < m; i++) {
        double sum = 0.0;
        const int first = i > below ? i - below : 0;
        const int last = SMALLER(n, i + above + 1);
        int jx = FIRST(n, incx) + first * incx;

        for (int j = first; j < last; j++) {
            sum += x[jx] * a[below - i + j + i * lda];
            jx += incx;
        }
        y[iy] += alpha * sum;
        iy += incy;
    }
}

SHAPE void rows(int n, int width, const double *a, int lda, const double *x,
                int incx, double *y)
{
    for (int i = 0; i < n; i++) {
        double sum = 0.0;
        const int first = i < width ? 0 : i - width;
        int jx = first * incx;

        for (int j = first; j <= i; j++) {
            sum += x[jx] * a[j + i * lda];
            jx += incx;
        }
        y[i] = sum;
    }
}

SHAPE void in_place(int n, int width, const double *a, int lda, double *x,
                    int incx)
{
    int ix = FIRST(n, incx) + (n - 1) * incx;

    for (int i = n; i > 0 && i--;) {
        double sum = a[width + i * lda] * x[ix];
        const int first = i > width ? i - width : 0;
        int jx = FIRST(n, incx) + first * incx;

        for (int j = first; j < i; j++) {
            sum += x[jx] * a[width - i + j + i * lda];
            jx += incx;
        }
        x[ix] = sum;
        ix -= incx;
    }
}

static void run(int n, int m, int below, int above, int incx, int incy)
{
    int lda = below + above + 1;

    harness_fill(a, MOST, sizeof *a);
    harness_fill(x, MOST, sizeof *x);
    RUN(y, general(n, m, below, above, 1.5, a, lda, x, incx, y, incy));
    RUN(y, rows(m, below, a, m + 1, x, incx, y));
    RUN(x, in_place(m, below + 1, a, below + 2, x, incx));
}

int main(int argc, char **argv)
{
    harness_start(argc, argv);
    run(40, 40, 3, 2, 1, 1);
    run(33, 40, 7, 0, 3, 2);
    run(20, 31, 0, 9, 2, 1);
    run(12, 9, 30, 30, 5, 3);
    run(1, 1, 0, 0, 1, 1);
    if (argc > 1) {
        run(31, 31, 4, 4, -1, -2);
        run(20, 20, 2, 3, 0, 1);
        run(20, 20, 2, 3, -3, 0);
    }
    return harness_end();
}
