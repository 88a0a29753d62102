// Time loops on the host: what the loops inside work on is copied to the device
// once, and comes back where the host needs it.
//
// RUN: %ref_cc %s %harness -lm -o %t.ref
// RUN: %run_ref %t.ref > %t.ref.out
// RUN: %gpu_cc %s %harness -lm -o %t.gpu
// RUN: %run_gpu %t.gpu > %t.gpu.out 2> %t.profile
// RUN: cmp %t.ref.dump %t.gpu.dump
// RUN: %run_faults
// RUN: cmp %t.ref.out %t.gpu.out
// RUN: %FileCheck %s < %t.profile
// RUN: %clang_gpu -O3 -I%S/Inputs -I%programs -c %s -o /dev/null \
// RUN:   -Rpass-analysis=gpu-polyhedral 2>&1 | %FileCheck %s --check-prefix=TOLD
//
// In a structure behind a pointer; 40 rows of 38 values are read.  38 times 38
// are written, and come back when the norm is computed, in two of the ten steps:
// both arrays, and one of them again at the end; and one when the other loops
// turn out to need more of it.
// CHECK: scop steps {{.*}} runs=10 declined=0 failed=0 bytes_in=12160 bytes_out=57760 {{.*}} bytes_kept=109440
// CHECK: scop steps {{.*}} runs=10 declined=0 failed=0 bytes_in=12160 bytes_out=11552 {{.*}} bytes_kept=109440
// Each array is the other one's source in turn, and both are parts of one.
// CHECK: scop halves {{.*}} runs=6 declined=0 failed=0 bytes_in=1600 bytes_out=3200 {{.*}} bytes_kept=8000
// A piece of an array whose beginning another loop uses.
// CHECK: scop pieces {{.*}} runs=5 declined=0 failed=0 bytes_in=1600 bytes_out=0 {{.*}} bytes_kept=6400
// CHECK: scop pieces {{.*}} runs=5 declined=0 failed=0 bytes_in=0 bytes_out=1600 {{.*}} bytes_kept=4000
// Only one value of each step is new: it is copied there, and what was there
// comes back alone.
// CHECK: scop boundary {{.*}} runs=6 declined=0 failed=0 bytes_in=1632 bytes_out=1632 {{.*}} bytes_kept=7920
//
// A function is called that writes variables of its own only, and one that
// writes a global one: it reads one element.
// CHECK: scop quiet {{.*}} runs=4 declined=0 failed=0 bytes_in=1600 {{.*}} bytes_kept=4800
// CHECK: scop loud {{.*}} runs=4 declined=0 failed=0 bytes_in=1600 bytes_out=1624 {{.*}} bytes_kept=4800
//
// TOLD: remark: 4 arrays stay on the device from run to run
#include "exec.h"

#include <math.h>
#include <stdio.h>

enum { N = 40, LONG = 200 };

struct grid {
    int n;
    double (*u)[N], (*v)[N];
};

static double a[N][N], b[N][N], line[2 * LONG];

static double norm(const struct grid *g)
{
    double sum = 0;
    for (int i = 0; i < g->n; i++)
        for (int j = 0; j < g->n; j++)
            sum += fabs(g->u[i][j]);
    return sqrt(sum);
}

APART void steps(struct grid *g, int steps)
{
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < N - 1; i++)
            for (int j = 1; j < N - 1; j++)
                g->v[i][j] = (g->u[i - 1][j] + g->u[i + 1][j]) * 0.5;
        if (t % 5 == 4)
            printf("step %d: %.17g\n", t, norm(g));
        for (int i = 1; i < N - 1; i++)
            for (int j = 1; j < N - 1; j++)
                g->u[i][j] = (g->v[i][j - 1] + g->v[i][j + 1]) * 0.5;
    }
}

APART void halves(int steps)
{
    for (int t = 0; t < steps; t++) {
        double *from = line + t % 2 * LONG, *to = line + (1 - t % 2) * LONG;
        for (int i = 0; i < LONG; i++)
            to[i] = from[i] * 0.5 + 1;
        printf("half %d\n", t);
    }
}

APART void pieces(double *x, int steps)
{
    for (int t = 0; t < steps; t++) {
        for (int i = 0; i < LONG; i++)
            x[i] = x[i] * 0.5 + 1;
        printf("whole %d\n", t);
        for (int i = 32; i < 132; i++)
            x[i] = x[i] * 0.25 - 1;
        printf("piece %d\n", t);
    }
}

APART void boundary(double *x, int steps)
{
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < LONG; i++)
            x[i] = x[i] * 0.5 + 1;
        printf("step %d\n", t);
        x[LONG - 1] = t;
    }
}

static double recent, largest;

NOINLINE static double maximum(const double *x, int n)
{
    double both[2] = {x[0], x[1]};
    for (int i = 0; i < n; i++)
        both[x[i] > both[i % 2]] = x[i];
    printf("maximum %.17g\n", both[1]);
    return both[0];
}

APART void quiet(double *x, int steps)
{
    for (int t = 0; t < steps; t++) {
        for (int i = 0; i < LONG; i++)
            x[i] = x[i] * 0.5 + 1;
        recent = maximum(x, LONG);
    }
}

NOINLINE static void remember(const double *x) { largest = x[3] + recent; }

APART void loud(double *x, int steps)
{
    for (int t = 0; t < steps; t++) {
        for (int i = 0; i < LONG; i++)
            x[i] = x[i] * 0.5 + 1;
        remember(x);
    }
}

int main(int argc, char **argv)
{
    struct grid g = {N, a, b};

    harness_start(argc, argv);
    harness_fill(a, N * N, sizeof(double));
    harness_fill(b, N * N, sizeof(double));
    harness_fill(line, 2 * LONG, sizeof(double));
    steps(&g, 10);
    halves(6);
    pieces(line, 5);
    boundary(line, 6);
    quiet(line, 4);
    loud(line, 4);
    dump_double("recent", &recent, 1);
    dump_double("largest", &largest, 1);
    dump_double("a", &a[0][0], N * N);
    dump_double("b", &b[0][0], N * N);
    dump_double("line", line, 2 * LONG);
    return harness_end();
}
