// Conditions on integers of the loop around: data of a nest with two loops, though what the
// inner one stores might change them, and it could be looked at by itself if it did not.
//
// RUN: %gpu_cc %record %s %harness -o %t.gpu
// RUN: %ref_cc %s %harness -o %t.ref
// RUN: %run_ref %t.ref
// RUN: %run_gpu %t.gpu > %t.out 2>&1
// RUN: %shapes
// RUN: cmp %t.ref.dump %t.gpu.dump
#include "reach.h"

enum { N = 67, M = 45 };

static int a[N * M], b[N * M], key[N], column[M];

// == conditions on data: of the loop around

SHAPE void of_both(int n, int m, int *a, const int *key, const int *column)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            if (key[i] + column[j] > 3)
                a[i * m + j] += column[j];
}

SHAPE void of_row(int n, int m, int *a, const int *b, const int *key)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            if (key[i] > 0)
                a[i * m + j] += b[i * m + j];
}

SHAPE void of_part_of_row(int n, int m, int *a, const int *key)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            a[i * m + j] = j < key[i] ? a[i * m + j] * 3 : -1;
}

// == conditions on data: of no loop around

SHAPE void of_all(int n, int m, int *a, const int *key)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            if (*key > i)
                a[i * m + j] += j;
}

HOST void fill(int *of, int n)
{
    for (int i = 0; i < n; i++)
        of[i] = (int)(harness_random() * 40);
}

HOST void run(int n, int m)
{
    fill(a, N * M);
    fill(b, N * M);
    fill(key, N);
    fill(column, M);
    of_both(n, m, a, key, column);
    dump("of_both", a, sizeof a);
    of_row(n, m, a, b, key);
    dump("of_row", a, sizeof a);
    of_part_of_row(n, m, a, key);
    dump("of_part_of_row", a, sizeof a);
    key[0] = 9; // else nothing may be left to do
    of_all(n, m, a, key);
    dump("of_all", a, sizeof a);
}

int main(int argc, char **argv)
{
    harness_start(argc, argv);
    run(N, M);
    run(1, M);
    run(N, 1);
    run(5, 40);
    return harness_end();
}
