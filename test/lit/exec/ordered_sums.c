// Sums and products of floating-point numbers keep their order, and what is added
// is computed for all iterations at once, where that is a loop: by each thread for
// one of them, in the order of the source.
//
// RUN: %gpu_cc -mfma %s %harness -o %t.gpu
// RUN: %ref_cc %s %harness -o %t.ref
// RUN: %run_ref %t.ref
// RUN: %run_gpu %t.gpu 2>&1 | %FileCheck %s
// RUN: cmp %t.ref.dump %t.gpu.dump
// RUN: env POLYGPU=off POLYGPU_DUMP=%t.gpu.dump %t.gpu
// RUN: cmp %t.ref.dump %t.gpu.dump
// RUN: %run_faults
//
// CHECK-DAG: polygpu: scop energy {{.*}} runs=4 declined=0 failed=0
// CHECK-DAG: polygpu: kernel energy_{{.*}} launches=3 grid={{.*}} block=32,8,1
// CHECK-DAG: polygpu: scop squares {{.*}} runs=1 declined=0 failed=0
// CHECK-DAG: polygpu: scop multiplied {{.*}} runs=1 declined=0 failed=0
// CHECK-DAG: polygpu: scop both {{.*}} runs=1 declined=0 failed=0
// CHECK-DAG: polygpu: scop rows {{.*}} runs=1 declined=0 failed=0
// CHECK-DAG: polygpu: scop extremes {{.*}} runs=1 declined=0 failed=0
// CHECK-NOT: polygpu: scop carried
#include "exec.h"

#include <math.h>

enum { N = 301, M = 40 };

static double x[N], q[N], y[N], plane[N * M];
static float f[N * M];

NOINLINE static double energy(int n, const double *x, const double *q)
{
    double e = 0.5;
    for (int i = 0; i < n; i++) {
        double s = 0;
        for (int j = 0; j < n; j++)
            s += q[j] / (1 + (x[i] - x[j]) * (x[i] - x[j]));
        e += q[i] * s;
    }
    return e;
}

NOINLINE static float squares(int n, int m, const float *a)
{
    float total = 0;
    for (int i = 0; i < n; i++) {
        float s = 0;
        for (int j = 0; j < m; j++)
            s += a[i * m + j] * a[i * m + j];
        total -= s / (1 + s);
    }
    return total;
}

NOINLINE static double multiplied(int n, int m, const double *a)
{
    double all = 1;
    for (int i = 0; i < n; i++) {
        double s = 1;
        for (int j = 0; j < m; j++)
            s += a[i * m + j] * 1e-3;
        all *= s;
    }
    return all;
}

// Two results.
NOINLINE static double both(int n, int m, const double *a, double *other)
{
    double sum = 0, most = 1;
    for (int i = 0; i < n; i++) {
        double s = 0, t = 1;
        for (int j = 0; j < m; j++) {
            s += a[i * m + j];
            t += fabs(a[i * m + j]) * 0.01;
        }
        sum += s;
        most *= t;
    }
    *other = most;
    return sum;
}

NOINLINE static double rows(int n, int m, const double *a, double *y)
{
    double total = 0;
    for (int i = 0; i < n; i++) {
        double s = 0;
        for (int j = 0; j < m; j++)
            s += a[i * m + j];
        y[i] = s / m;
        total += y[i];
    }
    return total;
}

NOINLINE static double extremes(int n, int m, const double *a)
{
    double sum = 0;
    for (int i = 0; i < n; i++) {
        double most = a[i * m];
        for (int j = 1; j < m; j++)
            most = a[i * m + j] > most ? a[i * m + j] : most;
        sum += most;
    }
    return sum;
}

// What is added depends on what was added before.
NOINLINE static double carried(int n, int m, const double *a)
{
    double sum = 0.25;
    for (int i = 0; i < n; i++) {
        double s = sum;
        for (int j = 0; j < m; j++)
            s = s * 0.5 + a[i * m + j];
        sum += s;
    }
    return sum;
}

int main(int argc, char **argv)
{
    double results[12];
    int n = 0;

    harness_start(argc, argv);
    harness_fill(x, N, sizeof *x);
    harness_fill(q, N, sizeof *q);
    harness_fill(plane, N * M, sizeof *plane);
    harness_fill(f, N * M, sizeof *f);
    poison(results, sizeof results);
    poison(y, sizeof y);
    results[n++] = energy(N, x, q);
    results[n++] = energy(0, x, q);
    results[n++] = energy(1, x, q);
    results[n++] = energy(N - 13, x + 13, q);
    results[n++] = (double)squares(N, M, f);
    results[n++] = multiplied(N, M, plane);
    results[n] = both(N, M, plane, &results[n + 1]);
    n += 2;
    results[n++] = rows(N, M, plane, y);
    results[n++] = extremes(N, M, plane);
    results[n++] = carried(N, M, plane);
    dump("results", results, sizeof results);
    dump("y", y, sizeof y);
    return harness_end();
}
