// Butterflies of a Fourier transform that needs no sorting: element n / 2 + i * m + k is in no
// row of m elements that element i * m + k is in, so that the two halves are arrays of their
// own. As one array they were compared with rows, in which no size but n < 2 had a run.
//
// RUN: %gpu_cc -mfma %s %harness -o %t.gpu
// RUN: %ref_cc %s %harness -o %t.ref
// RUN: %run_ref %t.ref
// RUN: %run_auto %t.gpu 2>&1 | %FileCheck %s
// RUN: cmp %t.ref.dump %t.gpu.dump
//
// CHECK-DAG: scop rows {{.*}} runs=6 declined=0 failed=0
// CHECK-DAG: scop gather {{.*}} runs=6 declined=0 failed=0
// CHECK-DAG: scop scatter {{.*}} runs=6 declined=0 failed=0
// CHECK-DAG: scop transform {{.*}} runs=6 declined=0 failed=0
//
// CHECK-DAG: scop in_place {{.*}} runs=2 declined=1 failed=0
//
// There may be no second half where only one is written.
// CHECK-DAG: scop accumulate {{.*}} runs=1 declined=0 failed=0
#include "exec.h"

enum { LOG = 6, N = 1 << LOG, PAD = 5, VECTORS = 4 };

struct complex {
    double re, im;
};

static struct complex x[N][PAD], y[N][PAD], roots[2 * N];
static double v[N], w[N];

/* Of several vectors at once. */
NOINLINE static void rows(int l, int n, int vectors, const struct complex *u,
                          const struct complex x[][PAD], struct complex y[][PAD])
{
    int half = n / 2, m = 1 << (l - 1), groups = 1 << (LOG - l);

    for (int i = 0; i < groups; i++) {
        struct complex root = u[groups + i];

        for (int k = 0; k < m; k++)
            for (int j = 0; j < vectors; j++) {
                struct complex a = x[i * m + k][j], b = x[half + i * m + k][j];
                double re = a.re - b.re, im = a.im - b.im;

                y[2 * i * m + k][j].re = a.re + b.re;
                y[2 * i * m + k][j].im = a.im + b.im;
                y[2 * i * m + m + k][j].re = root.re * re - root.im * im;
                y[2 * i * m + m + k][j].im = root.re * im + root.im * re;
            }
    }
}

NOINLINE static void gather(int m, int n, const double *from, double *to)
{
    int half = n / 2;

    for (int i = 0; i < half / m; i++)
        for (int k = 0; k < m; k++) {
            to[2 * i * m + k] = from[i * m + k] + from[half + i * m + k];
            to[2 * i * m + m + k] = from[i * m + k] - from[half + i * m + k];
        }
}

/* The other way round two halves are written. */
NOINLINE static void scatter(int m, int n, const double *from, double *to)
{
    int half = n / 2;

    for (int i = 0; i < half / m; i++)
        for (int k = 0; k < m; k++) {
            to[i * m + k] = from[2 * i * m + k] + from[2 * i * m + m + k];
            to[half + i * m + k] = from[2 * i * m + k] - from[2 * i * m + m + k];
        }
}

/* All of it: each step reads what the one before has written, and chooses its arrays. */
NOINLINE static void transform(const int *n, double *x, double *y)
{
    for (int l = 1; l <= LOG; l += 2)
        for (int from = 0; from < 2; from++) {
            int half = *n / 2, m = 1 << (l + from - 1), groups = 1 << (LOG - l - from);
            double *a = from ? y : x, *b = from ? x : y;

            for (int i = 0; i < groups; i++)
                for (int k = 0; k < m; k++) {
                    b[2 * i * m + k] = a[i * m + k] + a[half + i * m + k];
                    b[2 * i * m + m + k] = a[i * m + k] - a[half + i * m + k];
                }
        }
}

NOINLINE static void in_place(int rows, int m, int half, double *x)
{
    for (int i = 0; i < rows; i++)
        for (int k = 0; k < m; k++) {
            double a = x[i * m + k], b = x[half + i * m + k];

            x[i * m + k] = a + b;
            x[half + i * m + k] = a - b;
        }
}

NOINLINE static void accumulate(int rows, int m, int second, double *x)
{
    for (int i = 0; i < rows; i++)
        for (int k = 0; k < m; k++)
            x[i * m + k] += x[second + i * m + k] * 2;
}

int main(int argc, char **argv)
{
    int n = N;

    harness_start(argc, argv);
    harness_fill(x, sizeof x / sizeof(double), sizeof(double));
    harness_fill(roots, sizeof roots / sizeof(double), sizeof(double));
    harness_fill(v, N, sizeof *v);
    for (int l = 1; l <= LOG; l += 2) {
        rows(l, N, VECTORS, roots, x, y);
        rows(l + 1, N, VECTORS, roots, y, x);
        dump("x", x, sizeof x);
        gather(1 << (l - 1), N, v, w);
        gather(1 << l, N, w, v);
        dump("gathered", v, sizeof v);
        scatter(1 << (l - 1), N, v, w);
        scatter(1 << l, N, w, v);
        dump("scattered", v, sizeof v);
    }
    transform(&n, v, w);
    dump("transformed", v, sizeof v);
    in_place(N / 16, 8, N / 2, v);
    in_place(3, 7, 30, v);
    in_place(3, 7, 18, v); // overlaps
    dump("in place", v, sizeof v);
    accumulate(N / 8, 8, 0, v);
    dump("accumulated", v, sizeof v);
    return harness_end();
}
