// On threads of the CPU, elements of integers are updated at places that data say, each by
// one atomic operation, so that the order does not matter: histograms, counts of rows, sets
// of bits, minima and maxima.  What may be accessed in another way in the same loops, and
// sums of floating-point numbers, are not.  With the cost test only loops that have much
// more to do run so.
//
// REQUIRES: libomp
// RUN: %gpu_cc -mfma -mllvm -gpu-cpu=parallel %s %harness -o %t.gpu \
// RUN:   -Rpass-analysis=gpu-polyhedral 2>&1 | %FileCheck --check-prefix=SAID %s
// RUN: %ref_cc %s %harness -o %t.ref
// RUN: %python %S/Inputs/threads.py %t "0 1" "1 1" "700 3" "15000 40" | %FileCheck %s
//
// SAID-DAG: cpu_scatter.c:[[# @LINE + 37]]:5: remark: on the CPU: 1 loop on all cores
// SAID-DAG: cpu_scatter.c:[[# @LINE + 44]]:5: remark: on the CPU: 1 loop on all cores
// SAID-DAG: cpu_scatter.c:[[# @LINE + 53]]:5: remark: on the CPU: 1 loop on all cores
// SAID-DAG: cpu_scatter.c:[[# @LINE + 60]]:5: remark: on the CPU: 1 loop on all cores
// SAID-DAG: cpu_scatter.c:[[# @LINE + 68]]:5: remark: on the CPU: 1 loop on all cores
// SAID-DAG: cpu_scatter.c:[[# @LINE + 79]]:5: remark: on the CPU: the original loops, on one core ('h' is updated at places that are data, which may be what the same loops access{{.*}}; declare the pointers restrict, where that is not so)
//
// CHECK: sizes 0 1
// CHECK-NOT: regions={{[1-9]}}
// CHECK: sizes 1 1
// CHECK: sizes 700 3
// CHECK-NEXT: bits runs=1 regions=1 alone=0
// CHECK-NEXT: extremes runs=1 regions=1 alone=0
// CHECK-NEXT: heavy runs=1 regions=1 alone=0
// CHECK-NEXT: histogram runs=1 regions=1 alone=0
// CHECK-NEXT: small runs=1 regions=1 alone=0
// CHECK-NEXT: sizes 15000 40
// CHECK-NEXT: bits runs=1 regions=1 alone=0
// CHECK-NEXT: extremes runs=1 regions=1 alone=0
// CHECK-NEXT: heavy runs=1 regions=1 alone=0
// CHECK-NEXT: histogram runs=1 regions=1 alone=0
// CHECK-NEXT: small runs=1 regions=1 alone=0
// CHECK-NOT: runs
//
// RUN: env POLYGPU=off OMP_NUM_THREADS=4 POLYGPU_PROFILE=lines POLYGPU_DUMP=%t.dump \
// RUN:   %t.gpu 15000 2000 2>&1 | %FileCheck --check-prefix=AUTO %s
// RUN: env POLYGPU_DUMP=%t.ref.dump %t.ref 15000 2000
// RUN: cmp %t.dump %t.ref.dump
// AUTO-DAG: parallel histogram {{.*}} runs=0 {{.*}} declined=1
// AUTO-DAG: parallel heavy {{.*}} runs=1 regions=1
#include "exec.h"

#include <stdlib.h>

NOINLINE static void histogram(int n, const unsigned char *restrict b,
                               int *restrict h)
{
    for (int i = 0; i < n; i++)
        h[b[i]] += 2;
}

/* The place is computed; several updates of one array, of shorts. */
NOINLINE static void small(int n, const unsigned char *restrict b,
                           unsigned short *restrict h)
{
    for (int i = 0; i < n; i++) {
        h[b[i] % 17] -= 3;
        h[b[i] / 3] -= b[i];
    }
}

/* Words of 64 bits. */
NOINLINE static void bits(int n, const unsigned char *restrict b,
                          const int *restrict at, unsigned long *restrict set)
{
    for (int i = 0; i < n; i++)
        set[b[i] / 64] |= 1ul << b[i] % 64;
}

/* Under a condition the element stays unwritten where it does not change. */
NOINLINE static void extremes(int n, const unsigned char *restrict b,
                              const int *restrict x, int *restrict most)
{
    for (int i = 0; i < n; i++)
        if (x[i] > most[b[i]])
            most[b[i]] = x[i];
}

/* Much is computed for one update. */
NOINLINE static void heavy(int n, int m, const unsigned char *restrict b,
                           double *restrict y, int *restrict h)
{
    for (int i = 0; i < n; i++) {
        double s = y[i];
        for (int k = 0; k < m; k++)
            s = s * 0.5 + 0.25 / (s + k + 3);
        y[i] = s;
        h[b[i]] += 1;
    }
}

/* b may be a part of h. */
NOINLINE static void unknown(int n, const unsigned char *b, int *h)
{
    for (int i = 0; i < n; i++)
        h[b[i]] += 1;
}

int main(int argc, char **argv)
{
    harness_start(argc, argv);
    int n = atoi(argv[1]), m = atoi(argv[2]), h[256], most[256];
    unsigned short shorts[256];
    unsigned long set[4];
    unsigned char *b = malloc(n + 1);
    int *x = malloc((n + 1) * sizeof *x);
    double *y = malloc((n + 1) * sizeof *y);

    harness_fill(y, n + 1, sizeof *y);
    random_bits(x, (n + 1) * sizeof *x);
    random_bits(b, n + 1);
    random_bits(h, sizeof h);
    random_bits(most, sizeof most);
    random_bits(shorts, sizeof shorts);
    random_bits(set, sizeof set);
    histogram(n, b, h);
    small(n, b, shorts);
    bits(n, b, x, set);
    extremes(n, b, x, most);
    heavy(n, m, b, y, h);
    unknown(n, b, h);
    dump("h", h, sizeof h);
    dump("most", most, sizeof most);
    dump("shorts", shorts, sizeof shorts);
    dump("set", set, sizeof set);
    dump_double("y", y, n + 1);
    return harness_end();
}
