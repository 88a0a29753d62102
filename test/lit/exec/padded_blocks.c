// Blocks of a matrix in rows that are 12 elements longer than a block: of the sizes
// that a row may have, m + 12 and m, only the first gives each counter a subscript
// of its own.  With the other, rows would overlap for all but the smallest blocks,
// which was the condition under which such loops ran.
//
// RUN: %gpu_cc %s %harness -o %t.gpu
// RUN: %ref_cc %s %harness -o %t.ref
// RUN: %run_ref %t.ref
// RUN: %run_gpu %t.gpu 2>&1 | %FileCheck %s
// RUN: cmp %t.ref.dump %t.gpu.dump
//
// CHECK-DAG: polygpu: scop clear {{.*}} runs=29 declined=0 failed=0
// CHECK-DAG: polygpu: scop turn {{.*}} runs=29 declined=0 failed=0
#include "exec.h"

enum { N = 37, PAD = 12, BLOCKS = 3, LARGEST = 19 };

static const int blocks[BLOCKS] = {10, 19, 13};

static double a[N][N], b[(LARGEST + PAD) * LARGEST], all[29][(LARGEST + PAD) * LARGEST];

static long smaller(long x, long y)
{
    return x < y ? x : y;
}

NOINLINE static void clear(double *to, long n, long m, int row, int column)
{
    int i, j, ni, nj;
    for (ni = row, i = 0; ni < smaller(row + m, n); i++, ni++)
        for (nj = column, j = 0; nj < smaller(column + m, n); j++, nj++)
            to[j + (m + PAD) * i] = 0.5;
}

NOINLINE static void turn(double *restrict to, const double *restrict from, long n, long m,
                          int row, int column)
{
    for (long ni = row, i = 0; ni < smaller(row + m, n); i++, ni++)
        for (long nj = column, j = 0; nj < smaller(column + m, n); j++, nj++)
            to[i + (m + PAD) * j] += from[nj + n * ni];
}

int main(int argc, char **argv)
{
    harness_start(argc, argv);
    harness_fill(a, N * N, sizeof(double));
    int k = 0;
    for (int s = 0; s < BLOCKS; s++)
        for (int row = 0; row < N - s; row += blocks[s])
            for (int column = 0; column < N; column += blocks[s]) {
                clear(b, N, blocks[s], row, column);
                turn(b, &a[0][0], N, blocks[s], column, row);
                for (int i = 0; i < (LARGEST + PAD) * LARGEST; i++)
                    all[k][i] = b[i];
                k++;
            }
    dump("all", all, sizeof all);
    return harness_end();
}
