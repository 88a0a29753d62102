// Parallel loops that are short, or more than three: short ones and those around
// are one loop for the threads, where these would have nothing to do otherwise, so
// that blocks are full; the grids and blocks say how many there are.  Near twins
// stay as they are: loops that are long, a length that depends on parameters.
//
// RUN: %gpu_cc %s %harness -o %t.gpu
// RUN: %ref_cc %s %harness -o %t.ref
// RUN: %run_ref %t.ref 0
// RUN: %run_gpu %t.gpu 0
// RUN: cmp %t.ref.dump %t.gpu.dump
// RUN: %run_ref %t.ref 1
// RUN: %run_gpu %t.gpu 1
// RUN: cmp %t.ref.dump %t.gpu.dump
// RUN: %run_ref %t.ref 13
// RUN: %run_gpu %t.gpu 13 2>&1 | %FileCheck %s
// RUN: cmp %t.ref.dump %t.gpu.dump
//
// 6561 points are 26 blocks.
// CHECK: kernel nines_{{[0-9]+}}_0 {{.*}} launches=1 grid=26,1,1 block=256,1,1
// CHECK-NOT: kernel nines
// 65 in x, two of 8 in y, four of 4 in z.
// CHECK: kernel fives_{{[0-9]+}}_0 {{.*}} launches=1 grid=3,2,4 block=32,4,4
// CHECK-NOT: kernel fives
// CHECK: kernel inner_{{[0-9]+}}_0 {{.*}} launches=1 grid=3,2,4 block=32,4,4
// CHECK-NOT: kernel inner
// Two rows for each of 5 threads.
// CHECK: kernel rows_{{[0-9]+}}_0 {{.*}} launches=1 grid=6,1,1 block=32,5,1
// CHECK-NOT: kernel rows
// CHECK: kernel steps_{{[0-9]+}}_0 {{.*}} launches=1 grid=4,1,1 block=256,1,1
// CHECK: kernel steps_{{[0-9]+}}_1 {{.*}} launches=1 grid=1,1,2 block=7,7,4
// CHECK-NOT: kernel steps
// CHECK: kernel longer_{{[0-9]+}}_0 {{.*}} launches=1 grid=4,2,4 block=32,4,4
// CHECK-NOT: kernel long
#include "exec.h"

#include <stdlib.h>

enum { N = 13 };

static double in[N * N * 500], a[N * N * 500], b[N * N * 500];

NOINLINE static void nines(double in[restrict 9][9][9][9],
                           double a[restrict 9][9][9][9])
{
    for (int j = 0; j < 9; j++)
        for (int k = 0; k < 9; k++)
            for (int l = 0; l < 9; l++)
                for (int m = 0; m < 9; m++)
                    a[j][k][l][m] = in[k][j][l][8 - m] * 3;
}

// The equations of a point, as in programs of fluid dynamics.
NOINLINE static void fives(int n, double in[restrict n][n][n][5],
                           double a[restrict n][n][n][5])
{
    for (int k = 0; k < n; k++)
        for (int j = 0; j < n; j++)
            for (int i = 0; i < n; i++)
                for (int m = 0; m < 5; m++)
                    a[k][j][i][m] = in[k][j][i][m] * 2 + in[k][j][i][4 - m];
}

// With a loop in order inside.
NOINLINE static void inner(int n, double in[restrict n][n][n][5],
                           double a[restrict n][n][n][5])
{
    for (int k = 0; k < n; k++)
        for (int j = 0; j < n; j++)
            for (int i = 0; i < n; i++)
                for (int m = 0; m < 5; m++)
                    for (int l = 0; l < 5; l++)
                        a[k][j][i][m] += in[k][j][i][l] * (m + 1);
}

NOINLINE static void rows(int n, double in[restrict 9][n],
                          double a[restrict 9][n])
{
    for (int j = 0; j < 9; j++)
        for (int i = 0; i < n; i++)
            a[j][i] = in[j][i] - 1;
}

// What one needs of the other, in loops that do not begin at 0.
NOINLINE static void steps(double in[restrict 3][5][7][9],
                           double a[restrict 3][5][7][9],
                           double b[restrict 3][5][7][9])
{
    for (int h = 0; h < 3; h++)
        for (int i = 0; i < 5; i++)
            for (int j = 0; j < 7; j++)
                for (int k = 0; k < 9; k++)
                    b[h][i][j][k] = in[h][i][j][k] * 2;
    for (int h = 0; h < 2; h++)
        for (int i = 4; i > 0; i--)
            for (int j = 0; j < 7; j++)
                for (int k = 2; k < 9; k++)
                    a[h][i][j][k] = b[h + 1][i - 1][j][k] + b[h][i][j][8 - k];
}

NOINLINE static void longer(int n, double in[restrict n][n][100],
                            double a[restrict n][n][100])
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            for (int k = 0; k < 100; k++)
                a[i][j][k] = in[i][j][k] + 3;
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
    int n;

    harness_start(argc, argv);
    n = atoi(argv[1]);
    harness_fill(in, sizeof in / sizeof *in, sizeof *in);
    outputs();
    nines((void *)in, (void *)a);
    results("nines");
    outputs();
    fives(n, (void *)in, (void *)a);
    results("fives");
    harness_fill(a, sizeof a / sizeof *a, sizeof *a);
    inner(n, (void *)in, (void *)a);
    results("inner");
    outputs();
    rows(n * n, (void *)in, (void *)a);
    results("rows");
    outputs();
    steps((void *)in, (void *)a, (void *)b);
    results("steps");
    outputs();
    longer(n, (void *)in, (void *)a);
    results("longer");
    return harness_end();
}
