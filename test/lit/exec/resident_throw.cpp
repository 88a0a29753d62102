// Exceptions leave functions whose results are on the device: who catches them
// finds the results in memory, and nothing is written to variables that are gone.
//
// RUN: %gpu_cxx -mfma %s %harness -o %t.gpu
// RUN: %ref_cxx %s %harness -o %t.ref
// RUN: %run_ref %t.ref
// RUN: %run_gpu %t.gpu 2>&1 | %FileCheck %s
// RUN: cmp %t.ref.dump %t.gpu.dump
// RUN: %run_faults
// RUN: env POLYGPU_RESIDENCY=verify POLYGPU=mandatory POLYGPU_DEVICE=emulated \
// RUN:   %run_plain %t.gpu
// RUN: cmp %t.ref.dump %t.gpu.dump
//
// CHECK: scop {{.*}}halve{{.*}} runs=22 declined=0 failed=0
// CHECK: scop {{.*}}step{{.*}} runs=6 declined=0 failed=0
#include "exec.h"

enum { N = 200 };

static double a[N], b[N], c[N];

NOINLINE static void halve(double *x)
{
    for (int i = 0; i < N; i++)
        x[i] = x[i] * 0.5 + 1;
}

/* Its end runs a loop as well. */
struct Halved {
    double *x;
    NOINLINE ~Halved() { halve(x); }
};

NOINLINE static void step(double *x, int t)
{
    for (int i = 0; i < N; i++)
        x[i] += t;
    if (t % 3 == 2)
        throw t;
}

/* Passes exceptions on: a loop runs on the way, on a variable of "through". */
NOINLINE static void way(double *x, double *own, int t)
{
    Halved first{own};
    step(x, t);
    halve(x);
}

/* Has no code for exceptions itself; its variables are gone behind it. */
NOINLINE static void through(double *x, int t)
{
    double own[N];

    for (int i = 0; i < N; i++)
        own[i] = x[N - 1 - i];
    way(x, own, t);
    for (int i = 0; i < N; i++)
        x[i] = x[i] * 0.25 + own[i];
}

NOINLINE static double use_stack(int t)
{
    double own[2 * N], sum = 0;

    for (int i = 0; i < 2 * N; i++)
        own[i * 7 % (2 * N)] = t + i;
    for (int i = 0; i < 2 * N; i++)
        sum += own[i];
    return sum;
}

/* Catches in a scope. */
APART void caught(double *sum)
{
    for (int t = 0; t < 3; t++) {
        try {
            halve(b);
            through(a, t);
        } catch (int thrown) {
            *sum += use_stack(thrown);
            halve(a);
        }
        halve(b);
    }
}

/* Knows no scope. */
APART void passed(int t)
{
    halve(c);
    through(c, t);
    halve(c);
}

int main(int argc, char **argv)
{
    double sum = 0;

    harness_start(argc, argv);
    harness_fill(a, N, sizeof(double));
    harness_fill(b, N, sizeof(double));
    harness_fill(c, N, sizeof(double));
    caught(&sum);
    for (int t = 0; t < 3; t++) {
        try {
            passed(t);
        } catch (int thrown) {
            sum += use_stack(thrown) + c[5];
        }
    }
    dump_double("a", a, N);
    dump_double("b", b, N);
    dump_double("c", c, N);
    dump_double("sum", &sum, 1);
    return harness_end();
}
