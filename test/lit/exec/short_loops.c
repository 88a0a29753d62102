// Parallel loops that are short, and more than three of them: blocks are as long as
// a short loop, with more threads in another one, and the loops with the most tiles
// go to the grid.  Blocks and threads are asserted.
//
// RUN: %gpu_cc %s %harness -o %t.gpu
// RUN: %ref_cc %s %harness -o %t.ref
// RUN: %run_ref %t.ref
// RUN: %run_gpu %t.gpu 2>&1 | %FileCheck %s
// RUN: cmp %t.ref.dump %t.gpu.dump
//
// A warp has 32 of the 9 x 28 threads, of which none is idle inside: no block of
// 32 x 8 with 9 x 8 at work.
// CHECK-DAG: kernel rows_of_nine_{{.*}} launches=1 grid=1,10,1 block=9,28,1
// CHECK-DAG: kernel few_rows_{{.*}} launches=1 grid=9,1,1 block=64,3,1
// The grid has three dimensions; the second loop is one of the threads in z.
// CHECK-DAG: kernel four_{{.*}} launches=1 grid=2,3,5 block=32,4,4
// The long loop goes to the grid, wherever it is, with the short ones in it.
// CHECK-DAG: kernel long_second_{{.*}} launches=1 grid=316,1,1 block=64,3,1
// CHECK-DAG: kernel long_first_{{.*}} launches=1 grid=237,1,1 block=256,1,1
// CHECK-DAG: kernel long_last_{{.*}} launches=1 grid=5,1,3 block=128,2,2
#include "exec.h"

enum { N = 1009 };

static float nine[N][9], three[3][513], a4[5][6][19][40], second[3][N][4][5];
static float first[N][3][4][5], last[2][3][1][2][600];

NOINLINE static void rows_of_nine(int n, float a[n][9])
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < 9; j++)
            a[i][j] = a[i][j] * 2 + 1;
}

NOINLINE static void few_rows(int m, float a[3][m])
{
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < m; j++)
            a[i][j] = a[i][j] * 2 + 1;
}

NOINLINE static void four(int p, int q, int n, int m, float a[p][q][n][m])
{
    for (int h = 0; h < p; h++)
        for (int g = 0; g < q; g++)
            for (int i = 0; i < n; i++)
                for (int j = 0; j < m; j++)
                    a[h][g][i][j] = a[h][g][i][j] * 2 + 1;
}

NOINLINE static void long_second(int n, float a[3][n][4][5])
{
    for (int g = 0; g < 3; g++)
        for (int i = 0; i < n; i++)
            for (int j = 0; j < 4; j++)
                for (int k = 0; k < 5; k++)
                    a[g][i][j][k] = a[g][i][j][k] * 2 + 1;
}

NOINLINE static void long_first(int n, float a[n][3][4][5])
{
    for (int i = 0; i < n; i++)
        for (int g = 0; g < 3; g++)
            for (int j = 0; j < 4; j++)
                for (int k = 0; k < 5; k++)
                    a[i][g][j][k] = a[i][g][j][k] * 2 + 1;
}

NOINLINE static void long_last(int n, float a[2][3][1][2][n])
{
    for (int f = 0; f < 2; f++)
        for (int g = 0; g < 3; g++)
            for (int h = 0; h < 1; h++)
                for (int i = 0; i < 2; i++)
                    for (int j = 0; j < n; j++)
                        a[f][g][h][i][j] = a[f][g][h][i][j] * 2 + 1;
}

#define CALL(array, call)                                                      \
    do {                                                                       \
        harness_fill(array, sizeof array / sizeof(float), sizeof(float));      \
        call;                                                                  \
        dump(#call, array, sizeof array);                                      \
    } while (0)

int main(int argc, char **argv)
{
    harness_start(argc, argv);
    CALL(nine, rows_of_nine(N, nine));
    CALL(three, few_rows(513, three));
    CALL(a4, four(5, 6, 19, 40, a4));
    CALL(second, long_second(N, second));
    CALL(first, long_first(N, first));
    CALL(last, long_last(600, last));
    return harness_end();
}
