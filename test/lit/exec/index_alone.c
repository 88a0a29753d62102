// The index of an extreme without the extreme: a[k] is read again in each
// iteration, at a place that the loop chooses.
//
// RUN: %gpu_cc %s %harness -o %t.gpu
// RUN: %ref_cc %s %harness -o %t.ref
// RUN: %run_ref %t.ref 700
// RUN: %run_gpu %t.gpu 700 2>&1 | %FileCheck %s
// RUN: cmp %t.ref.dump %t.gpu.dump
//
// CHECK-NOT: polygpu: scop written
// CHECK-NOT: polygpu: scop moved
// CHECK-DAG: polygpu: scop largest {{.*}} runs=6 declined=0 failed=0
// CHECK-DAG: polygpu: kernel largest_{{.*}} launches=5
// CHECK-DAG: polygpu: scop last_largest {{.*}} runs=6 declined=0 failed=0
// CHECK-DAG: polygpu: scop smallest {{.*}} runs=6 declined=0 failed=0
// CHECK-DAG: polygpu: scop of_magnitudes {{.*}} runs=6 declined=0 failed=0
// CHECK-DAG: polygpu: scop of_integers {{.*}} runs=6 declined=0 failed=0
// CHECK-DAG: polygpu: scop of_rows {{.*}} runs=6 declined=0 failed=0
// CHECK-DAG: polygpu: scop of_structures {{.*}} runs=6 declined=0 failed=0
// CHECK-NOT: polygpu: scop written
// CHECK-NOT: polygpu: scop moved
#include "exec.h"

#include <math.h>

enum { MOST = 800, ROW = 20 };

struct item {
    float weight;
    int kind;
};

static double a[2 * MOST];
static float f[MOST];
static int numbers[MOST], places[MOST];
static struct item items[MOST];
static long results[200];
static int n_result;

NOINLINE static int largest(int n, const double *a)
{
    int k = 0;

    for (int i = 1; i < n; i++)
        if (a[i] > a[k])
            k = i;
    return k;
}

NOINLINE static size_t last_largest(size_t n, const float *a)
{
    size_t k = 0;

    for (size_t i = 0; i < n; i++)
        if (a[i] >= a[k])
            k = i;
    return k;
}

NOINLINE static int smallest(int n, const float *a, int k)
{
    for (int i = 0; i < n; i++)
        k = a[k] > a[i] ? i : k;
    return k;
}

NOINLINE static int of_magnitudes(int n, const double *a)
{
    int k = 0;

    for (int i = 1; i < n; i++)
        if (fabs(a[2 * i]) > fabs(a[2 * k]))
            k = i;
    return k;
}

NOINLINE static int of_integers(int n, const int *a)
{
    int k = 0;

    for (int i = 0; i < n; i++)
        if (a[i] < a[k])
            k = i;
    return k;
}

NOINLINE static void of_rows(int n, int m, const float *a, int *to)
{
    for (int i = 0; i < n; i++) {
        int k = 0;
        for (int j = 1; j < m; j++)
            if (a[i * m + j] > a[i * m + k])
                k = j;
        to[i] = k;
    }
}

NOINLINE static int of_structures(int n, const struct item *p)
{
    int k = 0;

    for (int i = 1; i < n; i++)
        if (p[i].weight > p[k].weight)
            k = i;
    return k;
}

// What is read again is written.
NOINLINE static int written(int n, double *a)
{
    int k = 0;

    for (int i = 1; i < n; i++) {
        a[i] += a[i - 1];
        if (a[i] > a[k])
            k = i;
    }
    return k;
}

// Another element than the one that was chosen.
NOINLINE static int moved(int n, const double *a)
{
    int k = 0;

    for (int i = 1; i < n; i++)
        if (a[i] > a[k + i])
            k = i;
    return k;
}

HOST void run(int n)
{
    results[n_result++] = largest(n, a);
    results[n_result++] = (long)last_largest(n, f);
    results[n_result++] = smallest(n, f, n / 2);
    results[n_result++] = of_magnitudes(n, a);
    results[n_result++] = of_integers(n, numbers);
    of_rows(n / ROW + 1, ROW, f, places);
    results[n_result++] = of_structures(n, items);
    results[n_result++] = written(n, a);
    results[n_result++] = moved(n, a);
    dump("places", places, sizeof places);
}

int main(int argc, char **argv)
{
    static const double special[] = {NAN, -0.0, 0.0, -INFINITY, -7, 5e-324};
    int n;

    harness_start(argc, argv);
    n = harness_size(1);
    poison(results, sizeof results);
    poison(places, sizeof places);
    for (int i = 0; i < MOST; i++) {
        a[i] = harness_random() * 100;
        a[MOST + i] = harness_random() * 100;
        f[i] = (float)(harness_random() * 100);
        numbers[i] = (int)(harness_random() * 50);
        items[i].weight = (float)(harness_random() * 100);
        items[i].kind = i;
    }
    run(n);
    run(n - 7);
    for (int i = 0; i < MOST; i++) {
        a[i] = special[(int)(fabs(harness_random()) * 1000) % 6];
        f[i] = (float)special[(int)(fabs(harness_random()) * 1000) % 6];
        items[i].weight =
            (float)special[(int)(fabs(harness_random()) * 1000) % 6];
    }
    run(n);
    run(40);
    run(2);
    run(1);
    dump("results", results, sizeof results);
    return harness_end();
}
