// Arrays whose first element has the number 1, as in C that was made of Fortran:
// the pointer is to one row, or one plane, in front of the array.
//
// RUN: %gpu_cc -mfma %record %s %harness -o %t.gpu
// RUN: %ref_cc %s %harness -o %t.ref
// RUN: %run_ref %t.ref
// RUN: %run_gpu %t.gpu > %t.out 2>&1
// RUN: %shapes
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
// OTHERS-DAG: polygpu: scop last_column {{.*}} runs=3 declined=2 failed=0
// OTHERS-DAG: polygpu: scop planes {{.*}} runs=3 declined=2 failed=0
#include "reach.h"

enum { MOST = 6000 };

static double a[MOST], b[MOST], x[100];

// == one-based: a row in front of the array

SHAPE void last_column(int m, int n, int ld, double *a, double *x)
{
    a -= 1 + ld;
    --x;
    for (int k = 1; k < n; k++) {
        int j = n - k;

        for (int i = 1; i <= m; i++) {
            double t = x[j] * a[i + j * ld] - a[i + n * ld];
            a[i + n * ld] = x[j] * a[i + n * ld] + a[i + j * ld];
            a[i + j * ld] = t;
        }
    }
}

SHAPE void columns(int m, int n, int ld, double *restrict a,
                   const double *restrict b)
{
    a -= 1 + ld;
    b -= 1 + ld;
    for (int j = 1; j <= n; j++)
        for (int i = 1; i <= m; i++)
            a[i + j * ld] += 0.5 * b[i + j * ld];
}

// == one-based: three rows in front of it

SHAPE void third_row(int m, int n, int ld, double *restrict a,
                     const double *restrict b)
{
    a -= 3 * ld;
    b -= 3 * ld;
    for (int j = 3; j < n + 3; j++)
        for (int i = 0; i < m; i++)
            a[i + j * ld] = b[i + j * ld] * b[i + j * ld];
}

// == one-based: a plane, a row and an element

SHAPE void planes(int m, int n, int l, int row, int plane, double *restrict a,
                  const double *restrict b)
{
    a -= 1 + row * (1 + plane);
    b -= 1 + row * (1 + plane);
    for (int k = 1; k <= l; k++)
        for (int j = 1; j <= n; j++)
            for (int i = 1; i <= m; i++)
                a[i + row * (j + plane * k)] += 2 * b[i + row * (j + plane * k)];
}

static void run(int m, int n, int ld)
{
    harness_fill(a, MOST, sizeof *a);
    harness_fill(b, MOST, sizeof *b);
    harness_fill(x, 100, sizeof *x);
    last_column(m, n, ld, a, x);
    dump("last_column", a, sizeof a);
    columns(m, n, ld, a, b);
    dump("columns", a, sizeof a);
    third_row(m, n, ld, a, b);
    dump("third_row", a, sizeof a);
    planes(m, n, 3, ld, n, a, b);
    dump("planes", a, sizeof a);
}

int main(int argc, char **argv)
{
    harness_start(argc, argv);
    run(40, 30, 40);
    run(33, 21, 50);
    run(5, 7, 60);
    if (argc > 1) {
        run(40, 30, 39);
        run(40, 20, 1);
    }
    return harness_end();
}
