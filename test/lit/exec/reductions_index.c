// The index of a minimum or maximum, the first one of equal values or the last
// one: with values that come again, the smallest and largest ones of their type
// among them, and none that is taken.  What is no index, or is counted down, stays
// in order.
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
// CHECK-NOT: polygpu: scop ordered
// CHECK-DAG: polygpu: scop first_most {{.*}} runs=16 declined=0 failed=0
// CHECK-DAG: polygpu: scop last_most {{.*}} runs=16 declined=0 failed=0
// CHECK-DAG: polygpu: scop first_least {{.*}} runs=16 declined=0 failed=0
// CHECK-DAG: polygpu: scop last_least {{.*}} runs=16 declined=0 failed=0
// CHECK-DAG: polygpu: scop unsigned_most {{.*}} runs=16 declined=0 failed=0
// CHECK-DAG: polygpu: scop where_only {{.*}} runs=16 declined=0 failed=0
// CHECK-DAG: polygpu: scop beside {{.*}} runs=16 declined=0 failed=0
// CHECK-NOT: polygpu: scop ordered
#include "exec.h"

#include <limits.h>
#include <stdlib.h>

enum { MOST = 1600 };

static int a[MOST];
static unsigned u[MOST];
static long long results[600];
static int n_result;

NOINLINE static int first_most(int n, int m, int *at)
{
    int k = *at;
    for (int i = 0; i < n; i++)
        if (a[i] > m) {
            m = a[i];
            k = i;
        }
    *at = k;
    return m;
}

NOINLINE static int last_most(int n, int m, int *at)
{
    int k = *at;
    for (int i = 0; i < n; i++)
        if (a[i] >= m) {
            m = a[i];
            k = i;
        }
    *at = k;
    return m;
}

NOINLINE static int first_least(int n, int m, int *at)
{
    int k = *at;
    for (int i = 0; i < n; i++)
        if (m > ~a[i]) {
            m = ~a[i];
            k = i;
        }
    *at = k;
    return m;
}

NOINLINE static int last_least(int n, int m, int *at)
{
    long k = *at;
    for (int i = 0; i < n; i += 2) {
        k = a[i] <= m ? i : k;
        m = a[i] <= m ? a[i] : m;
    }
    *at = (int)k;
    return m;
}

NOINLINE static unsigned unsigned_most(int n, unsigned m, int *at)
{
    int k = *at;
    for (int i = 0; i < n; i++)
        if (u[i] > m) {
            m = u[i];
            k = i;
        }
    *at = k;
    return m;
}

// Nobody uses the value.
NOINLINE static void where_only(int n, int m, int *at)
{
    int k = *at;
    for (int i = 0; i < n; i++)
        if (a[i] > m) {
            m = a[i];
            k = i;
        }
    *at = k;
}

// A sum in the same loop.
NOINLINE static int beside(int n, int m, int *at)
{
    unsigned s = 3;
    int k = *at;
    for (int i = 0; i < n; i++) {
        s += u[i];
        if (a[i] < m) {
            m = a[i];
            k = i;
        }
    }
    *at = k;
    return m ^ (int)s;
}

NOINLINE static int ordered_values(int n, int m, int *at)
{
    int k = *at;
    for (int i = 0; i < n; i++)
        if (a[i] > m) {
            m = a[i];
            k = (int)u[i];
        }
    *at = k;
    return m;
}

NOINLINE static int ordered_down(int n, int m, int *at)
{
    int k = *at;
    for (int i = n - 1; i >= 0; i--)
        if (a[i] > m) {
            m = a[i];
            k = i;
        }
    *at = k;
    return m;
}

static void keep(long long value, int at)
{
    results[n_result++] = value;
    results[n_result++] = at;
}

HOST void run(int n, int m)
{
    int at = -3;

#define RUN(f, m) \
    do { \
        int value = (int)f(n, m, &at); \
        keep(value, at); \
    } while (0)
    RUN(last_most, m);
    RUN(first_least, m);
    RUN(last_least, m);
    RUN(unsigned_most, (unsigned)m);
    RUN(beside, m);
    RUN(ordered_values, m);
    RUN(ordered_down, m);
    RUN(first_most, m);
    at = -9;
    where_only(n, m, &at);
    keep(0, at);
}

HOST void run_all(int n)
{
    run(n, 0);
    run(n, INT_MIN);
    run(n, INT_MAX);
    run(n, 5);
}

int main(int argc, char **argv)
{
    int n;

    harness_start(argc, argv);
    n = harness_size(1);
    for (int i = 0; i < MOST; i++) {
        a[i] = (int)(harness_random() * 9);
        u[i] = (unsigned)(harness_random() * 9 + 20);
    }
    poison(results, sizeof results);
    run_all(1);
    run_all(40);
    run_all(n - 7);
    for (int i = 0; i < 9; i++) {
        int at = 40 + (int)((harness_random() + 2) * 400);
        a[at] = i % 2 ? INT_MAX : INT_MIN + 1;
        u[at] = i % 2 ? UINT_MAX : 0;
    }
    run_all(n);
    dump("results", results, sizeof results);
    return harness_end();
}
