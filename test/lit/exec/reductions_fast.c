// Sums, products, minima and maxima of floating-point numbers, in another order
// where flags or -gpu-reassociate-reductions allow that: on numbers for which each
// order has the same result.  (The PTX machine does not take -ffast-math, which
// leaves to the driver what is fused.)
//
// RUN: %gpu_cc -fassociative-math -fno-signed-zeros -fno-trapping-math \
// RUN:   -ffinite-math-only %s %harness -o %t.gpu
// RUN: %ref_cc %s %harness -o %t.ref
// RUN: %run_ref %t.ref 3000
// RUN: %run_gpu %t.gpu 3000 2>&1 | %FileCheck %s
// RUN: cmp %t.ref.dump %t.gpu.dump
// RUN: %gpu_cc -mllvm -gpu-reassociate-reductions -DSUMS %s %harness -o %t.gpu
// RUN: %ref_cc -DSUMS %s %harness -o %t.ref
// RUN: %run_ref %t.ref 3000
// RUN: %run_gpu %t.gpu 3000 2>&1 | %FileCheck --check-prefix=SUMS %s
// RUN: cmp %t.ref.dump %t.gpu.dump
//
// CHECK-DAG: polygpu: scop product {{.*}} runs=4 declined=0 failed=0
// CHECK-DAG: polygpu: scop extremes {{.*}} runs=4 declined=0 failed=0
// CHECK-DAG: polygpu: scop sum {{.*}} runs=4 declined=0 failed=0
// CHECK-DAG: polygpu: scop dot {{.*}} runs=4 declined=0 failed=0
// CHECK-DAG: polygpu: scop where {{.*}} runs=4 declined=0 failed=0
// CHECK-DAG: polygpu: scop columns {{.*}} runs=4 declined=0 failed=0
// SUMS-DAG: polygpu: scop sum {{.*}} runs=4 declined=0 failed=0
// SUMS-DAG: polygpu: scop dot {{.*}} runs=4 declined=0 failed=0
// SUMS-DAG: polygpu: scop where {{.*}} runs=4 declined=0 failed=0
// SUMS-DAG: polygpu: scop columns {{.*}} runs=4 declined=0 failed=0
#include "exec.h"

enum { MOST = 4000 };

static float a[MOST], small[40][50];
static double b[MOST], c[MOST], signs[MOST];
static double results[100];
static int n_result;

NOINLINE static float sum(int n)
{
    float s = 5;
    for (int i = 0; i < n; i++)
        s += a[i];
    return s;
}

NOINLINE static double dot(int n)
{
    double s = 0;
    for (int i = 0; i < n; i++)
        s += b[i] * c[i];
    return s;
}

NOINLINE static double where(int n)
{
    double s = 0;
    for (int i = 0; i < n; i++)
        if (b[i] > 3)
            s += b[i];
    return s;
}

// Two levels of loops, and the difference of two sums.
NOINLINE static float columns(int n, int m)
{
    float s = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            s = s + small[i][j] - small[j][i];
    return s;
}

#ifndef SUMS
NOINLINE static double product(int n)
{
    double p = 3;
    for (int i = 0; i < n; i++)
        p *= signs[i];
    return p;
}

NOINLINE static void extremes(int n, double *to)
{
    double least = b[0];
    float most = a[0];
    for (int i = 1; i < n; i++) {
        least = b[i] < least ? b[i] : least;
        if (a[i] > most)
            most = a[i];
    }
    to[0] = least;
    to[1] = most;
}
#endif

HOST void run(int n)
{
    double two[2] = {0};

    results[n_result++] = sum(n);
    results[n_result++] = dot(n);
    results[n_result++] = where(n);
    results[n_result++] = columns(n < 40 ? n : 40, n < 35 ? n : 35);
#ifndef SUMS
    results[n_result++] = product(n);
    extremes(n, two);
#endif
    results[n_result++] = two[0];
    results[n_result++] = two[1];
}

/* A whole number from -12 to 12, mostly not 0. */
HOST double whole(void)
{
    return (double)(int)(harness_random() * 8);
}

int main(int argc, char **argv)
{
    int n;

    harness_start(argc, argv);
    n = harness_size(1);
    for (int i = 0; i < MOST; i++) {
        a[i] = (float)whole();
        b[i] = whole();
        c[i] = whole();
        signs[i] = harness_random() < 0 ? -1 : 1;
    }
    for (int i = 0; i < 40 * 50; i++)
        small[i / 50][i % 50] = (float)whole();
    poison(results, sizeof results);
    run(2);
    run(50);
    run(n - 1);
    run(n);
    dump("results", results, sizeof results);
    return harness_end();
}
