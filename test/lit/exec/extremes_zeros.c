// Minima and maxima of numbers of 32 bits, of which zeros of both signs are: which
// one is left depends on the order, the first of equal ones with > and the last
// with >=.  The number of the iteration says which, in the same 64 bits.
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
// CHECK-DAG: polygpu: scop ordered_nans {{.*}} runs=20 declined=0 failed=0
// CHECK-DAG: polygpu: scop first_most {{.*}} runs=20 declined=0 failed=0
// CHECK-DAG: polygpu: scop last_most {{.*}} runs=20 declined=0 failed=0
// CHECK-DAG: polygpu: scop first_least {{.*}} runs=20 declined=0 failed=0
// CHECK-DAG: polygpu: scop last_least {{.*}} runs=20 declined=0 failed=0
// CHECK-DAG: polygpu: scop from_one {{.*}} runs=20 declined=0 failed=0
// CHECK-DAG: polygpu: scop both {{.*}} runs=20 declined=0 failed=0
// CHECK-DAG: polygpu: scop beside {{.*}} runs=20 declined=0 failed=0
#include "exec.h"

#include <math.h>

enum { MOST = 1600 };

static float a[MOST], b[MOST];
static float results[400];
static int n_result;
static float smallest; // of "both"

NOINLINE static float first_most(int n, float m)
{
    for (int i = 0; i < n; i++)
        if (a[i] > m)
            m = a[i];
    return m;
}

NOINLINE static float last_most(int n, float m)
{
    for (int i = 0; i < n; i++)
        m = a[i] >= m ? a[i] : m;
    return m;
}

NOINLINE static float first_least(int n, float m)
{
    for (int i = 0; i < n; i++)
        if (m > a[i])
            m = a[i];
    return m;
}

NOINLINE static float last_least(int n, float m)
{
    for (int i = 0; i < n; i++)
        m = a[i] <= m ? a[i] : m;
    return m;
}

// The last number of iterations that an int may have.
NOINLINE static float from_one(int n, float m)
{
    for (int i = 1; i <= n; i++)
        if (m < a[i - 1])
            m = a[i - 1];
    return m;
}

NOINLINE static float both(int n, float m)
{
    float least = m;

    for (int i = 0; i < n; i++) {
        if (a[i] > m)
            m = a[i];
        if (a[i] < least)
            least = a[i];
    }
    smallest = least;
    return m;
}

NOINLINE static float beside(int n, float m)
{
    for (int i = 0; i < n; i++) {
        b[i] = a[i] * 2;
        if (a[i] > m)
            m = a[i];
    }
    return m;
}

// The last NaN, and what is behind it.
NOINLINE static float ordered_nans(int n, float m)
{
    for (int i = 0; i < n; i++)
        m = m > a[i] ? m : a[i];
    return m;
}

HOST void run(int n, float begin)
{
    results[n_result++] = first_most(n, begin);
    results[n_result++] = last_most(n, begin);
    results[n_result++] = first_least(n, begin);
    results[n_result++] = last_least(n, begin);
    results[n_result++] = from_one(n, begin);
    results[n_result++] = both(n, begin);
    results[n_result++] = smallest;
    results[n_result++] = beside(n, begin);
    results[n_result++] = ordered_nans(n, begin);
}

HOST void run_all(int n)
{
    run(n, 0.0F);
    run(n, -0.0F);
    run(n, INFINITY);
    run(n, NAN);
    run(n, 7);
}

int main(int argc, char **argv)
{
    static const float special[] = {NAN,       -0.0F, 0.0F,
                                    -INFINITY, -7,    -1e-45F};
    int n;

    harness_start(argc, argv);
    n = harness_size(1);
    poison(b, sizeof b);
    poison(results, sizeof results);
    for (int i = 0; i < MOST; i++)
        a[i] = (float)harness_random() * 100;
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
    dump_float("results", results, sizeof results / sizeof *results);
    dump_float("b", b, MOST);
    return harness_end();
}
