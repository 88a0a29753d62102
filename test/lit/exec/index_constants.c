// The index of a minimum or maximum of floating-point numbers that begins with
// a constant: a NaN, with which nothing compares, infinities, a zero.
//
// RUN: %gpu_cc %s %harness -o %t.gpu
// RUN: %ref_cc %s %harness -o %t.ref
// RUN: %run_ref %t.ref
// RUN: %run_gpu %t.gpu 2>&1 | %FileCheck %s
// RUN: cmp %t.ref.dump %t.gpu.dump
//
// CHECK-DAG: polygpu: scop most_f {{.*}} runs=3 declined=0 failed=0
// CHECK-DAG: polygpu: scop last_d {{.*}} runs=3 declined=0 failed=0
// CHECK-DAG: polygpu: scop least_d {{.*}} runs=3 declined=0 failed=0
// CHECK-DAG: polygpu: scop of_zero {{.*}} runs=3 declined=0 failed=0
// CHECK-DAG: polygpu: scop of_infinity {{.*}} runs=3 declined=0 failed=0
#include "exec.h"

#include <math.h>

enum { N = 1500 };

static float f[N];
static double d[N];

#define FORM(name, type, array, start, sign)                                   \
    NOINLINE static long name(int n)                                           \
    {                                                                          \
        type m = start;                                                        \
        int k = -1;                                                            \
        for (int i = 0; i < n; i++)                                            \
            if (array[i] sign m) {                                             \
                m = array[i];                                                  \
                k = i;                                                         \
            }                                                                  \
        return k;                                                              \
    }

FORM(most_f, float, f, NAN, >)
FORM(last_d, double, d, NAN, >=)
FORM(least_d, double, d, NAN, <)
FORM(of_zero, double, d, -0.0, <=)
FORM(of_infinity, float, f, INFINITY, <)

int main(int argc, char **argv)
{
    static const int sizes[] = {1, 37, N};

    harness_start(argc, argv);
    for (int s = 0; s < 3; s++) {
        int n = sizes[s];
        long found[5];

        for (int i = 0; i < N; i++) {
            d[i] = i % 17 == 3 ? NAN : harness_random();
            f[i] = i % 13 == 5 ? -INFINITY : (float)harness_random();
        }
        found[0] = most_f(n);
        found[1] = last_d(n);
        found[2] = least_d(n);
        found[3] = of_zero(n);
        found[4] = of_infinity(n);
        dump("found", found, sizeof found);
    }
    return harness_end();
}
