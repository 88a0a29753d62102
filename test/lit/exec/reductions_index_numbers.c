// The index of a minimum or maximum of floating-point and of 64-bit numbers, the
// first one of equal values or the last one: with NaNs, infinities and both zeros
// in the array and before the loop, by their bits.  What is not ordered, like
// !(x <= m), stays in order.
//
// RUN: %gpu_cc %s %harness -o %t.gpu
// RUN: %ref_cc %s %harness -o %t.ref
// RUN: %run_ref %t.ref 1500
// RUN: %run_gpu %t.gpu 1500 2>&1 | %FileCheck %s --check-prefixes=CHECK,TWO
// RUN: cmp %t.ref.dump %t.gpu.dump
// RUN: %gpu_cc -mllvm "-gpu-sizes={ kernel[0] -> partial[2,8] }" %s %harness \
// RUN:   -o %t.gpu
// RUN: %run_gpu %t.gpu 1500 2>&1 | %FileCheck %s
// RUN: cmp %t.ref.dump %t.gpu.dump
//
// CHECK-NOT: polygpu: scop ordered
// CHECK-DAG: polygpu: scop first_most_f {{.*}} runs=28 declined=0 failed=0
// CHECK-DAG: polygpu: scop last_most_f {{.*}} runs=28 declined=0 failed=0
// CHECK-DAG: polygpu: scop first_least_f {{.*}} runs=28 declined=0 failed=0
// CHECK-DAG: polygpu: scop last_least_f {{.*}} runs=28 declined=0 failed=0
// CHECK-DAG: polygpu: scop largest_f {{.*}} runs=28 declined=0 failed=0
// CHECK-DAG: polygpu: scop first_most_d {{.*}} runs=28 declined=0 failed=0
// TWO-DAG: polygpu: kernel first_most_d_{{[0-9]+}}_3 {{.*}} launches=28 grid={{[0-9,]+}} block=256,1,1
// CHECK-DAG: polygpu: scop from_zero {{.*}} runs=28 declined=0 failed=0
// CHECK-DAG: polygpu: scop by_size {{.*}} runs=28 declined=0 failed=0
// CHECK-DAG: polygpu: scop last_most_d {{.*}} runs=28 declined=0 failed=0
// CHECK-DAG: polygpu: scop first_least_d {{.*}} runs=28 declined=0 failed=0
// CHECK-DAG: polygpu: scop last_least_d {{.*}} runs=28 declined=0 failed=0
// CHECK-DAG: polygpu: scop largest_d {{.*}} runs=28 declined=0 failed=0
// CHECK-DAG: polygpu: scop first_most_l {{.*}} runs=28 declined=0 failed=0
// CHECK-DAG: polygpu: scop last_most_l {{.*}} runs=28 declined=0 failed=0
// CHECK-DAG: polygpu: scop first_least_l {{.*}} runs=28 declined=0 failed=0
// CHECK-DAG: polygpu: scop last_least_l {{.*}} runs=28 declined=0 failed=0
// CHECK-DAG: polygpu: scop unsigned_most {{.*}} runs=28 declined=0 failed=0
// CHECK-DAG: polygpu: scop where_largest {{.*}} runs=28 declined=0 failed=0
// CHECK-DAG: polygpu: scop beside {{.*}} runs=28 declined=0 failed=0
// CHECK-NOT: polygpu: scop ordered
#include "exec.h"

#include <limits.h>
#include <math.h>

enum { MOST = 1600, RESULTS = 28 * 22 };

static float f[MOST];
static double d[MOST];
static long long l[MOST];
static struct {
    union {
        float f;
        double d;
        long long l;
    } value;
    long long at;
} results[RESULTS];
static int n_result;

#define FORMS(suffix, type, array)                                             \
    NOINLINE static type first_most_##suffix(int n, type m, int *at)           \
    {                                                                          \
        int k = *at;                                                           \
        for (int i = 0; i < n; i++)                                            \
            if (array[i] > m) {                                                \
                m = array[i];                                                  \
                k = i;                                                         \
            }                                                                  \
        *at = k;                                                               \
        return m;                                                              \
    }                                                                          \
    NOINLINE static type last_most_##suffix(int n, type m, int *at)            \
    {                                                                          \
        int k = *at;                                                           \
        for (int i = 0; i < n; i++)                                            \
            if (array[i] >= m) {                                               \
                m = array[i];                                                  \
                k = i;                                                         \
            }                                                                  \
        *at = k;                                                               \
        return m;                                                              \
    }                                                                          \
    NOINLINE static type first_least_##suffix(int n, type m, int *at)          \
    {                                                                          \
        int k = *at;                                                           \
        for (int i = 0; i < n; i++)                                            \
            if (m > -array[i]) {                                               \
                m = -array[i];                                                 \
                k = i;                                                         \
            }                                                                  \
        *at = k;                                                               \
        return m;                                                              \
    }                                                                          \
    NOINLINE static type last_least_##suffix(int n, type m, int *at)           \
    {                                                                          \
        int k = *at;                                                           \
        for (int i = 0; i < n; i += 2) {                                       \
            k = array[i] <= m ? i : k;                                         \
            m = array[i] <= m ? array[i] : m;                                  \
        }                                                                      \
        *at = k;                                                               \
        return m;                                                              \
    }

FORMS(f, float, f)
FORMS(d, double, d)
FORMS(l, long long, l)

// BLAS's.
NOINLINE static float largest_f(int n, float m, int *at)
{
    int k = *at;
    for (int i = 0; i < n; i++)
        if (fabsf(f[i]) > m) {
            k = i;
            m = fabsf(f[i]);
        }
    *at = k;
    return m;
}

NOINLINE static double largest_d(int n, double m, int *at)
{
    int k = *at;
    for (int i = 0; i < n; i++)
        if (fabs(d[i]) > m) {
            k = i;
            m = fabs(d[i]);
        }
    *at = k;
    return m;
}

// Nobody uses the value.
NOINLINE static double where_largest(int n, double m, int *at)
{
    int k = *at;
    for (int i = 0; i < n; i++)
        if (fabs(d[i]) > m) {
            k = i;
            m = fabs(d[i]);
        }
    *at = k;
    return 1;
}

NOINLINE static long long unsigned_most(int n, long long first, int *at)
{
    unsigned long long m = (unsigned long long)first;
    int k = *at;
    for (int i = 0; i < n; i++)
        if ((unsigned long long)l[i] > m) {
            m = (unsigned long long)l[i];
            k = i;
        }
    *at = k;
    return (long long)m;
}

// A constant at first, and a way around the loop.
NOINLINE static double from_zero(int n, double m, int *at)
{
    double most = 0;
    int k = 7;
    if (n < 1)
        return m;
    for (int i = 0; i < n; i++)
        if (fabs(d[i]) > most) {
            k = i;
            most = fabs(d[i]);
        }
    *at = k;
    return most;
}

// A counter of 64 bits.
NOINLINE static float by_size(size_t n, float m, int *at)
{
    size_t k = 77;
    for (size_t i = 0; i < n; i++)
        if (f[i] >= m) {
            k = i;
            m = f[i];
        }
    *at = (int)k;
    return m;
}

// A sum in the same loop.
NOINLINE static double beside(int n, double m, int *at)
{
    unsigned s = 3;
    int k = *at;
    for (int i = 0; i < n; i++) {
        s += (unsigned)l[i];
        if (d[i] < m) {
            m = d[i];
            k = i;
        }
    }
    *at = k ^ (int)s;
    return m;
}

NOINLINE static double ordered(int n, double m, int *at)
{
    int k = *at;
    for (int i = 0; i < n; i++)
        if (!(d[i] <= m)) {
            m = d[i];
            k = i;
        }
    *at = k;
    return m;
}

NOINLINE static float ordered_f(int n, float m, int *at)
{
    int k = *at;
    for (int i = 0; i < n; i++)
        if (!(f[i] >= m)) {
            m = f[i];
            k = i;
        }
    *at = k;
    return m;
}

#define RUN(function, n, m, member)                                            \
    do {                                                                       \
        int at = -3;                                                           \
        results[n_result].value.member = function(n, m, &at);                  \
        results[n_result++].at = at;                                           \
    } while (0)

HOST void run(int n, double m, long long whole)
{
    RUN(first_most_f, n, (float)m, f);
    RUN(last_most_f, n, (float)m, f);
    RUN(first_least_f, n, (float)m, f);
    RUN(last_least_f, n, (float)m, f);
    RUN(largest_f, n, (float)m, f);
    RUN(first_most_d, n, m, d);
    RUN(last_most_d, n, m, d);
    RUN(first_least_d, n, m, d);
    RUN(last_least_d, n, m, d);
    RUN(largest_d, n, m, d);
    RUN(first_most_l, n, whole, l);
    RUN(last_most_l, n, whole, l);
    RUN(first_least_l, n, whole, l);
    RUN(last_least_l, n, whole, l);
    RUN(unsigned_most, n, whole, l);
    RUN(where_largest, n, m, d);
    RUN(beside, n, m, d);
    RUN(from_zero, n, m, d);
    RUN(by_size, (size_t)n, (float)m, f);
    RUN(ordered, n, m, d);
    RUN(ordered_f, n, (float)m, f);
}

HOST void run_all(int n)
{
    run(n, 0.0, 0);
    run(n, -0.0, LLONG_MIN);
    run(n, (double)INFINITY, LLONG_MAX);
    run(n, -(double)INFINITY, 1);
    run(n, (double)NAN, -1);
    run(n, 2.5, 5);
    run(n, -1.25, -5);
}

int main(int argc, char **argv)
{
    static const double special[] = {0.0,  -0.0, 1,    -1,   4.9e-324, -4.9e-324,
                                     2.75, 2.75, -2.5, -2.5, 1e-40,    -1e-40};
    int n;

    harness_start(argc, argv);
    n = harness_size(1);
    for (int i = 0; i < MOST; i++) { /* many are equal */
        int at = (int)((harness_random() + 2) * 400) % 12;

        d[i] = special[at];
        f[i] = (float)special[(at + i) % 12];
        l[i] = (long long)(harness_random() * 9);
    }
    // Zeros only, of both signs.
    for (int i = 0; i < 40; i++) {
        d[i] = i % 3 ? -0.0 : 0.0;
        f[i] = i % 5 ? -0.0f : 0.0f;
    }
    poison(results, sizeof results);
    run_all(1);
    run_all(40);
    run_all(n - 7);
    for (int i = 0; i < 40; i++) {
        int at = (int)((harness_random() + 1.5) / 3 * 1400);

        d[at] = i % 3 ? (double)NAN : i % 2 ? (double)INFINITY
                                            : -(double)INFINITY;
        f[at] = (float)d[at];
        l[at] = i % 2 ? LLONG_MAX - i / 20 : LLONG_MIN + 1 + i / 20;
    }
    d[0] = (double)NAN;
    f[0] = NAN;
    run_all(n);
    dump("results", results, sizeof results);
    return harness_end();
}
