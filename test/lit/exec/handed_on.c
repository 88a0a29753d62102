// Functions with loops that are called in loops of which no SCoP can be made: where the
// call says nothing of its arguments, or only which way to go, they are called, and
// their own copies run on the device; where it does, for an array that is known, they
// become part of the caller, and a caller that only hands on of one that knows.  No
// operations that could be fused: what faults leave to the host has none for that.
//
// RUN: %gpu_cc %s %harness -o %t.gpu
// RUN: %ref_cc %s %harness -o %t.ref
// RUN: %run_ref %t.ref
// RUN: %run_gpu %t.gpu 2>&1 | %FileCheck %s
// RUN: cmp %t.ref.dump %t.gpu.dump
// RUN: %run_faults
//
// CHECK-NOT: polygpu: scop through
// CHECK-DAG: polygpu: scop smooth {{.*}} runs=7 declined=0 failed=0
// CHECK-DAG: polygpu: scop known {{.*}} runs=14 declined=0 failed=0
// CHECK-DAG: polygpu: scop move {{.*}} runs=7 declined=0 failed=0
// CHECK-NOT: polygpu: scop through
#include "exec.h"

enum { N = 61, T = 7 };

static double a[T][N], b[N], c[N], d[T][N], fixed[N];
static int next[T + 1];
static int steps[T], twice[2] = {1, 0};

// The second loop is refused, but might not be if more were known.
static int smooth(int n, double *restrict x, const double *restrict y)
{
    for (int i = 1; i < n - 1; i++)
        x[i] += (y[i - 1] - y[i + 1]) / (2 + y[n - 1 - i]);
    int k = 0;
    while (k < n && x[k] * x[k] < 1.75)
        k++;
    return k;
}

static void move(int n, double *restrict x, const double *restrict y, int back)
{
    if (back) {
        for (int i = 0; i < n; i++)
            x[i] = (y[n - 1 - i] - x[i]) * 3;
    } else {
        for (int i = 0; i < n; i++)
            x[i] = y[i] * 0.5;
    }
}

NOINLINE static void through(int n, double (*x)[N], const double *y, const int *list,
                             int *count)
{
    int t = 0;
    do {
        count[t] += smooth(n, x[t], y);
        t = list[t];
    } while (t);
}

static void handing(int n, double *x, const double *y, const int *list, int *count)
{
    int t = 0;
    do {
        count[t] += smooth(n, x, y);
        t = list[t];
    } while (t);
}

NOINLINE static void known(int n, const double *y, const int *list, int *count,
                           const int *often)
{
    int t = 0;
    do {
        handing(n, fixed, y, list, count);
        t = often[t];
    } while (t);
}

NOINLINE static void chooses(int n, double (*x)[N], const double *y, const int *list)
{
    int t = 0;
    do {
        move(n, x[t], y, 1);
        t = list[t];
    } while (t);
}

int main(int argc, char **argv)
{
    harness_start(argc, argv);
    harness_fill(a, T * N, sizeof(double));
    harness_fill(b, N, sizeof(double));
    harness_fill(c, N, sizeof(double));
    harness_fill(d, T * N, sizeof(double));
    harness_fill(fixed, N, sizeof(double));
    for (int t = 0; t < T; t++)
        next[t] = (t + 3) % T;
    through(N, a, b, next, steps);
    known(N - 2, c, next, steps, twice);
    chooses(N, d, c, next);
    dump_double("a", &a[0][0], T * N);
    dump_double("d", &d[0][0], T * N);
    dump_double("fixed", fixed, N);
    for (int t = 0; t < T; t++)
        b[t] = steps[t];
    dump_double("steps", b, T);
    return harness_end();
}
