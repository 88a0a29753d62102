// What is copied of rows of constant length in arrays of one dimension, and of
// structures in rows: all, some of each, over the ends of rows, backwards and
// with a stride.  What is beside it stays as it was.
//
// RUN: %gpu_cc -mfma %s %harness -o %t.gpu
// RUN: %ref_cc %s %harness -o %t.ref
// RUN: %run_ref %t.ref
// RUN: %run_gpu %t.gpu 2>&1 | %FileCheck %s
// RUN: cmp %t.ref.dump %t.gpu.dump
//
// CHECK-DAG: scop inner {{.*}} runs=2 declined=0 failed=0
// CHECK-DAG: scop whole {{.*}} runs=2 declined=0 failed=0
// CHECK-DAG: scop across {{.*}} runs=2 declined=0 failed=0
// CHECK-DAG: scop backwards {{.*}} runs=2 declined=0 failed=0
// CHECK-DAG: scop strided {{.*}} runs=2 declined=0 failed=0
// CHECK-DAG: scop planes {{.*}} runs=2 declined=0 failed=0
// CHECK-DAG: scop fields {{.*}} runs=2 declined=0 failed=0
#include "exec.h"

enum { ROWS = 14, ROW = 40, ALL = ROWS * ROW, COLUMNS = 9 };

struct cell {
    double x, y, unused, z;
};

static double a[ALL], b[ALL];
static struct cell cells[ROWS][COLUMNS];

NOINLINE static void inner(int n, const double *restrict a, double *restrict b)
{
    for (int i = 0; i < n; i++)
        for (int j = 3; j < 37; j++)
            b[i * ROW + j] = 2 * a[i * ROW + j] + b[i * ROW + j];
}

NOINLINE static void whole(int n, const double *restrict a, double *restrict b)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < ROW; j++)
            b[i * ROW + j] = 2 * a[i * ROW + j] + b[i * ROW + j];
}

NOINLINE static void across(int n, const double *restrict a, double *restrict b)
{
    for (int i = 0; i < n - 1; i++)
        for (int j = 30; j < 60; j++)
            b[i * ROW + j] = 2 * a[i * ROW + j - 20];
}

NOINLINE static void backwards(int n, const double *restrict a,
                               double *restrict b)
{
    for (int i = n - 1; i >= 0; i--)
        for (int j = 35; j > 1; j--)
            b[i * ROW + j] = 2 * a[ALL - 1 - i * ROW - j] + b[i * ROW + j];
}

NOINLINE static void strided(int n, const double *restrict a,
                             double *restrict b)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < 13; j++)
            b[i * ROW + 3 * j] = 2 * a[i * ROW + 2 * j + 1];
}

NOINLINE static void planes(int n, const double *restrict a, double *restrict b)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < 3; j++)
            for (int k = 1; k < 7; k++)
                b[i * 2 * ROW + j * 8 + k] = 2 * a[i * 2 * ROW + j * 8 + k];
}

NOINLINE static void fields(int n, struct cell (*restrict c)[COLUMNS])
{
    for (int i = 0; i < n; i++)
        for (int j = 1; j < COLUMNS - 1; j++) {
            c[i][j].x = 2 * c[i][j].x + 1;
            c[i][j].y = 3 * c[i][j].y;
            c[i][j].z = c[i][j].z - i;
        }
}

static void run(int n)
{
    void (*const each[])(int, const double *, double *) = {
        inner, whole, across, backwards, strided, planes};

    for (int f = 0; f < 6; f++) {
        harness_fill(a, ALL, sizeof *a);
        harness_fill(b, ALL, sizeof *b);
        each[f](f == 5 ? n / 2 : n, a, b);
        harness_dump("a", a, ALL, sizeof *a);
        harness_dump("b", b, ALL, sizeof *b);
    }
    harness_fill(cells, sizeof cells / sizeof(double), sizeof(double));
    fields(n, cells);
    harness_dump("cells", cells, sizeof cells / sizeof(double), sizeof(double));
}

int main(int argc, char **argv)
{
    harness_start(argc, argv);
    run(ROWS);
    run(5);
    return harness_end();
}
