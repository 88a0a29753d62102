// Loops of a function that calls its argument are known where the function is
// given: they are inlined there, also into a function without loops of its own,
// and where the argument is handed on.  A function of the C library's
// mathematics is known as well.
//
// RUN: %gpu_cc %s %harness -o %t.gpu -Rpass=gpu-polyhedral 2> %t.remarks
// RUN: %ref_cc %s %harness -o %t.ref
// RUN: %run_ref %t.ref
// RUN: %run_gpu %t.gpu 2>&1 | %FileCheck %s
// RUN: cmp %t.ref.dump %t.gpu.dump
//
// CHECK-DAG: polygpu: scop given {{.*}} runs=1 declined=0 failed=0
// CHECK-DAG: polygpu: scop known {{.*}} runs=1 declined=0 failed=0
// CHECK-DAG: polygpu: scop handed {{.*}} runs=1 declined=0 failed=0
// CHECK-DAG: polygpu: kernel given_{{.*}} launches=1
// CHECK-DAG: polygpu: kernel known_{{.*}} launches=1
// CHECK-DAG: polygpu: kernel handed_{{.*}} launches=1
#include "exec.h"

#include <math.h>

enum { N = 500 };

typedef double Function(double);

static double twice(double x)
{
    return 2 * x;
}

static double next(double x)
{
    return x + 1;
}

static void apply(int n, double *a, Function *f)
{
    for (int i = 0; i < n; i++)
        a[i] = f(a[i]);
}

static void hand_on(int n, double *a, Function *f)
{
    apply(n, a + 1, f);
}

NOINLINE static void given(int n, double *a)
{
    apply(n, a, twice);
}

NOINLINE static void known(int n, double *a)
{
    apply(n, a, fabs);
}

NOINLINE static void handed(int n, double *a)
{
    hand_on(n, a, next);
}

int main(int argc, char **argv)
{
    static double a[N];
    harness_start(argc, argv);
    harness_fill(a, N, sizeof *a);
    given(N, a);
    known(N - 3, a);
    handed(N - 1, a);
    dump("a", a, sizeof a);
    return harness_end();
}
