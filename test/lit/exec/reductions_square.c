// Results over squares and cubes: the outer loop has decided that the inner one
// runs, and the branch that asks once more is no obstacle.
//
// RUN: %gpu_cc -ffp-contract=off -Rpass=gpu-polyhedral %s %harness -lm -o %t.gpu 2>&1 \
// RUN:   | %FileCheck --check-prefix=REMARK %s
// RUN: %ref_cc -ffp-contract=off %s %harness -lm -o %t.ref
// RUN: %run_ref %t.ref
// RUN: %run_gpu %t.gpu 2>&1 | %FileCheck %s
// RUN: cmp %t.ref.dump %t.gpu.dump
// RUN: %run_auto POLYGPU_FAULT=launch:1+ %t.gpu
// RUN: cmp %t.ref.dump %t.gpu.dump
//
// REMARK: 2 parallel dimensions
// REMARK: 2 parallel dimensions
// REMARK: 2 parallel dimensions
// REMARK: 2 parallel dimensions
// CHECK-DAG: polygpu: scop sum {{.*}} runs=5 declined=0 failed=0
// CHECK-DAG: polygpu: scop norm {{.*}} runs=5 declined=0 failed=0
// CHECK-DAG: polygpu: scop largest {{.*}} runs=5 declined=0 failed=0
// CHECK-DAG: polygpu: scop parity {{.*}} runs=5 declined=0 failed=0
#include "exec.h"
#include <math.h>

enum { N = 41, SIZES = 5 };

static const int sizes[SIZES] = {0, 2, 1, 7, N};

static int a[N * N], sums[SIZES];
static unsigned c[N * N * N], parities[SIZES];
static double x[N * N], norms[SIZES], largests[SIZES];

NOINLINE static int sum(int n, const int *from)
{
    int s = 0;

    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            s += from[i * n + j];
    return s;
}

NOINLINE static double norm(int n, const double *from)
{
    double most = 0;

    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            most = fmax(most, fabs(from[i * n + j]));
    return most;
}

NOINLINE static double largest(int n, const double *from)
{
    double most = 0;

    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            double value = fabs(from[i * n + j]);

            if (value > most)
                most = value;
        }
    return most;
}

NOINLINE static unsigned parity(int n, const unsigned *from)
{
    unsigned bits = 0;

    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            for (int k = 0; k < n; k++)
                bits ^= from[(i * n + j) * n + k];
    return bits;
}

int main(int argc, char **argv)
{
    harness_start(argc, argv);
    harness_fill(x, N * N, sizeof *x);
    for (int i = 0; i < N * N; i++)
        a[i] = (int)(1e6 * x[i]);
    for (int i = 0; i < N * N * N; i++)
        c[i] = (unsigned)a[i % (N * N)] * 2654435761u + (unsigned)i;
    for (int s = 0; s < SIZES; s++) {
        sums[s] = sum(sizes[s], a);
        norms[s] = norm(sizes[s], x);
        largests[s] = largest(sizes[s], x);
        parities[s] = parity(sizes[s], c);
    }
    dump("sums", sums, sizeof sums);
    dump("norms", norms, sizeof norms);
    dump("largests", largests, sizeof largests);
    dump("parities", parities, sizeof parities);
    return harness_end();
}
