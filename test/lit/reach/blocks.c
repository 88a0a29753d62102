// Rows that are set and copied as blocks of memory, in nests with loops.
//
// RUN: %gpu_cc %record %s %harness -o %t.gpu
// RUN: %ref_cc %s %harness -o %t.ref
// RUN: %run_ref %t.ref
// RUN: %run_gpu %t.gpu > %t.out 2>&1
// RUN: %shapes
// RUN: %FileCheck --implicit-check-not="grid=1,1,1 block=1,1,1" %s < %t.out
// RUN: cmp %t.ref.dump %t.gpu.dump
//
// CHECK: polygpu: kernel
#include "reach.h"

#include <string.h>

enum { MOST = 2000 };

static float a[MOST], b[MOST], c[MOST];
static int numbers[MOST];
static double wide[20][64], from[20][64];

// == blocks of memory: memset of rows

SHAPE void rows_of_zeros(int n, int m, float *a)
{
    for (int i = 0; i < n; i++)
        memset(a + i * m, 0, m * sizeof *a);
}

SHAPE void rows_of_ones(int n, int m, int *a)
{
    for (int i = 0; i < n; i++)
        memset(a + i * m, 255, m * sizeof *a);
}

// == blocks of memory: memcpy of rows

SHAPE void copied_rows(int n, int m, float *a, const float *b)
{
    for (int i = 0; i < n; i++)
        memcpy(a + i * m, b + i * m, m * sizeof *a);
}

SHAPE void copied_and_doubled(int n, int m, float *a, const float *b)
{
    for (int i = 0; i < n; i++) {
        memcpy(a + i * m, b + i * m, m * sizeof *a);
        for (int j = 0; j < m; j++)
            a[i * m + j] *= 2;
    }
}

SHAPE void known_rows(int n, double (*a)[64], double (*b)[64])
{
    for (int i = 0; i < n; i++)
        memcpy(a[i], b[n - 1 - i], sizeof a[i]);
}

// == blocks of memory: memset before sums

SHAPE void product(int n, int m, int l, float *c, const float *a,
                   const float *b)
{
    for (int i = 0; i < n; i++) {
        memset(c + i * m, 0, m * sizeof(float));
        for (int k = 0; k < l; k++)
            for (int j = 0; j < m; j++)
                c[i * m + j] += a[i * l + k] * b[k * m + j];
    }
}

static void run(int n, int m)
{
    harness_fill(b, MOST, sizeof *b);
    harness_fill(c, MOST, sizeof *c);
    harness_fill(from, 20 * 64, sizeof from[0][0]);
    RUN(a, rows_of_zeros(n, m, a));
    RUN(numbers, rows_of_ones(n, m, numbers));
    RUN(a, copied_rows(n, m, a, b));
    RUN(a, copied_and_doubled(n, m, a, b));
    RUN(wide, known_rows(n, wide, from));
    RUN(a, product(n, m, n, a, b, c));
}

int main(int argc, char **argv)
{
    harness_start(argc, argv);
    run(19, 33);
    run(1, 1);
    run(3, 0);
    run(0, 3);
    return harness_end();
}
