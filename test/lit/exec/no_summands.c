// A sum in a variable, which Polly keeps in the array that it goes to: what it is
// without summands is a statement of its own, for these sizes alone.  Each call
// is one launch, with summands or without.
//
// RUN: %gpu_cc %s %harness -o %t.gpu
// RUN: %ref_cc %s %harness -o %t.ref
// RUN: %run_ref %t.ref 37 0
// RUN: %run_gpu %t.gpu 37 0 2>&1 | %FileCheck %s
// RUN: cmp %t.ref.dump %t.gpu.dump
// RUN: %run_ref %t.ref 1 1
// RUN: %run_gpu %t.gpu 1 1 2>&1 | %FileCheck %s
// RUN: cmp %t.ref.dump %t.gpu.dump
// RUN: %run_ref %t.ref 37 143
// RUN: %run_gpu %t.gpu 37 143 2>&1 | %FileCheck %s
// RUN: cmp %t.ref.dump %t.gpu.dump
//
// CHECK: polygpu: scop rows {{.*}} runs=1 declined=0 failed=0
// CHECK-DAG: polygpu: kernel rows_{{.*}} launches=1 grid
// CHECK-DAG: polygpu: kernel rows_{{.*}} launches=0 grid
#include "exec.h"

#include <stdlib.h>

enum { N = 40, M = 150 };

static float a[N * M], x[M], y[N];

NOINLINE static void rows(int n, int m, float a[n][m], float *x, float *y)
{
    for (int i = 0; i < n; i++) {
        float sum = 0;

        for (int j = 0; j < m; j++)
            sum += a[i][j] * x[j];
        y[i] = sum;
    }
}

int main(int argc, char **argv)
{
    harness_start(argc, argv);
    harness_fill(a, N * M, sizeof *a);
    harness_fill(x, M, sizeof *x);
    poison(y, sizeof y);
    rows(atoi(argv[1]), atoi(argv[2]), (void *)a, x, y);
    dump("y", y, sizeof y);
    return harness_end();
}
