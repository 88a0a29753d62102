// Loops that end at the first of several bounds, as over bands of matrices: the
// smallest of them, whichever is written first, and however they are compared.
//
// RUN: %gpu_cc -mfma %record %s %harness -o %t.gpu
// RUN: %ref_cc %s %harness -o %t.ref
// RUN: %run_ref %t.ref
// RUN: %run_gpu %t.gpu > %t.out 2>&1
// RUN: %shapes
// RUN: %FileCheck %s < %t.out
// RUN: cmp %t.ref.dump %t.gpu.dump
//
// CHECK: polygpu: kernel
#include "reach.h"

enum { N = 48 };

static double a[N][N], b[N][N];

// == bounds: the first of several

SHAPE void below(int n, int k)
{
    for (int i = 0; i < n; i++)
        for (int l = 0; l < k && l < i + 2; l++)
            a[i][l] = b[l][i] * 2;
}

SHAPE void other_order(int n, int k)
{
    for (int i = 0; i < n; i++)
        for (int l = 0; l < i + 2 && l < k; l++)
            a[i][l] = b[l][i] + 1;
}

SHAPE void included(int n, int k)
{
    for (int i = 0; i < n; i++)
        for (int l = 0; l < k && l <= i; l++)
            a[i][l] = b[l][i] - 1;
}

SHAPE void both_included(int n, int k)
{
    for (int i = 0; i < n; i++)
        for (int l = 0; l <= k && l <= 2 * i; l++)
            a[i][l] = b[l][i] * 3;
}

SHAPE void band(int n, int k)
{
    for (int i = 0; i < n; i++)
        for (int l = i > 2 ? i - 2 : 0; l < k && l < i + 3; l++)
            a[i][l] = b[l][i] * 4;
}

SHAPE void from_the_diagonal(long n, long k)
{
    for (long i = 0; i < n; i++)
        for (long l = i; l < k && l < i + 3; l++)
            a[i][l] = b[l][i] * 5;
}

SHAPE void downwards(int n, int k)
{
    for (int i = 0; i < n; i++)
        for (int l = n - 1; l >= k && l > i; l--)
            a[i][l] = b[l][i] - 6;
}

SHAPE void of_three(int n, int m, int k)
{
    for (int i = 0; i < n; i++)
        for (int l = 0; l < k && l < i + 4 && l < m - i; l++)
            a[i][l] = b[l][i] / 7;
}

SHAPE void sums(int n, int k)
{
    for (int i = 0; i < n; i++) {
        double sum = 0;
        for (int l = 0; l < k && l < n - i; l++)
            sum += b[i][i + l] * b[l][i];
        a[i][0] = sum;
    }
}

static void run(int n, int k)
{
    harness_fill(b, N * N, sizeof(double));
    RUN(a, below(n, k));
    RUN(a, other_order(n, k));
    RUN(a, included(n, k));
    RUN(a, both_included(n / 2, k - 1));
    RUN(a, band(n, k));
    RUN(a, from_the_diagonal(n, k));
    RUN(a, downwards(n, k));
    RUN(a, of_three(n, 30, k));
    RUN(a, sums(n, k));
}

int main(int argc, char **argv)
{
    harness_start(argc, argv);
    run(40, 7);
    run(33, 45);
    run(46, 1);
    run(20, 0);
    run(17, -3);
    return harness_end();
}
