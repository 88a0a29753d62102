// What an iteration hands on is read behind a store to what may be the same
// array: then the original loops run, whatever order the analysis has
// statements in.
//
// RUN: %gpu_cc %s %harness -o %t.gpu
// RUN: %ref_cc %s %harness -o %t.ref
// RUN: %run_ref %t.ref
// RUN: %run_auto %t.gpu 2>&1 | %FileCheck %s
// RUN: cmp %t.ref.dump %t.gpu.dump
//
// In each: apart, the same, one element before what is read, one behind.
// CHECK-DAG: polygpu: scop read_behind {{.*}} runs=2 declined=2 failed=0
// CHECK-DAG: polygpu: scop read_before {{.*}} runs=3 declined=1 failed=0
// The same without restrict, and as another type.
// CHECK-DAG: polygpu: scop written {{.*}} runs=2 declined=2 failed=0
// CHECK-DAG: polygpu: scop written_as_number {{.*}} runs=1 declined=1 failed=0
#include "exec.h"

enum { N = 300 };

static double memory[2 * N + 2], shifted[N], factors[N];

typedef double type(int, double *restrict, double *, const double *restrict,
                    const double *, double);

NOINLINE static double read_behind(int n, double *restrict w, double *to,
                                   const double *restrict f, const double *from,
                                   double last)
{
    for (int i = 0; i < n; i++) {
        w[i] = last;
        to[i] = f[i] * 2;
        last = from[i];
    }
    return last;
}

NOINLINE static double read_before(int n, double *restrict w, double *to,
                                   const double *restrict f, const double *from,
                                   double last)
{
    for (int i = 0; i < n; i++) {
        double next = from[i];
        to[i] = f[i] * 2;
        w[i] = last;
        last = next;
    }
    return last;
}

NOINLINE static void written(int n, double *p, const double *q)
{
    double x = 1;

    for (int i = 0; i < n; i++) {
        p[i] = q[i] + x;
        x = q[i];
    }
}

NOINLINE static void written_as_number(int n, long *p, const double *q)
{
    double x = 1;

    for (int i = 0; i < n; i++) {
        double next = q[i];
        p[i] = (long)(x * 16);
        x = next;
    }
}

static void call(const char *name, type *f, double *to, const double *from)
{
    harness_fill(memory, 2 * N + 2, sizeof(double));
    harness_fill(factors, N, sizeof(double));
    double last = f(N, shifted, to, factors, from, 3);
    dump(name, memory, sizeof memory);
    dump("shifted", shifted, sizeof shifted);
    dump("last", &last, sizeof last);
}

static void run(double *to, const double *from)
{
    call("behind", read_behind, to, from);
    call("before", read_before, to, from);
    harness_fill(memory, 2 * N + 2, sizeof(double));
    written(N, to, from);
    dump("written", memory, sizeof memory);
    // Elsewhere C does not say what another type reads.
    if (to == from || from >= to + N) {
        harness_fill(memory, 2 * N + 2, sizeof(double));
        written_as_number(N, (long *)(void *)to, from);
        dump("as number", memory, sizeof memory);
    }
}

int main(int argc, char **argv)
{
    harness_start(argc, argv);
    run(memory, memory + N);
    run(memory + 1, memory + 1);
    run(memory, memory + 1);
    run(memory + 1, memory);
    return harness_end();
}
