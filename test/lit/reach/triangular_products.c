// Products of triangular matrices with vectors and matrices, on the spot, all cases
// of them in one function, as BLAS in C has it.  In each nest a flag decides what is
// done with the diagonal, and a variable is used again by each iteration: neither
// may take so much work that there is none left for the next case.
//
// RUN: %gpu_cc -mfma %record %s %harness -o %t.gpu
// RUN: %ref_cc %s %harness -o %t.ref
// RUN: %run_ref %t.ref
// RUN: %run_gpu %t.gpu > %t.out 2>&1
// RUN: %shapes
// RUN: %FileCheck %s < %t.out
// RUN: cmp %t.ref.dump %t.gpu.dump
//
// CHECK: polygpu: kernel
#include "reach.h"

enum { MOST = 3000 };

static double a[MOST], x[MOST], y[MOST];

/* Where the first element is: at the end, if the others come before it. */
#define FIRST(n, step) ((step) > 0 ? 0 : ((n) - 1) * -(step))
#define RE(p, i) ((p)[2 * (i)])
#define IM(p, i) ((p)[2 * (i) + 1])

// == arithmetic: triangular products, four cases in a function

SHAPES(4) void vector(int upper, int turned, int diagonal, int n,
                      const double *a, int lda, double *x, int step)
{
    if (!turned && upper) {
        int ix = FIRST(n, step);

        for (int i = 0; i < n; i++) {
            double sum = 0.0;
            int jx = FIRST(n, step) + (i + 1) * step;

            for (int j = i + 1; j < n; j++) {
                sum += x[jx] * a[lda * i + j];
                jx += step;
            }
            if (diagonal == 131)
                x[ix] = sum + x[ix] * a[lda * i + i];
            else
                x[ix] += sum;
            ix += step;
        }
    } else if (!turned) {
        int ix = FIRST(n, step) + (n - 1) * step;

        for (int i = n; i > 0 && i--;) {
            double sum = 0.0;
            int jx = FIRST(n, step);

            for (int j = 0; j < i; j++) {
                sum += x[jx] * a[lda * i + j];
                jx += step;
            }
            if (diagonal == 131)
                x[ix] = sum + x[ix] * a[lda * i + i];
            else
                x[ix] += sum;
            ix -= step;
        }
    } else if (upper) {
        int ix = FIRST(n, step) + (n - 1) * step;

        for (int i = n; i > 0 && i--;) {
            double sum = 0.0;
            int jx = FIRST(n, step);

            for (int j = 0; j < i; j++) {
                sum += x[jx] * a[lda * j + i];
                jx += step;
            }
            if (diagonal == 131)
                x[ix] = sum + x[ix] * a[lda * i + i];
            else
                x[ix] += sum;
            ix -= step;
        }
    } else {
        int ix = FIRST(n, step);

        for (int i = 0; i < n; i++) {
            double sum = 0.0;
            int jx = FIRST(n, step) + (i + 1) * step;

            for (int j = i + 1; j < n; j++) {
                sum += x[jx] * a[lda * j + i];
                jx += step;
            }
            if (diagonal == 131)
                x[ix] = sum + x[ix] * a[lda * i + i];
            else
                x[ix] += sum;
            ix += step;
        }
    }
}

/* What an element of a complex vector becomes. */
#define SET(x, ix, a, ii, re, im)                                              \
    if (diagonal == 131) {                                                     \
        const double x_re = RE(x, ix), x_im = IM(x, ix);                       \
        const double a_re = RE(a, ii), a_im = sign * IM(a, ii);                \
        RE(x, ix) = re + (a_re * x_re - a_im * x_im);                          \
        IM(x, ix) = im + (a_re * x_im + a_im * x_re);                          \
    } else {                                                                   \
        RE(x, ix) += re;                                                       \
        IM(x, ix) += im;                                                       \
    }

#define ADD(re, im, x, jx, a, ij)                                              \
    {                                                                          \
        const double x_re = RE(x, jx), x_im = IM(x, jx);                       \
        const double a_re = RE(a, ij), a_im = sign * IM(a, ij);                \
        re += a_re * x_re - a_im * x_im;                                       \
        im += a_re * x_im + a_im * x_re;                                       \
    }

SHAPES(4) void complex_vector(int upper, int turned, int diagonal, int sign,
                              int n, const double *a, int lda, double *x,
                              int step)
{
    if (!turned && upper) {
        int ix = FIRST(n, step);

        for (int i = 0; i < n; i++) {
            double re = 0.0, im = 0.0;
            int jx = FIRST(n, step) + (i + 1) * step;

            for (int j = i + 1; j < n; j++) {
                ADD(re, im, x, jx, a, lda * i + j)
                jx += step;
            }
            SET(x, ix, a, lda * i + i, re, im)
            ix += step;
        }
    } else if (!turned) {
        int ix = FIRST(n, step) + (n - 1) * step;

        for (int i = n; i > 0 && i--;) {
            double re = 0.0, im = 0.0;
            int jx = FIRST(n, step);

            for (int j = 0; j < i; j++) {
                ADD(re, im, x, jx, a, lda * i + j)
                jx += step;
            }
            SET(x, ix, a, lda * i + i, re, im)
            ix -= step;
        }
    } else if (upper) {
        int ix = FIRST(n, step) + (n - 1) * step;

        for (int i = n; i > 0 && i--;) {
            double re = 0.0, im = 0.0;
            int jx = FIRST(n, step);

            for (int j = 0; j < i; j++) {
                ADD(re, im, x, jx, a, lda * j + i)
                jx += step;
            }
            SET(x, ix, a, lda * i + i, re, im)
            ix -= step;
        }
    } else {
        int ix = FIRST(n, step);

        for (int i = 0; i < n; i++) {
            double re = 0.0, im = 0.0;
            int jx = FIRST(n, step) + (i + 1) * step;

            for (int j = i + 1; j < n; j++) {
                ADD(re, im, x, jx, a, lda * j + i)
                jx += step;
            }
            SET(x, ix, a, lda * i + i, re, im)
            ix += step;
        }
    }
}

// == arithmetic: triangular products, of matrices

SHAPES(4) void matrix(int left, int upper, int diagonal, int n, int m,
                      double alpha, const double *a, int lda, double *b,
                      int ldb)
{
    if (left && upper) {
        for (int i = 0; i < n; i++)
            for (int j = 0; j < m; j++) {
                double sum;

                if (diagonal == 131)
                    sum = a[i * lda + i] * b[i * ldb + j];
                else
                    sum = b[i * ldb + j];
                for (int k = i + 1; k < n; k++)
                    sum += a[lda * i + k] * b[k * ldb + j];
                b[ldb * i + j] = alpha * sum;
            }
    } else if (left) {
        for (int i = n; i > 0 && i--;)
            for (int j = 0; j < m; j++) {
                double sum = 0.0;

                for (int k = 0; k < i; k++)
                    sum += a[lda * i + k] * b[k * ldb + j];
                if (diagonal == 131)
                    sum += a[i * lda + i] * b[i * ldb + j];
                else
                    sum += b[i * ldb + j];
                b[ldb * i + j] = alpha * sum;
            }
    } else if (upper) {
        for (int i = 0; i < n; i++)
            for (int j = m; j > 0 && j--;) {
                double sum = 0.0;

                for (int k = 0; k < j; k++)
                    sum += a[lda * k + j] * b[i * ldb + k];
                if (diagonal == 131)
                    sum += a[j * lda + j] * b[i * ldb + j];
                else
                    sum += b[i * ldb + j];
                b[ldb * i + j] = alpha * sum;
            }
    } else {
        for (int i = 0; i < n; i++)
            for (int j = m; j > 0 && j--;) {
                double sum = 0.0;

                for (int k = 0; k < j; k++)
                    sum += a[lda * j + k] * b[i * ldb + k];
                if (diagonal == 131)
                    sum += a[j * lda + j] * b[i * ldb + j];
                else
                    sum += b[i * ldb + j];
                b[ldb * i + j] = alpha * sum;
            }
    }
}

HOST void run(int n, int m, int pad, int step)
{
    int most = n > m ? n : m;

    for (int k = 0; k < 8; k++) {
        int upper = k & 1, other = k >> 1 & 1, diagonal = 131 + (k >> 2);

        harness_fill(a, MOST, sizeof *a);
        harness_fill(x, MOST, sizeof *x);
        vector(upper, other, diagonal, n, a, n + pad, x, step);
        dump("vector", x, sizeof x);
        harness_fill(x, MOST, sizeof *x);
        complex_vector(upper, other, diagonal, k & 2 ? 1 : -1, n, a, n + pad, x,
                       step);
        dump("complex", x, sizeof x);
        harness_fill(y, MOST, sizeof *y);
        matrix(other, upper, diagonal, n, m, 1.25, a, most + pad, y, m + pad);
        dump("matrix", y, sizeof y);
    }
}

int main(int argc, char **argv)
{
    harness_start(argc, argv);
    run(31, 20, 2, 1);
    run(20, 33, 0, 3);
    run(1, 1, 0, 1);
    return harness_end();
}
