// Conditions of floating-point numbers that are the same in all iterations, around
// loops whose bounds are read under them: one and two comparisons, with else.  Both
// parts of a complex number are read and written under them, beside each other.  And
// where a store may be to what is read behind it, it is not beside.
//
// RUN: %gpu_cc -mfma %s %harness -o %t.gpu
// RUN: %ref_cc %s %harness -o %t.ref
// RUN: %run_ref %t.ref
// RUN: %run_gpu %t.gpu 2>&1 | %FileCheck %s
// RUN: cmp %t.ref.dump %t.gpu.dump
//
// CHECK-DAG: scop scale {{.*}} runs=4 declined=0 failed=0
// CHECK-DAG: kernel scale_{{.*}} launches=4
// CHECK-DAG: scop turn {{.*}} runs=4 declined=0 failed=0
// CHECK-DAG: kernel turn_{{.*}} launches=4
// CHECK-DAG: scop masked {{.*}} runs=1 declined=0 failed=0
// CHECK-DAG: kernel masked_{{.*}} launches=1
// CHECK-DAG: scop behind {{.*}} runs=1 declined=0 failed=0
#include "exec.h"

enum { M = 43, N = 37, LD = 50 };

struct pair {
    double re, im;
};

static double a[N][LD], b[N][LD];
static struct pair z[N][LD];

NOINLINE static void scale(const int *restrict m, const int *restrict n,
                           double (*restrict c)[LD],
                           const double *restrict factor)
{
    for (int j = 0; j < *n; j++) {
        if (*factor == 0) {
            for (int i = 0; i < *m; i++)
                c[j][i] = 0;
        } else if (*factor != 1) {
            for (int i = 0; i < *m; i++)
                c[j][i] *= *factor;
        }
    }
}

NOINLINE static void turn(const int *restrict m, const int *restrict n,
                          struct pair (*restrict c)[LD],
                          const struct pair by)
{
    for (int j = 0; j < *n; j++) {
        if (by.re == 0 && by.im == 0) {
            for (int i = 0; i < *m; i++)
                c[j][i].re = c[j][i].im = 0;
        } else if (by.re != 1 || by.im != 0) {
            for (int i = 0; i < *m; i++) {
                double re = c[j][i].re * by.re;
                double im = c[j][i].re * by.im;
                c[j][i].re = re - by.im;
                c[j][i].im = im + 2;
            }
        }
    }
}

NOINLINE static void masked(int m, int n, struct pair (*restrict c)[LD],
                            double (*restrict mask)[LD])
{
    for (int j = 0; j < n; j++)
        for (int i = 0; i < m; i++)
            if (mask[j][i] > 0) {
                c[j][i].re = c[j][i].re * 2;
                c[j][i].im = -c[j][i].im;
            } else if (mask[j][i] < -0.5) {
                c[j][i].re = 1;
                c[j][i].im = c[j][i].re + j;
            }
}

NOINLINE static void behind(int m, int n, double (*restrict c)[LD],
                            double (*restrict mask)[LD])
{
    for (int j = 0; j < n; j++)
        for (int i = 0; i < m; i++)
            if (mask[j][i] > 0) {
                c[j][2 * i] = mask[j][i];
                c[j][2 * i + 1] = c[j][2 * i] * 2;
                c[j][2 * i] = c[j][2 * i + 1] + c[j][2 * i];
            }
}

int main(int argc, char **argv)
{
    const int m = M, n = N;
    const struct pair factors[] = {{0.7, -0.2}, {1, 0}, {0, 0.5}, {0, 0}};

    harness_start(argc, argv);
    harness_fill(a, (size_t)N * LD, sizeof **a);
    harness_fill(b, (size_t)N * LD, sizeof **b);
    harness_fill(z, (size_t)N * LD * 2, sizeof(double));
    masked(M, N, z, a);
    harness_dump("masked", z, (size_t)N * LD * 2, sizeof(double));
    behind(LD / 2, N, b, a);
    harness_dump("behind", b, (size_t)N * LD, sizeof **b);
    for (int i = 0; i < 4; i++) {
        scale(&m, &n, a, &factors[i].re);
        turn(&m, &n, z, factors[i]);
        harness_dump("scale", a, (size_t)N * LD, sizeof **a);
        harness_dump("turn", z, (size_t)N * LD * 2, sizeof(double));
    }
    return harness_end();
}
