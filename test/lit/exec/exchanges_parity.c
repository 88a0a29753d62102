// Time loops that choose their arrays by the number of the step, t % 2 ? a : b: all
// steps are one nest, as where pointers change places; where that number begins at
// a parameter, or something else happens in a step, each sweep is a nest.
//
// RUN: %gpu_cc -mfma -mllvm -gpu-time=off %s %harness -o %t.gpu
// RUN: %ref_cc %s %harness -o %t.ref
// RUN: %run_ref %t.ref
// RUN: %run_gpu %t.gpu 2>&1 | %FileCheck %s
// RUN: cmp %t.ref.dump %t.gpu.dump
// RUN: env POLYGPU_SEED=7 POLYGPU_DUMP=%t.ref.dump %t.ref others
// RUN: env POLYGPU_SEED=7 POLYGPU_DUMP=%t.gpu.dump POLYGPU_COST=off \
// RUN:     POLYGPU_PROFILE=lines POLYGPU_DEBUG=1 POLYGPU_DEVICE=emulated \
// RUN:     %t.gpu others 2>&1 | %FileCheck %s --check-prefix=OTHERS
// RUN: cmp %t.ref.dump %t.gpu.dump
//
// Seven steps: three pairs, and one that is left.
// CHECK-DAG: scop halves {{.*}} runs=1 declined=0 failed=0
// CHECK-DAG: kernel halves_{{[0-9]+}}_0 {{.*}}launches=3
// CHECK-DAG: kernel halves_{{[0-9]+}}_1 {{.*}}launches=3
// CHECK-DAG: kernel halves_{{[0-9]+}}_2 {{.*}}launches=1
// CHECK-DAG: scop bits {{.*}} runs=1 declined=0 failed=0
// CHECK-DAG: scop planes {{.*}} runs=1 declined=0 failed=0
// CHECK-DAG: kernel planes_{{[0-9]+}}_0 {{.*}}launches=3
// CHECK-DAG: scop thirds {{.*}} runs=1 declined=0 failed=0
// CHECK-DAG: kernel thirds_{{[0-9]+}}_0 {{.*}}launches=2
// CHECK-DAG: scop locals {{.*}} runs=1 declined=0 failed=0
// CHECK-DAG: scop read_only {{.*}} runs=1 declined=0 failed=0
//
// Each sweep by itself.
// CHECK-DAG: scop begins {{.*}} runs=7 declined=0 failed=0
// CHECK-DAG: kernel begins_{{.*}} launches=7
// CHECK-DAG: scop header {{.*}} runs=7 declined=0 failed=0
// CHECK-DAG: scop of_array {{.*}} runs=7 declined=0 failed=0
// CHECK-DAG: scop until {{.*}} runs=7 declined=0 failed=0
// CHECK-DAG: scop downwards {{.*}} runs=7 declined=0 failed=0
//
// Arrays that are the same or overlap, no steps, one step, no elements.
// OTHERS-DAG: halves {{.*}} not offloaded: 'b', 'a' overlap each other
// OTHERS-DAG: scop halves {{.*}} runs=2 declined=2 failed=0
#include "exec.h"

#include <stdlib.h>

enum { N = 900, ROW = 30, STEPS = 7 };

NOINLINE static void halves(int n, int steps, double *a, double *b)
{
    for (int t = 0; t < steps; t++) {
        double *s = t % 2 ? a : b, *d = t % 2 ? b : a;

        for (int i = 1; i < n - 1; i++)
            d[i] = 0.25 * (s[i - 1] + s[i] + s[i + 1]);
    }
}

NOINLINE static void bits(int n, int steps, double *a, double *b)
{
    for (int t = 1; t <= steps; t++) {
        double *s, *d;

        if (t & 1)
            s = a, d = b;
        else
            s = b, d = a;
        for (int i = 1; i < n - 1; i++)
            d[i] = 0.5 * (s[i - 1] + s[i + 1]);
        for (int i = 1; i < n - 1; i++)
            s[i] += d[i];
    }
}

NOINLINE static void planes(int n, int m, int steps, double *restrict a,
                            double *restrict b)
{
    for (int t = 0; t < steps; t++) {
        double(*s)[m] = (void *)(t % 2 == 0 ? a : b);
        double(*d)[m] = (void *)(t % 2 == 0 ? b : a);

        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++)
                d[i][j] = 0.25 * (s[i - 1][j] + s[i + 1][j] + s[i][j - 1] +
                                  s[i][j + 1]);
    }
}

NOINLINE static void thirds(int n, int steps, double *a, double *b, double *c)
{
    for (int t = 0; t < steps; t++) {
        double *s = t % 3 == 0 ? a : t % 3 == 1 ? b : c;
        double *d = t % 3 == 0 ? b : t % 3 == 1 ? c : a;

        for (int i = 1; i < n - 1; i++)
            d[i] = 0.25 * (s[i - 1] + s[i] + s[i + 1]);
    }
}

NOINLINE static double locals(int n, int steps, const double *from)
{
    double *a = malloc((size_t)n * sizeof *a), *b = malloc((size_t)n * sizeof *b);
    double last;

    for (int i = 0; i < n; i++)
        a[i] = b[i] = from[i];
    for (int t = 0; t < steps; t++) {
        double *s = t % 2 ? a : b, *d = t % 2 ? b : a;

        for (int i = 1; i < n - 1; i++)
            d[i] = 0.25 * (s[i - 1] + s[i] + s[i + 1]);
    }
    last = a[n / 2] + b[n / 3];
    free(a);
    free(b);
    return last;
}

NOINLINE static void read_only(int n, int steps, const double *a,
                               const double *b, double *c)
{
    for (int t = 0; t < steps; t++) {
        const double *s = t % 2 ? a : b;

        for (int i = 0; i < n; i++)
            c[i] += s[i];
    }
}

/* From a number that may be negative on, where t % 2 may be -1. */
NOINLINE static void begins(int n, int first, int steps, double *a, double *b)
{
    for (int t = first; t < first + steps; t++) {
        double *s = t % 2 == 1 ? a : b, *d = t % 2 == 1 ? b : a;

        for (int i = 1; i < n - 1; i++)
            d[i] = 0.25 * (s[i - 1] + s[i] + s[i + 1]);
    }
}

NOINLINE static void header(int n, int steps, double *a, double *b)
{
    double *s, *d;

    for (int t = 0; s = t % 2 ? a : b, d = t % 2 ? b : a, t < steps; t++)
        for (int i = 1; i < n - 1; i++)
            d[i] = 0.25 * (s[i - 1] + s[i] + s[i + 1]);
}

NOINLINE static void of_array(int n, int steps, double **both)
{
    for (int t = 0; t < steps; t++)
        for (int i = 1; i < n - 1; i++)
            both[(t + 1) % 2][i] = 0.5 * (both[t % 2][i - 1] + both[t % 2][i]);
}

NOINLINE static void until(int n, int steps, double *a, double *b, double least)
{
    for (int t = 0; t < steps; t++) {
        double *s = t % 2 ? a : b, *d = t % 2 ? b : a;

        for (int i = 1; i < n - 1; i++)
            d[i] = 0.25 * (s[i - 1] + s[i] + s[i + 1]);
        if (d[5] < least)
            break;
    }
}

NOINLINE static void downwards(int n, int steps, double *a, double *b)
{
    for (int t = steps - 1; t >= 0; t--) {
        double *s = t % 2 ? a : b, *d = t % 2 ? b : a;

        for (int i = 1; i < n - 1; i++)
            d[i] = 0.25 * (s[i - 1] + s[i] + s[i + 1]);
    }
}

static void whole(double *a)
{
    double *b = a + N, *c = b + N, last;
    double *both[2] = {b, c};

    halves(N, STEPS, a, b);
    dump("halves", a, 3 * N * sizeof *a);
    bits(N, STEPS, a, b);
    dump("bits", a, 3 * N * sizeof *a);
    planes(ROW, N / ROW, STEPS, b, c);
    dump("planes", a, 3 * N * sizeof *a);
    thirds(N, STEPS, a, b, c);
    dump("thirds", a, 3 * N * sizeof *a);
    last = locals(N, STEPS, a);
    dump("locals", &last, sizeof last);
    read_only(N, STEPS, a, b, c);
    dump("read_only", a, 3 * N * sizeof *a);
    begins(N, -3, STEPS, a, b);
    dump("begins", a, 3 * N * sizeof *a);
    header(N, STEPS, a, b);
    of_array(N, STEPS, both);
    dump("of_array", a, 3 * N * sizeof *a);
    until(N, STEPS, a, c, -1e6); /* which no sum here reaches */
    downwards(N, STEPS, b, c);
    dump("downwards", a, 3 * N * sizeof *a);
}

static void otherwise(double *a)
{
    double *b = a + N;

    halves(N, STEPS, a, a);
    dump("same", a, 3 * N * sizeof *a);
    halves(N, STEPS, a + 1, a);
    dump("next", a, 3 * N * sizeof *a);
    halves(N, 0, a, b);
    halves(2, STEPS, a, b);
    dump("nothing", a, 3 * N * sizeof *a);
    halves(N, 1, a, b);
    dump("one", a, 3 * N * sizeof *a);
    halves(N, 2, a, b);
    dump("two", a, 3 * N * sizeof *a);
    begins(N, 1, STEPS, a, a + 3);
    until(N, STEPS, a, a + N - 1, 0.1);
    planes(ROW, N / ROW, 0, a, b);
    dump("rest", a, 3 * N * sizeof *a);
}

int main(int argc, char **argv)
{
    double *a = malloc(3 * N * sizeof *a);

    harness_start(argc, argv);
    harness_fill(a, 3 * N, sizeof *a);
    if (argc > 1)
        otherwise(a);
    else
        whole(a);
    return harness_end();
}
