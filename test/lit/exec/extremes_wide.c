// Minima and maxima of numbers of 64 bits, of which zeros of both signs are: one
// reduction has the number, and a second one the place and the sign of the first
// zero with > and of the last one with >=.
//
// RUN: %gpu_cc %s %harness -o %t.gpu
// RUN: %ref_cc %s %harness -o %t.ref
// RUN: %run_ref %t.ref 700
// RUN: %run_gpu %t.gpu 700 2>&1 | %FileCheck %s
// RUN: cmp %t.ref.dump %t.gpu.dump
//
// CHECK-DAG: polygpu: scop ordered_nans {{.*}} runs=20 declined=0 failed=0
// CHECK-DAG: polygpu: scop first_most {{.*}} runs=25 declined=0 failed=0
// CHECK-DAG: polygpu: kernel first_most_{{.*}} launches=20
// CHECK-DAG: polygpu: scop last_most {{.*}} runs=25 declined=0 failed=0
// CHECK-DAG: polygpu: scop first_least {{.*}} runs=25 declined=0 failed=0
// CHECK-DAG: polygpu: scop last_least {{.*}} runs=25 declined=0 failed=0
// CHECK-DAG: polygpu: scop both {{.*}} runs=25 declined=0 failed=0
// CHECK-DAG: polygpu: scop beside {{.*}} runs=25 declined=0 failed=0
// CHECK-DAG: polygpu: scop of_first {{.*}} runs=25 declined=0 failed=0
#include "exec.h"

#include <math.h>

enum { MOST = 1600 };

static double a[MOST], b[MOST];
static double results[400];
static int n_result;
static double smallest; // of "both"

NOINLINE static double first_most(size_t n, double m)
{
    for (size_t i = 0; i < n; i++)
        if (a[i] > m)
            m = a[i];
    return m;
}

NOINLINE static double last_most(int n, double m)
{
    for (int i = 0; i < n; i++)
        m = a[i] >= m ? a[i] : m;
    return m;
}

NOINLINE static double first_least(int n, double m)
{
    for (int i = 0; i < n; i++)
        if (m > a[i])
            m = a[i];
    return m;
}

NOINLINE static double last_least(long n, double m)
{
    for (long i = 0; i < n; i++)
        m = a[i] <= m ? a[i] : m;
    return m;
}

NOINLINE static double both(int n, double m)
{
    double least = m;

    for (int i = 0; i < n; i++) {
        if (a[i] > m)
            m = a[i];
        if (a[i] < least)
            least = a[i];
    }
    smallest = least;
    return m;
}

NOINLINE static double beside(int n, double m)
{
    for (int i = 0; i < n; i++) {
        b[i] = a[i] * 2;
        if (a[i] > m)
            m = a[i];
    }
    return m;
}

// As programs have it most often.
NOINLINE static double of_first(int n)
{
    double m = a[0];

    for (int i = 1; i < n; i++)
        if (a[i] > m)
            m = a[i];
    return m;
}

// The last NaN, and what is behind it.
NOINLINE static double ordered_nans(int n, double m)
{
    for (int i = 0; i < n; i++)
        m = m > a[i] ? m : a[i];
    return m;
}

HOST void run(int n, double begin)
{
    results[n_result++] = first_most(n, begin);
    results[n_result++] = last_most(n, begin);
    results[n_result++] = first_least(n, begin);
    results[n_result++] = last_least(n, begin);
    results[n_result++] = both(n, begin);
    results[n_result++] = smallest;
    results[n_result++] = beside(n, begin);
    results[n_result++] = of_first(n);
    results[n_result++] = ordered_nans(n, begin);
}

HOST void run_all(int n)
{
    run(n, 0.0);
    run(n, -0.0);
    run(n, INFINITY);
    run(n, NAN);
    run(n, 7);
}

int main(int argc, char **argv)
{
    static const double special[] = {NAN,       -0.0, 0.0,
                                     -INFINITY, -7,   -5e-324};
    int n;

    harness_start(argc, argv);
    n = harness_size(1);
    poison(b, sizeof b);
    poison(results, sizeof results);
    for (int i = 0; i < MOST; i++)
        a[i] = harness_random() * 100;
    run_all(n);
    // No number of the array is larger than zero, and zeros come in any order.
    for (int i = 0; i < MOST; i++)
        a[i] = special[(int)(fabs(harness_random()) * 1000) % 6];
    run_all(n - 7);
    // Nor smaller.
    for (int i = 0; i < MOST; i++)
        a[i] = a[i] < 0 ? -a[i] : a[i];
    run_all(40);
    run_all(1);
    run_all(0);
    dump_double("results", results, sizeof results / sizeof *results);
    dump_double("b", b, MOST);
    return harness_end();
}
