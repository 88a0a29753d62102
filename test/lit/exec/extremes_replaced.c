// m = m > x ? m : x, as MAX(m, x) and Fortran's max(m, x) are, takes x where
// one of both is a NaN, and goes on from there: only what follows the last NaN
// counts.  The device looks for NaNs, and the loops run again if there are any.
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
// CHECK-DAG: polygpu: scop most {{.*}} runs=[[RUNS:[0-9]+]] declined=0 failed=0
// CHECK-DAG: polygpu: scop least {{.*}} runs=[[RUNS]] declined=0 failed=0
// CHECK-DAG: polygpu: scop not_less {{.*}} runs=[[RUNS]] declined=0 failed=0
// CHECK-DAG: polygpu: scop unordered {{.*}} runs=[[RUNS]] declined=0 failed=0
// CHECK-DAG: polygpu: scop most_double {{.*}} runs=[[RUNS]] declined=0 failed=0
// CHECK-DAG: polygpu: scop two {{.*}} runs=[[RUNS]] declined=0 failed=0
// CHECK-DAG: polygpu: scop counted {{.*}} runs=[[RUNS]] declined=0 failed=0
// CHECK-DAG: polygpu: scop of_nest {{.*}} runs=[[RUNS]] declined=0 failed=0
// CHECK-DAG: polygpu: scop of_triangle {{.*}} runs={{[1-9][0-9]*}} declined=0 failed=0
// CHECK-DAG: polygpu: scop of_some {{.*}} runs=[[RUNS]] declined=0 failed=0
// CHECK-DAG: polygpu: scop of_some_rows {{.*}} runs=[[RUNS]] declined=0 failed=0
// CHECK-DAG: polygpu: scop through_indices {{.*}} runs=[[RUNS]] declined=0 failed=0
// CHECK-DAG: polygpu: scop of_structure {{.*}} runs=[[RUNS]] declined=0 failed=0
#include "exec.h"

#include <math.h>
#include <stdlib.h>

#define MAX(a, b) ((a) > (b) ? (a) : (b))
#define MIN(a, b) ((a) < (b) ? (a) : (b))

enum { MOST = 1600, SIDE = 40 };

static float a[MOST];
static double d[MOST];
static float results[4000];
static double wide[4000];
static int n_result, n_wide, other, mask[MOST], places[MOST];
static float smallest;

NOINLINE static float most(int n, float m)
{
    for (int i = 0; i < n; i++)
        m = MAX(m, a[i]);
    return m;
}

NOINLINE static float least(int n, float m)
{
    for (int i = 0; i < n; i++)
        m = MIN(m, a[i]);
    return m;
}

// The first of equal ones: which zero is left.
NOINLINE static float not_less(int n, float m)
{
    for (int i = 0; i < n; i++)
        m = m >= a[i] ? m : a[i];
    return m;
}

NOINLINE static float unordered(int n, float m)
{
    for (int i = 0; i < n; i++)
        if (!(a[i] <= m))
            m = a[i];
    return m;
}

NOINLINE static double most_double(int n, double m)
{
    for (int i = 0; i < n; i++)
        m = MAX(m, d[i] * 2);
    return m;
}

NOINLINE static float two(int n, float m)
{
    float low = m;

    for (int i = 0; i < n; i++) {
        m = MAX(m, a[i]);
        low = MIN(low, a[i] + 1);
    }
    smallest = low;
    return m;
}

// What else the loop computes is as it was, whatever runs again.
NOINLINE static double counted(int n, double m)
{
    int count = 0;

    for (int i = 0; i < n; i++) {
        m = MAX(m, fabs(d[i]));
        count += d[i] > 0;
    }
    other = count;
    return m;
}

NOINLINE static double of_nest(int n, int rows, double m)
{
    for (int j = 0; j < rows; j++)
        for (int i = 0; i < n; i++)
            m = MAX(m, d[j * SIDE + i] - d[j]);
    return m;
}

NOINLINE static double of_triangle(int rows, double m)
{
    for (int j = 0; j < rows; j++)
        for (int i = 0; i < j; i++)
            m = MIN(m, d[j * SIDE + i]);
    return m;
}

// A NaN where the condition does not hold is none.
NOINLINE static double of_some(int n, double m)
{
    for (int i = 0; i < n; i++)
        if (mask[i])
            m = MAX(m, d[i]);
    return m;
}

NOINLINE static double of_some_rows(int n, int rows, double m)
{
    for (int j = 0; j < rows; j++)
        if (mask[j])
            for (int i = 0; i < n; i++)
                m = MIN(m, d[j * SIDE + i]);
    return m;
}

NOINLINE static double through_indices(int n, double m)
{
    for (int i = 0; i < n; i++)
        m = MAX(m, d[places[i]] - d[i]);
    return m;
}

struct vector {
    size_t size, stride;
    double *data;
};

NOINLINE static double of_structure(const struct vector *v, double m)
{
    for (size_t i = 0; i < v->size; i++) {
        double x = v->data[i * v->stride];

        m = MAX(m, x);
    }
    return m;
}

HOST void run(int n, float begin)
{
    struct vector v = {(size_t)n, 1, d};

    results[n_result++] = most(n, begin);
    results[n_result++] = least(n, begin);
    results[n_result++] = not_less(n, begin);
    results[n_result++] = unordered(n, begin);
    results[n_result++] = two(n, begin);
    results[n_result++] = smallest;
    wide[n_wide++] = most_double(n, begin);
    wide[n_wide++] = counted(n, begin);
    wide[n_wide++] = other;
    wide[n_wide++] = of_nest(n < SIDE ? n : SIDE - 3, SIDE - 1, begin);
    wide[n_wide++] = of_triangle(n < SIDE ? n : SIDE, begin);
    wide[n_wide++] = of_structure(&v, begin);
    wide[n_wide++] = of_some(n, begin);
    wide[n_wide++] = of_some_rows(n < SIDE ? n : SIDE - 3, SIDE - 1, begin);
    wide[n_wide++] = through_indices(n, begin);
}

HOST void run_all(int n)
{
    run(n, 0.0F);
    run(n, -0.0F);
    run(n, INFINITY);
    run(n, -INFINITY);
    run(n, NAN);
    run(n, 7);
}

HOST void put(int i, float x)
{
    a[i] = x;
    d[i] = x;
}

int main(int argc, char **argv)
{
    static const float special[] = {-0.0F, 0.0F, -INFINITY, -7, -1e-45F, NAN};
    int n;

    harness_start(argc, argv);
    n = harness_size(1);
    poison(results, sizeof results);
    poison(wide, sizeof wide);
    for (int i = 0; i < MOST; i++)
        put(i, (float)harness_random() * 100);
    for (int i = 0; i < MOST; i++) {
        mask[i] = harness_random() > 0;
        places[i] = (int)(fabs(harness_random()) * 1e6) % MOST;
    }
    run_all(n);
    // One NaN: at the begin, at the end, and in between.
    for (int k = 0; k < 7; k++) {
        int at = k == 0   ? 0
                 : k == 1 ? n - 1
                          : (int)(fabs(harness_random()) * 1e6) % n;
        float x = a[at];

        put(at, NAN);
        run(n, 3);
        put(at, x);
    }
    // Zeros of both signs, and no NaN; then some.
    for (int many = 5; many <= 6; many++) {
        for (int i = 0; i < MOST; i++)
            put(i, special[(int)(fabs(harness_random()) * 1e6) % many]);
        run_all(n - 7);
        run_all(40);
        run_all(1);
    }
    for (int i = 0; i < MOST; i++)
        put(i, a[i] < 0 ? -a[i] : a[i]);
    run_all(n);
    for (int i = 0; i < MOST; i++)
        put(i, INFINITY);
    run_all(n);
    dump_float("results", results, sizeof results / sizeof *results);
    dump_double("wide", wide, sizeof wide / sizeof *wide);
    return harness_end();
}
