// On threads of the CPU, loops that go through the same elements again are in tiles:
// the order of the updates of each element stays, for sizes below a tile and none of
// them a multiple of one.  The product's first statement is a loop of its own then.
//
// REQUIRES: libomp
// RUN: %gpu_cc -mfma -mllvm -gpu-cpu=parallel %s %harness -o %t.gpu
// RUN: %ref_cc %s %harness -o %t.ref
// RUN: %python %S/Inputs/threads.py %t "0 0 0" "1 1 1" "15 31 33" "33 65 1030" \
// RUN:   | %FileCheck %s
//
// CHECK: sizes 0 0 0
// CHECK-NOT: regions={{[1-9]}}
// CHECK: sizes 15 31 33
// CHECK-NEXT: blocks runs=1 regions=1 alone=0
// CHECK-NEXT: product runs=1 regions=2 alone=0
// CHECK-NEXT: squares runs=1 regions=1 alone=0
// CHECK-NEXT: triangle runs=1 regions=1 alone=0
// CHECK-NEXT: sizes 33 65 1030
// CHECK-NEXT: blocks runs=1 regions=1 alone=0
// CHECK-NEXT: product runs=1 regions=2 alone=0
// CHECK-NEXT: squares runs=1 regions=1 alone=0
// CHECK-NEXT: triangle runs=1 regions=1 alone=0
#include "exec.h"

#include <stdlib.h>

/* As in textbooks: the innermost loop goes along columns. */
NOINLINE static void product(int n, int m, int l, double C[n][l],
                             double A[n][m], double B[m][l])
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < l; j++) {
            C[i][j] *= 0.7;
            for (int k = 0; k < m; k++)
                C[i][j] += 1.5 * A[i][k] * B[k][j];
        }
}

/* Of rows in a triangle. */
NOINLINE static void triangle(int m, int l, double C[l][l], double B[m][l])
{
    for (int i = 0; i < l; i++)
        for (int j = i; j < l; j++)
            for (int k = 0; k < m; k++)
                C[i][j] += B[k][i] * B[k][j];
}

/* Four loops, of which two go to the same elements of B. */
NOINLINE static void blocks(int n, int m, int l, double C[n][3][l],
                            double A[n][3][m], double B[m][l])
{
    for (int r = 0; r < n; r++)
        for (int q = 0; q < 3; q++)
            for (int p = 0; p < l; p++)
                for (int k = 0; k < m; k++)
                    C[r][q][p] += A[r][q][k] * B[k][p];
}

/* Backwards, with an order that the result depends on. */
NOINLINE static void squares(int n, int m, int l, long R[n][l], long P[n][m],
                             long Q[m][l])
{
    for (int i = n - 1; i >= 0; i--)
        for (int j = l - 1; j >= 0; j--)
            for (int k = m - 1; k >= 0; k--)
                R[i][j] = 3 * R[i][j] ^ (P[i][k] - Q[k][j]);
}

int main(int argc, char **argv)
{
    harness_start(argc, argv);
    int n = atoi(argv[1]), m = atoi(argv[2]), l = atoi(argv[3]);
    size_t nm = 3 * (size_t)n * m + 1, ml = (size_t)m * l + 1;
    size_t nl = 3 * (size_t)n * l + 1, ll = (size_t)l * l + 1;
    double *a = malloc(nm * sizeof *a), *b = malloc(ml * sizeof *b);
    double *c = malloc(nl * sizeof *c), *d = malloc(ll * sizeof *d);
    long *p = malloc(nm * sizeof *p), *q = malloc(ml * sizeof *q);
    long *r = malloc(nl * sizeof *r);

    harness_fill(a, nm, sizeof *a);
    harness_fill(b, ml, sizeof *b);
    harness_fill(c, nl, sizeof *c);
    harness_fill(d, ll, sizeof *d);
    random_bits(p, nm * sizeof *p);
    random_bits(q, ml * sizeof *q);
    random_bits(r, nl * sizeof *r);
    product(n, m, l, (void *)c, (void *)a, (void *)b);
    triangle(m, l, (void *)d, (void *)b);
    blocks(n, m, l, (void *)c, (void *)a, (void *)b);
    squares(n, m, l, (void *)r, (void *)p, (void *)q);
    dump_double("c", c, nl);
    dump_double("d", d, ll);
    dump("r", r, nl * sizeof *r);
    return harness_end();
}
