// Loops that follow each other are one SCoP where their bound was read from
// memory that they could change: together they show that the array has rows of
// n, alone the second one could not be told from one that reads what it wrote.
//
// RUN: %gpu_cc %s %harness -o %t.gpu
// RUN: %ref_cc %s %harness -o %t.ref
// RUN: %run_ref %t.ref
// RUN: %run_gpu %t.gpu 2>&1 | %FileCheck %s
// RUN: cmp %t.ref.dump %t.gpu.dump
//
// CHECK: polygpu: scop edges {{.*}} runs=1 declined=0 failed=0
// All four statements read the array, of which they write other elements.
// CHECK-NEXT: polygpu: kernel edges_{{.*}} launches=1
// CHECK-NOT: polygpu: {{scop|kernel}}
#include "exec.h"

enum { N = 43 };

struct plate {
    int n;
    double *cells;
};

static double cells[N * N];
static struct plate plate = {N, cells};

NOINLINE static void edges(struct plate *p)
{
    int n = p->n;
    double *a = p->cells;

    for (int i = 1; i < n - 1; i++) {
        a[i * n] = a[i * n + 1];
        a[i * n + n - 1] = a[i * n + n - 2];
    }
    for (int j = 1; j < n - 1; j++) {
        a[j] = a[n + j];
        a[(n - 1) * n + j] = a[(n - 2) * n + j];
    }
}

int main(int argc, char **argv)
{
    harness_start(argc, argv);
    for (int i = 0; i < N * N; i++)
        cells[i] = harness_random();
    edges(&plate);
    dump("cells", cells, sizeof cells);
    return harness_end();
}
