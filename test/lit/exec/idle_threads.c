// Conditions like i % 2 == 0 leave out values of a parallel loop: each thread
// gets a cell of the values, so that none of a block has nothing to do, and the
// statements of all remainders are one kernel where nothing orders them.  The
// grids say how many threads there are.  Near twins stay as they are: a
// statement that runs everywhere, remainders of 2 and 3, what one remainder
// needs of the other, and diagonals of which each fifth runs.
//
// RUN: %gpu_cc -mllvm -gpu-time=off %s %harness -o %t.gpu
// RUN: %ref_cc %s %harness -o %t.ref
// RUN: %run_ref %t.ref 0 0
// RUN: %run_gpu %t.gpu 0 0 2>&1 | %FileCheck --check-prefix=NONE %s
// RUN: cmp %t.ref.dump %t.gpu.dump
// RUN: %run_ref %t.ref 1 3
// RUN: %run_gpu %t.gpu 1 3
// RUN: cmp %t.ref.dump %t.gpu.dump
// RUN: %run_ref %t.ref 2 1
// RUN: %run_gpu %t.gpu 2 1
// RUN: cmp %t.ref.dump %t.gpu.dump
// RUN: %run_ref %t.ref 130 66
// RUN: %run_gpu POLYGPU_CHAIN=off %t.gpu 130 66 2>&1 | %FileCheck %s
// RUN: cmp %t.ref.dump %t.gpu.dump
// RUN: %run_ref %t.ref 131 65
// RUN: %run_gpu POLYGPU_CHAIN=off %t.gpu 131 65 2>&1 | %FileCheck %s
// RUN: cmp %t.ref.dump %t.gpu.dump
//
// NONE-NOT: launches={{[1-9]}}
// CHECK: kernel points_{{[0-9]+}}_0 {{.*}} launches=1 grid=2,3,1 block=32,8,1
// CHECK-NOT: kernel points
// CHECK: kernel some_{{[0-9]+}}_0 {{.*}} launches=1 grid=17,1,1 block=256,1,1
// CHECK-NOT: kernel some
// CHECK: kernel all_{{[0-9]+}}_0 {{.*}} launches=1 grid=17,1,1 block=256,1,1
// CHECK-NOT: kernel all_
// CHECK: kernel cells_{{[0-9]+}}_0 {{.*}} launches=1 grid=2,3,1 block=32,8,1
// CHECK-NOT: kernel cells
// CHECK: kernel rows_{{[0-9]+}}_0 {{.*}} launches=1 grid=3,2,1 block=32,8,1
// CHECK-NOT: kernel rows
// CHECK: kernel down_{{[0-9]+}}_0 {{.*}} launches=1 grid=17,1,1 block=256,1,1
// CHECK-NOT: kernel down
// CHECK: kernel across_{{[0-9]+}}_0 {{.*}} launches=1 grid=2,3,1 block=32,8,1
// CHECK-NOT: kernel across
// CHECK: kernel triangle_{{[0-9]+}}_0 {{.*}} launches=1 grid=1,2,1 block=32,8,1
// CHECK-NOT: kernel triangle
// CHECK: kernel board_{{[0-9]+}}_0 {{.*}} launches=5 grid=1,2,1 block=32,8,1
// CHECK: kernel board_{{[0-9]+}}_1 {{.*}} launches=5 grid=1,2,1 block=32,8,1
// CHECK-NOT: kernel board
// CHECK: kernel everywhere_{{[0-9]+}}_0 {{.*}} launches=1 grid=17,1,1 block=256
// CHECK: kernel everywhere_{{[0-9]+}}_1 {{.*}} launches=1 grid=34,1,1 block=256
// CHECK-NOT: kernel everywhere
// CHECK: kernel needed_{{[0-9]+}}_0 {{.*}} launches=1 grid=17,1,1 block=256
// CHECK: kernel needed_{{[0-9]+}}_1 {{.*}} launches=1 grid=17,1,1 block=256
// CHECK-NOT: kernel needed
// CHECK: kernel diagonals_{{[0-9]+}}_0 {{.*}} launches=1 grid=3,5,1 block=32,8
// CHECK-NOT: kernel diagonals
#include "exec.h"

#include <stdlib.h>

enum { N = 140, M = 80 };

static double in[N * M], a[N * M], b[N * M];

// Clang joins the first condition to ((i | j) & 1) == 0.
NOINLINE static void points(int n, int m, double in[restrict n][m],
                            double a[restrict n][m], double b[restrict n][m])
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            if (i % 2 == 0 && j % 2 == 0)
                a[i][j] = in[i][j] * 2;
            else if (i % 2 == 0)
                b[i][j] = in[i][j] * 3;
            else if (j % 2 == 0)
                b[i][j] = in[i][j] * 4;
            else
                a[i][j] = in[i][j] * 5;
}

NOINLINE static void some(int n, double *restrict in, double *restrict a)
{
    for (int i = 0; i < n; i++)
        if (i % 2 == 0)
            a[i] = in[i] * 2;
}

NOINLINE static void all(int n, double *restrict in, double *restrict a)
{
    for (int i = 0; i < n; i++)
        if (i % 2 == 0)
            a[i] = in[i] * 2;
        else
            a[i] = in[i] - 3;
}

NOINLINE static void cells(int n, int m, double in[restrict n][m],
                           double a[restrict n][m], double b[restrict n][m])
{
    for (int i = 0; i < n; i++)
        if (i % 2 == 0) {
            for (int j = 0; j < m; j++)
                if (j % 2 == 0)
                    a[i][j] = in[i][j] * 2;
                else
                    b[i][j] = in[i][j] * 3;
        } else {
            for (int j = 0; j < m; j++)
                if (j % 2 == 0)
                    b[i][j] = in[i][j] * 4;
                else
                    a[i][j] = in[i][j] * 5;
        }
}

NOINLINE static void rows(int n, int m, double in[restrict n][m],
                          double a[restrict n][m])
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            if (i % 3 == 1)
                a[i][j] = in[i][j] + 1;
}

NOINLINE static void down(int n, double *restrict in, double *restrict a)
{
    for (int i = n - 1; i >= 0; i--)
        if (i % 2 == 0)
            a[i] = in[i] * 3;
}

// The loop outside is the one along rows.
NOINLINE static void across(int n, int m, double in[restrict n][m],
                            double a[restrict n][m])
{
    for (int j = 0; j < m; j++)
        for (int i = 0; i < n; i++)
            if (i % 2 == 1)
                if (j % 2 == 0)
                    a[i][j] = in[i][j] + 5;
}

NOINLINE static void triangle(int n, int m, double in[restrict n][m],
                              double a[restrict n][m])
{
    for (int i = 0; i < m; i++)
        for (int j = 0; j <= i; j++)
            if (j % 3 == 2)
                a[i][j] = in[i][j] - 1;
}

// Red and black points by turns.
NOINLINE static void board(int n, int m, double a[restrict n][m])
{
    for (int t = 0; t < 5; t++) {
        for (int i = 1; i < m - 1; i++)
            for (int j = 1; j < m - 1; j++)
                if ((i + j) % 2 == 0)
                    a[i][j] = (a[i - 1][j] + a[i + 1][j] + a[i][j - 1] +
                               a[i][j + 1]) *
                              0.25;
        for (int i = 1; i < m - 1; i++)
            for (int j = 1; j < m - 1; j++)
                if ((i + j) % 2 == 1)
                    a[i][j] = (a[i - 1][j] + a[i + 1][j] + a[i][j - 1] +
                               a[i][j + 1]) *
                              0.25;
    }
}

NOINLINE static void everywhere(int n, double *restrict in, double *restrict a,
                                double *restrict b)
{
    for (int i = 0; i < n; i++) {
        b[i] = in[i];
        if (i % 2 == 0)
            a[i] = in[i] * 2;
        if (i % 3 == 1)
            a[i] = in[i] * 3;
    }
}

NOINLINE static void needed(int n, double *restrict a)
{
    for (int i = 1; i < n - 1; i++)
        if (i % 2 == 1)
            a[i] = (a[i - 1] + a[i + 1]) * 0.5;
    for (int i = 1; i < n - 1; i++)
        if (i % 2 == 0)
            a[i] = (a[i - 1] + a[i + 1]) * 0.5;
}

NOINLINE static void diagonals(int n, int m, double in[restrict n][m],
                               double a[restrict n][m])
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            if ((i + j) % 5 == 3)
                a[i][j] = in[i][j] + 7;
}

HOST void outputs(void)
{
    poison(a, sizeof a);
    poison(b, sizeof b);
}

HOST void results(const char *name)
{
    dump(name, a, sizeof a);
    dump(name, b, sizeof b);
}

int main(int argc, char **argv)
{
    int n, m;

    harness_start(argc, argv);
    n = atoi(argv[1]);
    m = atoi(argv[2]);
    harness_fill(in, N * M, sizeof *in);
    outputs();
    points(n, m, (void *)in, (void *)a, (void *)b);
    results("points");
    outputs();
    some(n * m, in, a);
    results("some");
    outputs();
    all(n * m, in, a);
    results("all");
    outputs();
    cells(n, m, (void *)in, (void *)a, (void *)b);
    results("cells");
    outputs();
    rows(n, m, (void *)in, (void *)a);
    results("rows");
    outputs();
    down(n * m, in, a);
    results("down");
    outputs();
    across(n, m, (void *)in, (void *)a);
    results("across");
    outputs();
    if (m <= n)
        triangle(n, m, (void *)in, (void *)a);
    results("triangle");
    harness_fill(a, N * M, sizeof *a);
    if (m <= n)
        board(n, m, (void *)a);
    results("board");
    outputs();
    everywhere(n * m, in, a, b);
    results("everywhere");
    harness_fill(a, N * M, sizeof *a);
    needed(n * m, a);
    results("needed");
    outputs();
    diagonals(n, m, (void *)in, (void *)a);
    results("diagonals");
    return harness_end();
}
