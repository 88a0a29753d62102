// && and || of affine conditions: in if, with and without else, negated, kept in
// a variable, over two dimensions and below continue; in ?: with the neighbours
// behind them.
//
// RUN: %gpu_cc %record %s %harness -o %t.gpu
// RUN: %ref_cc %s %harness -o %t.ref
// RUN: %run_ref %t.ref
// RUN: %run_gpu %t.gpu > %t.out 2>&1
// RUN: %shapes
// RUN: cmp %t.ref.dump %t.gpu.dump
#include "reach.h"

enum { N = 61, M = 47 };

static float a[N * M], b[N * M];

// == affine conditions: && and || in if

SHAPE void if_and(int n, const float *a, float *b)
{
    for (int i = 0; i < n; i++)
        if (i > 0 && i < n - 1)
            b[i] = a[i - 1] + a[i + 1];
}

SHAPE void if_or(int n, const float *a, float *b)
{
    for (int i = 0; i < n; i++)
        if (i < 2 || i > n - 4)
            b[i] = 0;
        else
            b[i] = a[i - 1] + a[i + 1];
}

SHAPE void if_or_alone(int n, const float *a, float *b)
{
    for (int i = 0; i < n; i++)
        if (i == 0 || i == n - 1)
            b[i] = a[i];
}

SHAPE void if_not(int n, const float *a, float *b)
{
    for (int i = 0; i < n; i++)
        if (!(i > 0 && i < n - 1))
            b[i] = a[i];
}

SHAPE void in_variable(int n, const float *a, float *b)
{
    for (int i = 0; i < n; i++) {
        int inside = i > 0 && i < n - 1;

        if (inside)
            b[i] = a[i - 1];
        if (!inside)
            b[i] = a[i];
    }
}

SHAPE void mixed(int n, int low, int high, const float *a, float *b)
{
    for (int i = 0; i < n; i++)
        if ((i > low && i < high) || i == n - 1 || (i % 4 == 0 && i < low))
            b[i] = a[n - 1 - i];
}

// == affine conditions: && and || in ?:

SHAPE void choice_and(int n, const float *a, float *b)
{
    for (int i = 0; i < n; i++)
        b[i] = i > 0 && i < n - 1 ? a[i - 1] + a[i + 1] : 0;
}

SHAPE void choice_or(int n, const float *a, float *b)
{
    for (int i = 0; i < n; i++)
        b[i] = i == 0 || i == n - 1 ? a[i] : a[i - 1] + a[i + 1];
}

// == affine conditions: && and || of two dimensions

SHAPE void square(int n, int m, const float (*a)[m], float (*b)[m])
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            if (i > 0 && i < n - 1 && j > 0 && j < m - 1)
                b[i][j] = a[i - 1][j] + a[i + 1][j] + a[i][j - 1] + a[i][j + 1];
            else
                b[i][j] = a[i][j];
}

SHAPE void skipped(int n, int m, const float (*a)[m], float (*b)[m])
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            if (i == 0 || i == n - 1 || j == 0 || j == m - 1) {
                b[i][j] = 0;
                continue;
            }
            b[i][j] = a[i - 1][j] + a[i + 1][j] + a[i][j - 1] + a[i][j + 1];
        }
}

SHAPE void window(int n, int m, const float (*a)[m], float (*b)[m])
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            float sum = 0;
            for (int p = -1; p <= 1; p++)
                for (int q = -1; q <= 1; q++) {
                    int y = i + p, x = j + q;

                    if (y >= 0 && y < n && x >= 0 && x < m)
                        sum += a[y][x];
                }
            b[i][j] = sum;
        }
}

#define LINE(name, n) RUN(b, name(n, a, b))
#define PLANE(name, n, m)                                                      \
    RUN(b, name(n, m, (const float(*)[m])a, (float(*)[m])b))

HOST void run(int n, int m)
{
    LINE(if_and, n);
    LINE(if_or, n);
    LINE(if_or_alone, n);
    LINE(if_not, n);
    LINE(in_variable, n);
    RUN(b, mixed(n, n / 5, n / 2, a, b));
    LINE(choice_and, n);
    LINE(choice_or, n);
    PLANE(square, n, m);
    PLANE(skipped, n, m);
    PLANE(window, n, m);
}

int main(int argc, char **argv)
{
    harness_start(argc, argv);
    harness_fill(a, N * M, sizeof *a);
    run(N, M);
    run(2, M);
    run(1, 3);
    run(N - 3, 2);
    return harness_end();
}
