// Minima and maxima of floating-point numbers in the source's rule for NaN and
// zeros: where a NaN is never taken, and what is compared with the result is no
// negative zero, the order does not matter.  Where zeros have both signs, the
// first or last one counts, too.  What takes NaNs stays in order.
//
// RUN: %gpu_cc %s %harness -o %t.gpu
// RUN: %ref_cc %s %harness -o %t.ref
// RUN: %run_ref %t.ref 1500
// RUN: %run_gpu %t.gpu 1500 2>&1 | %FileCheck %s
// RUN: cmp %t.ref.dump %t.gpu.dump
// RUN: %gpu_cc -mllvm "-gpu-sizes={ kernel[0] -> partial[2,8] }" %s %harness \
// RUN:   -o %t.gpu
// RUN: %run_gpu %t.gpu 1500 2>&1 | %FileCheck %s
// RUN: cmp %t.ref.dump %t.gpu.dump
//
// CHECK-DAG: polygpu: scop ordered_nans {{.*}} runs=16 declined=0 failed=0
// CHECK-DAG: polygpu: scop largest {{.*}} runs=16 declined=0 failed=0
// CHECK-DAG: polygpu: scop residual {{.*}} runs=16 declined=0 failed=0
// CHECK-DAG: polygpu: scop smallest {{.*}} runs=16 declined=0 failed=0
// CHECK-DAG: polygpu: scop kept {{.*}} runs=16 declined=0 failed=0
// CHECK-DAG: polygpu: scop single {{.*}} runs=16 declined=0 failed=0
// CHECK-DAG: polygpu: scop zeros {{.*}} runs=16 declined=0 failed=0
// CHECK-DAG: polygpu: scop equal {{.*}} runs=16 declined=0 failed=0
#include "exec.h"

#include <math.h>

enum { MOST = 1600 };

static double a[MOST], b[MOST];
static float f[MOST];
static double results[400];
static int n_result;

NOINLINE static double largest(int n, double m)
{
    for (int i = 0; i < n; i++)
        m = fmax(m, fabs(a[i]));
    return m;
}

NOINLINE static double residual(int n, double m)
{
    for (int i = 0; i < n; i++)
        if (fabs(a[i] - b[i]) > m)
            m = fabs(a[i] - b[i]);
    return m;
}

NOINLINE static double smallest(int n, double m)
{
    for (int i = 0; i < n; i++)
        m = a[i] * a[i] < m ? a[i] * a[i] : m;
    return m;
}

NOINLINE static double kept(int n, double m)
{
    for (int i = 0; i < n; i++)
        m = m < fabs(b[i]) ? fabs(b[i]) : m;
    return m;
}

NOINLINE static float single(int n, float m)
{
    for (int i = 0; i < n; i++)
        m = fminf(m, fabsf(f[i]));
    return m;
}

// Zeros of both signs.
NOINLINE static double zeros(int n, double m)
{
    for (int i = 0; i < n; i++)
        m = a[i] > m ? a[i] : m;
    return m;
}

// A negative zero to begin with becomes one without sign.
NOINLINE static double equal(int n, double m)
{
    for (int i = 0; i < n; i++)
        m = fabs(a[i]) >= m ? fabs(a[i]) : m;
    return m;
}

// The last NaN, and what is behind it.
NOINLINE static double ordered_nans(int n, double m)
{
    for (int i = 0; i < n; i++)
        m = m > fabs(b[i]) ? m : fabs(b[i]);
    return m;
}

HOST void run(int n, double begin)
{
    results[n_result++] = largest(n, begin);
    results[n_result++] = residual(n, begin);
    results[n_result++] = smallest(n, begin);
    results[n_result++] = kept(n, begin);
    results[n_result++] = single(n, (float)begin);
    results[n_result++] = zeros(n, begin);
    results[n_result++] = equal(n, begin);
    results[n_result++] = ordered_nans(n, begin);
}

HOST void run_all(int n)
{
    run(n, 0);
    run(n, -INFINITY);
    run(n, INFINITY);
    run(n, 7);
}

int main(int argc, char **argv)
{
    static const double special[] = {NAN, -0.0, 0, INFINITY, -INFINITY, -7};
    int n;

    harness_start(argc, argv);
    n = harness_size(1);
    for (int i = 0; i < MOST; i++) {
        a[i] = harness_random() * 100;
        b[i] = harness_random() * 100;
        if (harness_random() < -0.9)
            a[i] = special[i % 3];
        if (harness_random() < -0.9)
            b[i] = special[i % 3];
        f[i] = (float)a[i];
    }
    poison(results, sizeof results);
    run_all(1);
    run_all(40);
    a[30] = b[20] = -INFINITY;
    run_all(n - 7);
    for (int i = 0; i < MOST; i++) {
        a[i] = i % 2 ? special[i % 6] : -0.0;
        b[i] = i % 3 ? NAN : 0;
        f[i] = NAN;
    }
    run_all(n);
    dump("results", results, sizeof results);
    return harness_end();
}
