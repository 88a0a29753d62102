// On threads of the CPU, what each iteration of the parallel loop sets anew and what is
// used behind the loops is each thread's own, too: the iteration that writes an element
// last in the order of the source leaves it in the program's memory.  Where it is not
// known which one that is, the original loops run.
//
// REQUIRES: libomp
// RUN: %gpu_cc -mfma -mllvm -gpu-cpu=parallel %s %harness -o %t.gpu \
// RUN:   -Rpass-analysis=gpu-polyhedral 2>&1 | %FileCheck --check-prefix=SAID %s
// RUN: %ref_cc %s %harness -o %t.ref
// RUN: %python %S/Inputs/threads.py %t "0 0" "1 1" "2 9" "15 31" "31 15" "300 1065" \
// RUN:   | %FileCheck %s
//
// SAID-DAG: cpu_live.c:[[# @LINE + 37]]:5: remark: on the CPU: 1 loop on all cores
// SAID-DAG: cpu_live.c:[[# @LINE + 51]]:5: remark: on the CPU: 1 loop on all cores
// SAID-DAG: cpu_live.c:[[# @LINE + 63]]:5: remark: on the CPU: 1 loop on all cores
// SAID-DAG: cpu_live.c:[[# @LINE + 76]]:5: remark: on the CPU: 1 loop on all cores
// SAID-DAG: cpu_live.c:[[# @LINE + 87]]:5: remark: on the CPU: 1 loop on all cores
// SAID-DAG: cpu_live.c:[[# @LINE + 100]]:5: remark: on the CPU: the original loops, on one core (each iteration would need 'a computed value' for itself, which the device has memory for; threads have it
//
// CHECK: sizes 0 0
// CHECK-NOT: regions={{[1-9]}}
// CHECK: sizes 1 1
// CHECK: sizes 15 31
// CHECK-NEXT: falling runs=1 regions=1 alone=0
// CHECK-NEXT: last_row runs=1 regions=1 alone=0
// CHECK-NEXT: rising runs=1 regions=1 alone=0
// CHECK-NEXT: scalars runs=1 regions=1 alone=2
// CHECK-NEXT: table runs=1 regions=1 alone=0
// CHECK-NEXT: sizes 31 15
// CHECK: sizes 300 1065
// CHECK-NEXT: falling runs=1 regions=1 alone=0
// CHECK-NEXT: last_row runs=1 regions=1 alone=0
// CHECK-NEXT: rising runs=1 regions=1 alone=0
// CHECK-NEXT: scalars runs=1 regions=1 alone=2
// CHECK-NEXT: table runs=1 regions=1 alone=0
// CHECK-NOT: runs
#include "exec.h"

#include <stdlib.h>

enum { N = 24 };

static double values[N];
static int which;

/* The caller's buffer, as large as a row; the element behind stays what it was. */
NOINLINE static void last_row(int n, int m, double A[n][m], double *restrict t,
                              double *restrict y)
{
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < m; j++)
            t[j] = A[i][j] * 1.5 + y[i];
        for (int j = 1; j < m; j++)
            t[j] += 0.5 * t[j - 1];
        for (int j = 0; j < m; j++)
            A[i][j] = t[m - 1 - j];
    }
}

/* Two scalars, one of which is the last sum. */
NOINLINE static double scalars(int n, int m, double A[n][m], double *restrict y)
{
    double sum = 3, first = 4;

    for (int i = 0; i < n; i++) {
        first = y[i] + 1;
        sum = first;
        for (int j = 0; j < m; j++)
            sum = sum * 0.5 + A[i][j];
        y[i] = sum - first;
    }
    return sum + 2 * first;
}

/* Variables of the file. */
NOINLINE static void table(int n, int m, double A[n][m], double *restrict y)
{
    for (int i = 0; i < n; i++) {
        which = i;
        for (int k = 0; k < N; k++)
            values[k] = y[i] * k;
        for (int j = 0; j < m; j++)
            for (int k = 1; k < N; k++)
                values[k] = values[k - 1] * 0.5 + A[i][j];
        y[i] += values[N - 1];
    }
}

/* Each iteration writes less: there is another last one for each element. */
NOINLINE static void falling(int n, double *restrict t, double *restrict y)
{
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n - i; j++)
            t[j] = y[i] + j;
        for (int j = 1; j < n - i; j++)
            t[j] = t[j] * 0.5 + t[j - 1];
        y[i] += t[n - 1 - i];
    }
}

/* Each iteration writes more, backwards. */
NOINLINE static void rising(int n, double *restrict t, double *restrict y)
{
    for (int i = n - 1; i >= 0; i--) {
        for (int j = i; j < n; j++)
            t[j] = y[i] + j;
        for (int j = i + 1; j < n; j++)
            t[j] = t[j] * 0.5 + t[j - 1];
        y[i] -= t[n - 1];
    }
}

/* Data say which iteration is the last one that writes. */
NOINLINE static double by_data(int n, int m, double A[n][m], double *restrict y)
{
    double s = 5;

    for (int i = 0; i < n; i++)
        if (y[i] > 0) {
            s = y[i];
            for (int j = 0; j < m; j++)
                s = s * 0.5 + A[i][j];
            y[i] = s;
        }
    return s;
}

int main(int argc, char **argv)
{
    harness_start(argc, argv);
    int n = atoi(argv[1]), m = atoi(argv[2]);
    size_t nm = (size_t)n * m + 1;
    double *d = malloc(nm * sizeof *d), *y = malloc((n + 1) * sizeof *y);
    double *t = malloc((m + 1) * sizeof *t), *u = malloc((n + 1) * sizeof *u);

    harness_fill(d, nm, sizeof *d);
    harness_fill(y, n + 1, sizeof *y);
    poison(t, (m + 1) * sizeof *t);
    poison(u, (n + 1) * sizeof *u);
    poison(values, sizeof values);
    if (m > 0)
        last_row(n, m, (void *)d, t, y);
    dump("t", t, (m + 1) * sizeof *t);
    y[n] = scalars(n, m, (void *)d, y);
    dump_double("y", y, n + 1);
    table(n, m, (void *)d, y);
    dump("values", values, sizeof values);
    dump("which", &which, sizeof which);
    falling(n, u, y);
    dump("u", u, (n + 1) * sizeof *u);
    poison(u, (n + 1) * sizeof *u);
    rising(n, u, y);
    dump("u", u, (n + 1) * sizeof *u);
    y[n] = by_data(n, m, (void *)d, y);
    dump_double("d", d, nm);
    dump_double("y", y, n + 1);
    return harness_end();
}
