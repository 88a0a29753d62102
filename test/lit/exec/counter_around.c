// Loops that begin where an iteration of a loop of the host begins: the counter
// of that loop is no result of theirs.  It was, with a kernel of one thread and
// a copy to the host in each run.  Likewise with a callee that is inlined for
// the function that it is given.
//
// RUN: %gpu_cc %s %harness -o %t.gpu
// RUN: %ref_cc %s %harness -o %t.ref
// RUN: %run_ref %t.ref
// RUN: %run_gpu %t.gpu 2>&1 | %FileCheck --implicit-check-not=kernel %s
// RUN: cmp %t.ref.dump %t.gpu.dump
//
// CHECK: polygpu: scop steps {{.*}} runs=7 declined=0 failed=0
// CHECK-NEXT: polygpu: kernel {{.*}} launches=7
// CHECK: polygpu: scop applied {{.*}} runs=7 declined=0 failed=0
// CHECK-NEXT: polygpu: kernel {{.*}} launches=7
#include "exec.h"

enum { N = 1000 };
static double a[N];

HOST void seen(int t)
{
    a[t] += t;
}

NOINLINE static int steps(int n, int steps)
{
    int t;

    for (t = 0; t < steps; t++) {
        for (int i = 0; i < n; i++)
            a[i] = 0.5 * a[i] - t;
        seen(t);
    }
    return t;
}

static double bent(double x)
{
    return x / (1 + x * x);
}

static void each(int n, double *x, double (*f)(double))
{
    for (int i = 0; i < n; i++)
        x[i] = f(x[i]);
}

NOINLINE static int applied(int n, int steps)
{
    int t;

    for (t = 0; t < steps; t++) {
        each(n, a, bent);
        seen(t);
    }
    return t;
}

int main(int argc, char **argv)
{
    int t;

    harness_start(argc, argv);
    harness_fill(a, N, sizeof *a);
    t = steps(N - 3, 7);
    t += applied(N - 5, 7);
    dump("a", a, sizeof a);
    dump("t", &t, sizeof t);
    return harness_end();
}
