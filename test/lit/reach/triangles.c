// Arrays of three dimensions in triangular loops, and with a counter in two
// subscripts: strides of two dimensions become one, m * (n + 1).
//
// RUN: %gpu_cc %record %s %harness -o %t.gpu
// RUN: %ref_cc %s %harness -o %t.ref
// RUN: %run_ref %t.ref
// RUN: %run_gpu %t.gpu > %t.out 2>&1
// RUN: %shapes
// RUN: cmp %t.ref.dump %t.gpu.dump
#include "reach.h"

enum { N = 13, M = 17 };

static float t[N * N], d[N * N * M], e[N * N * N];

// == subscripts: triangles in three dimensions

SHAPE void triangle(int n, int m, float d[n][n][m], float t[n][n])
{
    for (int j = 0; j < n; j++)
        for (int i = j; i < n; i++)
            for (int k = 0; k < m; k++)
                d[j][i][k] = t[j][i];
}

SHAPE void above(int n, int m, float d[n][n][m], float t[n][n])
{
    for (int j = 0; j < n - 1; j++)
        for (int i = j + 1; i < n; i++)
            for (int k = 0; k < m; k++)
                d[i][j][k] = t[j][i] + d[j][i][k];
}

// == subscripts: diagonals

SHAPE void diagonal(int n, float d[n][n][n])
{
    for (int j = 0; j < n; j++)
        for (int i = j; i < n; i++)
            d[j][i][j] = 1;
}

SHAPE void diagonals(int n, float d[n][n][n], float t[n][n])
{
    for (int j = 0; j < n; j++)
        for (int i = 0; i < n; i++) {
            d[j][j][i] = t[j][i];
            d[i][j][j] += d[j][j][j] * t[i][j];
        }
}

// == subscripts: triangles in three dimensions

SHAPE void parts(int n, int m, float *d, const float *t)
{
    for (int j = 0; j < n; j++)
        for (int i = j; i < n; i++)
            for (int k = 0; k < m; k++)
                d[(j * n + i) * m + k] = t[j * n + i];
}

HOST void run(int n, int m)
{
    RUN(d, triangle(n, m, (void *)d, (void *)t));
    harness_fill(d, N * N * M, sizeof *d);
    above(n, m, (void *)d, (void *)t);
    dump("above", d, sizeof d);
    RUN(e, diagonal(n, (void *)e));
    harness_fill(e, N * N * N, sizeof *e);
    diagonals(n, (void *)e, (void *)t);
    dump("diagonals", e, sizeof e);
    RUN(d, parts(n, m, d, t));
}

int main(int argc, char **argv)
{
    harness_start(argc, argv);
    harness_fill(t, N * N, sizeof *t);
    run(N, M);
    run(2, M);
    run(1, 3);
    run(N - 2, 1);
    return harness_end();
}
