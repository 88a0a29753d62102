// Products of complex numbers, which call the compiler's library where both
// parts are no numbers: of all that four parts may be, also in fast
// butterflies.
//
// RUN: %gpu_cc -mfma %s %harness -lm -o %t.gpu
// RUN: %ref_cc %s %harness -lm -o %t.ref
// RUN: %run_ref %t.ref
// RUN: %run_gpu %t.gpu 2>&1 | %FileCheck %s
// RUN: cmp %t.ref.dump %t.gpu.dump
// RUN: %run_faults
//
// CHECK-DAG: polygpu: scop doubles {{.*}}runs=2 declined=0
// CHECK-DAG: polygpu: scop floats {{.*}}runs=2 declined=0
// CHECK-DAG: polygpu: scop butterflies {{.*}}runs=1 declined=0
#include "exec.h"

#include <complex.h>
#include <math.h>

enum { KINDS = 13, N = KINDS * KINDS * KINDS * KINDS };

static double complex a[N], b[N], c[N];
static float complex f[N], g[N], h[N];

NOINLINE static void doubles(int n)
{
    for (int i = 0; i < n; i++)
        c[i] = a[i] * b[i];
}

NOINLINE static void floats(int n)
{
    for (int i = 0; i < n; i++)
        h[i] = f[i] * g[i];
}

NOINLINE static void butterflies(int n, const double complex *restrict w,
                                 double complex *restrict x)
{
    for (int i = 0; i < n; i++) {
        double complex u = x[i], v = x[i + n] * w[i];

        x[i] = u + v;
        x[i + n] = u - v;
    }
}

/* One NaN is as good as another. */
HOST static void show(const char *name)
{
    double *d = (double *)c;
    float *e = (float *)h;

    for (int i = 0; i < 2 * N; i++) {
        if (isnan(d[i]))
            d[i] = NAN;
        if (isnan(e[i]))
            e[i] = NAN;
    }
    dump(name, c, sizeof c);
    dump(name, h, sizeof h);
}

HOST static void set(double re, double im, double complex *to,
                     float complex *small)
{
    ((double *)to)[0] = re;
    ((double *)to)[1] = im;
    ((float *)small)[0] = (float)re;
    ((float *)small)[1] = (float)im;
}

int main(int argc, char **argv)
{
    const double kinds[KINDS] = {0.0,       -0.0,   1.5,     -0.75,  INFINITY,
                                 -INFINITY, NAN,    1e300,   -1e300, 3e38,
                                 -2e38,     5e-324, 0x1p-149};

    harness_start(argc, argv);
    for (int i = 0; i < N; i++) {
        set(kinds[i % KINDS], kinds[i / KINDS % KINDS], &a[i], &f[i]);
        set(kinds[i / KINDS / KINDS % KINDS], kinds[i / KINDS / KINDS / KINDS],
            &b[i], &g[i]);
    }
    doubles(N);
    floats(N);
    show("kinds");
    for (int i = 0; i < N; i++) {
        set(harness_random(), harness_random(), &a[i], &f[i]);
        set(harness_random(), harness_random(), &b[i], &g[i]);
    }
    doubles(N);
    floats(N);
    show("numbers");
    butterflies(N / 2, a, b);
    dump("butterflies", b, sizeof b);
    return harness_end();
}
