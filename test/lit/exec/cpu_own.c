// On threads of the CPU, scalars and small arrays that each iteration of the parallel
// loop sets anew are the thread's own, on its stack: the loops run on all cores, with
// the results of the original ones.  What goes from one iteration to the next is no
// thread's own.
//
// REQUIRES: libomp
// RUN: %gpu_cc -mfma -mllvm -gpu-cpu=parallel %s %harness -o %t.gpu \
// RUN:   -Rpass-analysis=gpu-polyhedral 2>&1 | %FileCheck --check-prefix=SAID %s
// RUN: %ref_cc %s %harness -o %t.ref
// RUN: %python %S/Inputs/threads.py %t "0 0 0" "1 1 1" "15 31 33" "1100 65 7" \
// RUN:   | %FileCheck %s
//
// SAID: cpu_own.c:[[#@LINE+27]]:5: remark: on the CPU: 1 loop on all cores
// SAID: cpu_own.c:[[#@LINE+38]]:5: remark: on the CPU: 1 loop on all cores
// SAID: cpu_own.c:[[#@LINE+53]]:5: remark: on the CPU: 1 loop on all cores
// SAID: cpu_own.c:[[#@LINE+67]]:5: remark: on the CPU: 1 loop on all cores
// SAID-NOT: on all cores
//
// CHECK: sizes 0 0 0
// CHECK-NOT: regions={{[1-9]}}
// CHECK: sizes 15 31 33
// CHECK-NEXT: filter runs=1 regions=1 alone=0
// CHECK-NEXT: middle runs=1 regions=0 alone=1
// CHECK-NEXT: rows runs=1 regions=1 alone=0
// CHECK-NEXT: shared runs=1 regions=1 alone=0
// CHECK-NEXT: sizes 1100 65 7
// CHECK-NEXT: filter runs=1 regions=1 alone=0
// CHECK-NEXT: middle runs=1 regions=1 alone=0
// CHECK-NEXT: rows runs=1 regions=1 alone=0
// CHECK-NEXT: shared runs=1 regions=1 alone=0
#include "exec.h"

#include <stdlib.h>

enum { TAPS = 40 };

/* A product with a transposed matrix, as in darknet: a sum for each element. */
NOINLINE static void rows(int n, int m, int l, float *A, float *B, float *C)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            float sum = 0;
            for (int k = 0; k < l; k++)
                sum += 1.5f * A[i * l + k] * B[j * l + k];
            C[i * m + j] += sum;
        }
}

/* An array for each row, with an order that its results depend on. */
NOINLINE static void filter(int n, int m, double A[n][TAPS], double *restrict y)
{
    for (int i = 0; i < n; i++) {
        double t[TAPS];

        for (int j = 0; j < TAPS; j++)
            t[j] = A[i][j] + 1;
        for (int k = 0; k < m; k++)
            for (int j = 1; j < TAPS; j++)
                t[j] = 0.5 * t[j] + 0.25 * t[j - 1];
        for (int j = 0; j < TAPS; j++)
            y[i] += t[j];
    }
}

/* The parallel loop is inside of one that is not, and goes outside. */
NOINLINE static void middle(int n, int m, int l, double A[n][m], double B[l][m])
{
    for (int k = 0; k < l; k++)
        for (int i = 0; i < n; i++) {
            double s = B[k][0];

            for (int j = 1; j < m; j++)
                s = s * 0.5 + A[i][j] * B[k][j];
            A[i][0] = s + A[i][0] * 0.25;
        }
}

/* One variable for the whole function, which is dead behind it; two sums. */
NOINLINE static void shared(int n, int m, double A[n][m], double *restrict y)
{
    double most, sum;

    for (int i = 0; i < n; i++) {
        most = A[i][0];
        for (int j = 1; j < m; j++)
            most = A[i][j] > most ? A[i][j] : most;
        sum = 0;
        for (int j = 0; j < m; j++)
            sum += A[i][j] - most;
        y[i] = sum / (most + 2);
    }
}

/* The last value lives on. */
NOINLINE static double carried(int n, int m, double A[n][m], double *restrict y)
{
    double sum = 0;

    for (int i = 0; i < n; i++) {
        for (int j = 0; j < m; j++)
            sum = sum * 0.5 + A[i][j];
        y[i] += sum;
    }
    return sum;
}

int main(int argc, char **argv)
{
    harness_start(argc, argv);
    int n = atoi(argv[1]), m = atoi(argv[2]), l = atoi(argv[3]);
    size_t nm = (size_t)n * m + 1, nl = (size_t)n * l + 1, ml = (size_t)m * l + 1;
    size_t nt = (size_t)n * TAPS + 1;
    float *a = malloc(nl * sizeof *a), *b = malloc(ml * sizeof *b);
    float *c = malloc(nm * sizeof *c);
    double *d = malloc(nm * sizeof *d), *e = malloc(ml * sizeof *e);
    double *f = malloc(nt * sizeof *f), *y = malloc((n + 1) * sizeof *y);

    harness_fill(a, nl, sizeof *a);
    harness_fill(b, ml, sizeof *b);
    harness_fill(c, nm, sizeof *c);
    harness_fill(d, nm, sizeof *d);
    harness_fill(e, ml, sizeof *e);
    harness_fill(f, nt, sizeof *f);
    harness_fill(y, n + 1, sizeof *y);
    rows(n, m, l, a, b, c);
    filter(n, l, (void *)f, y);
    if (m > 0)
        middle(n, m, l, (void *)d, (void *)e);
    dump_double("y", y, n + 1);
    if (m > 0)
        shared(n, m, (void *)d, y);
    y[n] = carried(n, m, (void *)d, y);
    dump_float("c", c, nm);
    dump_double("d", d, nm);
    dump_double("y", y, n + 1);
    return harness_end();
}
