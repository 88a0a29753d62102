// Two rows of one array in a single loop: parallel where they are the same one or
// share nothing, which the run-time condition asks for.
//
// RUN: %gpu_cc -mfma %record %s %harness -o %t.gpu
// RUN: %ref_cc %s %harness -o %t.ref
// RUN: %run_ref %t.ref
// RUN: %run_gpu %t.gpu > %t.out 2>&1
// RUN: %shapes
// RUN: %FileCheck %s < %t.out
// RUN: cmp %t.ref.dump %t.gpu.dump
//
// Rows that overlap are for the original loops.
// RUN: env POLYGPU_SEED=7 POLYGPU_DUMP=%t.ref.dump %t.ref others
// RUN: env POLYGPU_SEED=7 POLYGPU_DUMP=%t.gpu.dump POLYGPU_COST=off \
// RUN:     POLYGPU_PROFILE=lines POLYGPU_DEVICE=emulated %t.gpu others \
// RUN:     > %t.out 2>&1
// RUN: cmp %t.ref.dump %t.gpu.dump
// RUN: %FileCheck --check-prefix=OTHERS %s < %t.out
//
// CHECK: polygpu: kernel
// OTHERS-DAG: polygpu: scop turned {{.*}} runs=7 declined=5 failed=0
// OTHERS-DAG: polygpu: scop moved {{.*}} runs=7 declined=5 failed=0
#include "reach.h"

struct matrix {
    unsigned long rows, columns, row;
    double *data;
};

enum { MOST = 4000 };

static double a[MOST];

// == run-time conditions: two rows of one array

SHAPE void turned(struct matrix *m, unsigned long n, unsigned long i,
                  unsigned long j, double c, double s)
{
    for (unsigned long k = 0; k < n; k++) {
        double x = m->data[i * m->row + k], y = m->data[j * m->row + k];
        m->data[i * m->row + k] = x * c - y * s;
        m->data[j * m->row + k] = x * s + y * c;
    }
}

SHAPE void halfway(int n, int row, double *a, int i, int to)
{
    for (int k = 0; k < n; k++)
        a[i * row + k] = 0.5 * (a[i * row + k] + a[to * row + k]);
}

SHAPE void moved(int n, double *a, int from, int to)
{
    for (int k = 0; k < n; k++) {
        double t = a[from + k];
        a[from + k] = a[to + k] + 1;
        a[to + k] = t;
    }
}

static void run(int n, int row, int i, int j)
{
    struct matrix m = {20, (unsigned long)n, (unsigned long)row, a};

    harness_fill(a, MOST, sizeof *a);
    turned(&m, (unsigned long)n, (unsigned long)i, (unsigned long)j, 0.6, 0.8);
    dump("turned", a, sizeof a);
    halfway(n, row, a, i, j);
    dump("halfway", a, sizeof a);
    moved(n, a, i * row, j * row);
    dump("moved", a, sizeof a);
}

int main(int argc, char **argv)
{
    harness_start(argc, argv);
    run(100, 100, 3, 5);
    run(100, 130, 7, 2);
    run(33, 40, 4, 4);
    run(1, 1, 2, 3);
    run(1, 0, 2, 3);
    run(64, 64, 1, 0);
    run(0, 1, 1, 2);
    if (argc > 1) {
        run(100, 99, 3, 2);
        run(100, 1, 3, 5);
        run(100, 50, 3, 4);
        run(2, 1, 6, 5);
        run(40, 13, 1, 4);
        run(40, 0, 1, 4);
    }
    return harness_end();
}
