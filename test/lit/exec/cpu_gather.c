// On threads of the CPU, elements are read at places that data say, where it is known
// that the loops do not write them: gathers, tables, rows of a sparse matrix.  Where they
// might, the original loops run.
//
// REQUIRES: libomp
// RUN: %gpu_cc -mfma -mllvm -gpu-cpu=parallel %s %harness -o %t.gpu \
// RUN:   -Rpass-analysis=gpu-polyhedral 2>&1 | %FileCheck --check-prefix=SAID %s
// RUN: %ref_cc %s %harness -o %t.ref
// RUN: %python %S/Inputs/threads.py %t "0 1" "1 1" "700 3" "1500 40" | %FileCheck %s
//
// SAID-DAG: cpu_gather.c:[[# @LINE + 32]]:5: remark: on the CPU: 1 loop on all cores
// SAID-DAG: cpu_gather.c:[[# @LINE + 42]]:5: remark: on the CPU: 1 loop on all cores
// SAID-DAG: cpu_gather.c:[[# @LINE + 54]]:5: remark: on the CPU: 1 loop on all cores
// SAID-DAG: cpu_gather.c:[[# @LINE + 61]]:5: remark: on the CPU: 1 loop on all cores
// SAID-DAG: cpu_gather.c:[[# @LINE + 70]]:5: remark: on the CPU: the original loops, on one core (an index of 'x' is data, and where it leads to may be written in the same loops{{.*}}; declare the pointers restrict, where that is so)
//
//
// CHECK: sizes 0 1
// CHECK-NOT: regions={{[1-9]}}
// CHECK: sizes 700 3
// CHECK-NEXT: conditional runs=1 regions=1 alone=0
// CHECK-NEXT: elements runs=1 regions=1 alone=0
// CHECK-NEXT: in_table runs=1 regions=1 alone=0
// CHECK-NEXT: sparse runs=1 regions=1 alone=0
// CHECK-NEXT: sizes 1500 40
// CHECK-NEXT: conditional runs=1 regions=1 alone=0
// CHECK-NEXT: elements runs=1 regions=1 alone=0
// CHECK-NEXT: in_table runs=1 regions=1 alone=0
// CHECK-NEXT: sparse runs=1 regions=1 alone=0
// CHECK-NOT: runs
#include "exec.h"

#include <stdlib.h>

static double table[256];

/* The rows of a sparse matrix, whose bounds are data, too. */
NOINLINE static void sparse(int n, const int *restrict first,
                            const int *restrict column,
                            const double *restrict a, const double *restrict x,
                            double *restrict y)
{
    for (int i = 0; i < n; i++) {
        double sum = 0;
        for (int k = first[i]; k < first[i + 1]; k++)
            sum += a[k] * x[column[k]];
        y[i] = sum;
    }
}

/* What may be read is a variable. */
NOINLINE static void in_table(int n, const unsigned char *b, double *restrict y)
{
    for (int i = 0; i < n; i++)
        y[i] += 0.5 * table[b[i]];
}

struct element {
    int node[2];
    double weight;
};

/* Nodes of elements, as in codes of finite elements. */
NOINLINE static void elements(int n, const struct element *restrict e,
                              const double *restrict x, double *restrict y)
{
    for (int i = 0; i < n; i++)
        y[i] = e[i].weight * (x[e[i].node[0]] - x[e[i].node[1]]);
}

/* Where the condition does not hold the index leads nowhere. */
NOINLINE static void conditional(int n, const int *restrict at,
                                 const double *restrict x, double *restrict y)
{
    for (int i = 0; i < n; i++)
        if (at[i] >= 0)
            y[i] = x[at[i]];
        else
            y[i] = -1;
}

/* y may be a part of x. */
NOINLINE static void unknown(int n, const int *at, const double *x, double *y)
{
    for (int i = 0; i < n; i++)
        y[i] = x[at[i]] + 1;
}

/* Columns and nodes of n elements, and where rows of up to m begin. */
HOST void describe(int n, int m, const unsigned char *b, const int *at, const double *x,
                   int *first, int *column, struct element *e)
{
    first[0] = 0;
    for (int i = 0; i < n; i++) {
        first[i + 1] = first[i] + b[i] % (m + 1);
        e[i].weight = x[i];
        e[i].node[0] = (unsigned)at[i] % (n + 1);
        e[i].node[1] = n - i;
    }
    for (int k = 0; k < first[n]; k++)
        column[k] = (unsigned)column[k] % (n + 1);
}

/* Places below n, some of which lead nowhere; or the ones before. */
HOST void places(int n, const unsigned char *b, int *at)
{
    for (int i = 0; i < n; i++)
        at[i] = b && b[i] < 40 ? -1000000000
                : b            ? (int)((unsigned)at[i] % n)
                               : i - (i > 0);
}

int main(int argc, char **argv)
{
    harness_start(argc, argv);
    int n = atoi(argv[1]), m = atoi(argv[2]);
    size_t nm = (size_t)n * m + 1;
    int *first = malloc((n + 1) * sizeof *first), *column = malloc(nm * sizeof *column);
    int *at = malloc((n + 1) * sizeof *at);
    unsigned char *b = malloc(n + 1);
    double *a = malloc(nm * sizeof *a), *x = malloc((n + 1) * sizeof *x);
    double *y = malloc((n + 2) * sizeof *y);
    struct element *e = malloc((n + 1) * sizeof *e);

    harness_fill(table, 256, sizeof *table);
    harness_fill(a, nm, sizeof *a);
    harness_fill(x, n + 1, sizeof *x);
    harness_fill(y, n + 2, sizeof *y);
    random_bits(column, nm * sizeof *column);
    random_bits(at, (n + 1) * sizeof *at);
    random_bits(b, n + 1);
    describe(n, m, b, at, x, first, column, e);
    sparse(n, first, column, a, x, y);
    in_table(n, b, y);
    dump_double("y", y, n + 2);
    elements(n, e, x, y);
    dump_double("y", y, n + 2);
    places(n, b, at);
    conditional(n, at, x, y);
    dump_double("y", y, n + 2);
    places(n, NULL, at);
    unknown(n, at, y, y + 1);
    dump_double("y", y, n + 2);
    return harness_end();
}
