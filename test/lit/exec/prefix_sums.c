// Prefix sums: chunks of iterations in parallel, groups of these, one thread over all
// groups, and all iterations in parallel.  Of floating-point numbers where flags or
// -gpu-reassociate-reductions allow another order, here on numbers for which each order
// has the same result.
//
// RUN: %gpu_cc %s %harness -o %t.gpu
// RUN: %ref_cc %s %harness -o %t.ref
// RUN: %run_ref %t.ref
// RUN: %run_gpu %t.gpu 2>&1 | %FileCheck %s
// RUN: cmp %t.ref.dump %t.gpu.dump
// RUN: %gpu_cc "-mllvm" "-gpu-sizes={ kernel[0] -> partial[3,5] }" %s %harness -o %t.gpu
// RUN: %run_gpu %t.gpu 2>&1 | %FileCheck --check-prefix=SIZES %s
// RUN: cmp %t.ref.dump %t.gpu.dump
// RUN: %gpu_cc -mllvm -gpu-reassociate-reductions -DFLOATS %s %harness -o %t.gpu
// RUN: %ref_cc -DFLOATS %s %harness -o %t.ref
// RUN: %run_ref %t.ref
// RUN: %run_gpu %t.gpu 2>&1 | %FileCheck %s
// RUN: cmp %t.ref.dump %t.gpu.dump
// RUN: %gpu_cc -fassociative-math -fno-signed-zeros -fno-trapping-math \
// RUN:   -DFLOATS %s %harness -o %t.gpu
// RUN: %run_gpu %t.gpu 2>&1 | %FileCheck %s
// RUN: cmp %t.ref.dump %t.gpu.dump
//
// CHECK-DAG: scop running {{.*}} runs=1 declined=0 failed=0
// CHECK-DAG: kernel running_{{[0-9]+}}_0 {{.*}} launches=1 grid=3,1,1
// CHECK-DAG: kernel running_{{[0-9]+}}_1 {{.*}} launches=1 grid=1,1,1
// CHECK-DAG: kernel running_{{[0-9]+}}_2 {{.*}} launches=1 grid=1,1,1
// CHECK-DAG: kernel running_{{[0-9]+}}_3 {{.*}} launches=1 grid=147,1,1
// CHECK-DAG: scop beginnings {{.*}} runs=1 declined=0 failed=0
// CHECK-DAG: kernel beginnings_{{[0-9]+}}_0 {{.*}} launches=1 grid=3,1,1
// CHECK-DAG: scop in_place {{.*}} runs=1 declined=0 failed=0
// CHECK-DAG: kernel in_place_{{[0-9]+}}_0 {{.*}} launches=1 grid=3,1,1
// CHECK-DAG: kernel in_place_{{[0-9]+}}_3 {{.*}} launches=1 grid=147,1,1
// A reduction and a prefix sum in one nest.
// CHECK-DAG: scop shares {{.*}} runs=1 declined=0 failed=0
// CHECK-DAG: kernel shares_{{[0-9]+}}_0 {{.*}} launches=1 grid={{[1-9][0-9]*}},1,1 block={{[1-9][0-9]+}},
//
// 37,555 iterations in chunks of 5 and groups of 3 chunks.
// SIZES-DAG: kernel running_{{[0-9]+}}_0 {{.*}} launches=1 grid=30,1,1
// SIZES-DAG: kernel running_{{[0-9]+}}_1 {{.*}} launches=1 grid=10,1,1
// SIZES-DAG: kernel running_{{[0-9]+}}_3 {{.*}} launches=1 grid=147,1,1
#include "exec.h"

#ifdef FLOATS
typedef double T;
#else
typedef long T;
#endif

enum { N = 37555 };

static T a[N + 1], b[N + 1], c[N + 1];

NOINLINE static void running(int n, const T *restrict x, T *restrict y)
{
    T s = 2;

    for (int i = 0; i < n; i++) {
        s += x[i];
        y[i] = s;
    }
}

NOINLINE static T beginnings(int n, const T *restrict x, T *restrict y)
{
    T s = 0;

    for (int i = 0; i < n; i++) {
        y[i] = s;
        s += x[i];
    }
    return s;
}

NOINLINE static void in_place(int n, T *x)
{
    for (int i = 1; i <= n; i++)
        x[i] += x[i - 1];
}

NOINLINE static void shares(int n, const T *restrict x, T *restrict y)
{
    T all = 0, s = 0;

    for (int i = 0; i < n; i++)
        all += x[i];
    for (int i = 0; i < n; i++) {
        s += x[i];
        y[i] = all - s;
    }
}

/* Small enough for exact sums. */
static void fill(T *x)
{
    for (int i = 0; i <= N; i++)
        x[i] = (T)(long)(harness_random() * 1000);
}

int main(int argc, char **argv)
{
    harness_start(argc, argv);
    fill(a);
    poison(b, sizeof b);
    running(N, a, b);
    dump("running", b, sizeof b);
    poison(b, sizeof b);
    b[N] = beginnings(N, a, b);
    dump("beginnings", b, sizeof b);
    fill(c);
    in_place(N, c);
    dump("in_place", c, sizeof c);
    poison(b, sizeof b);
    shares(N, a, b);
    dump("shares", b, sizeof b);
    return harness_end();
}
