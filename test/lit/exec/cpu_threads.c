// What does not go to the device runs on threads of the CPU (-gpu-cpu=parallel),
// with the results of the program that plain clang makes: for several sizes, 0
// among them, and numbers of threads, and as often as there are parallel loops.
// The program's flags are the reference's, and kernels compute with them.
//
// REQUIRES: libomp
// RUN: %gpu_cc -mfma -mllvm -gpu-cpu=parallel %s %harness -o %t.gpu \
// RUN:   -Rpass-analysis=gpu-polyhedral 2>&1 | %FileCheck --check-prefix=SAID %s
// RUN: %ref_cc %s %harness -o %t.ref
// RUN: %python %S/Inputs/threads.py %t "0 0" "1 1" "2 7" "17 33" "700 1090" \
// RUN:   | %FileCheck --check-prefix=COUNTED %s
//
// On the device, it still is right, and so where launches fail:
// RUN: %run_ref %t.ref 41 57
// RUN: %run_auto %t.gpu 41 57 2>&1 | %FileCheck --check-prefix=DEVICE %s
// RUN: cmp %t.ref.dump %t.gpu.dump
// RUN: env POLYGPU_FAULT=launch:2+ POLYGPU_DEVICE=emulated POLYGPU_COST=off \
// RUN:   POLYGPU_CPU=parallel OMP_NUM_THREADS=3 POLYGPU_PROFILE=lines \
// RUN:   POLYGPU_DUMP=%t.gpu.dump %t.gpu 41 57 2>&1 \
// RUN:   | %FileCheck --check-prefix=FAULT %s
// RUN: cmp %t.ref.dump %t.gpu.dump
//
// Switched off the original loops run; what is too small for threads as well,
// unless they are asked for.  A wrong value is as good as none.
// RUN: env POLYGPU=off POLYGPU_CPU=off POLYGPU_PROFILE=lines \
// RUN:   POLYGPU_DUMP=%t.gpu.dump %t.gpu 41 57 2>&1 \
// RUN:   | %FileCheck --allow-empty --check-prefix=NONE %s
// RUN: cmp %t.ref.dump %t.gpu.dump
// RUN: env POLYGPU=off OMP_NUM_THREADS=4 POLYGPU_PROFILE=lines \
// RUN:   POLYGPU_DUMP=%t.gpu.dump %t.gpu 41 57 2>&1 \
// RUN:   | %FileCheck --check-prefix=SMALL %s
// RUN: cmp %t.ref.dump %t.gpu.dump
// RUN: env POLYGPU=off POLYGPU_CPU=all POLYGPU_DUMP=%t.gpu.dump %t.gpu 41 57 \
// RUN:   2>&1 | %FileCheck --check-prefix=WRONG %s
//
// Without libomp, which a file that is none stands in front of, the original
// loops run, and one sentence says so.
// RUN: rm -rf %t.none && mkdir %t.none
// RUN: touch %t.none/libomp.so.5 %t.none/libomp.so %t.none/libiomp5.so
// RUN: env POLYGPU=off POLYGPU_CPU=parallel LD_LIBRARY_PATH=%t.none \
// RUN:   POLYGPU_DUMP=%t.gpu.dump %t.gpu 41 57 2>&1 \
// RUN:   | %FileCheck --check-prefix=MISSING %s
// RUN: cmp %t.ref.dump %t.gpu.dump
//
// SAID-DAG: remark: on the CPU: 1 loop on all cores
// SAID-DAG: remark: on the CPU: 2 loops on all cores
// COUNTED: sizes 0 0
// COUNTED-NEXT: sizes 1 1
// COUNTED-NOT: regions={{[1-9]}}
// COUNTED: sizes 2 7
// COUNTED: sizes 17 33
// COUNTED-NEXT: columns runs=1 regions=0 alone=1
// COUNTED-NEXT: gather runs=1 regions=0 alone=1
// COUNTED-NEXT: product runs=1 regions=2 alone=0
// COUNTED-NEXT: shift runs=1 regions=0 alone=1
// COUNTED-NEXT: smooth runs=1 regions=6 alone=0
// COUNTED-NEXT: some runs=1 regions=0 alone=1
// COUNTED-NEXT: triangle runs=1 regions=1 alone=0
// COUNTED: sizes 700 1090
// COUNTED-NEXT: columns runs=1 regions=1 alone=0
// COUNTED-NEXT: gather runs=1 regions=1 alone=0
// COUNTED-NEXT: product runs=1 regions=2 alone=0
// COUNTED-NEXT: shift runs=1 regions=1 alone=0
// COUNTED-NEXT: smooth runs=1 regions=6 alone=0
// COUNTED-NEXT: some runs=1 regions=1 alone=0
// COUNTED-NEXT: triangle runs=1 regions=1 alone=0
// DEVICE-DAG: polygpu: scop product {{.*}} runs=1 declined=0 failed=0
// DEVICE-DAG: polygpu: scop shift {{.*}} runs=1 declined=1 failed=0
// DEVICE-NOT: polygpu: parallel
// FAULT: polygpu: parallel {{.*}} threads=3 runs=1
// NONE-NOT: polygpu: parallel
// SMALL: polygpu: parallel {{.*}} threads=0 runs=0 regions=0 alone=0 declined=1
// WRONG: polygpu: POLYGPU_CPU=all is not a known value; allowed: auto, parallel, off
// MISSING: polygpu: LLVM's OpenMP runtime (libomp.so.5) is not found: install libomp5, or set POLYGPU_CPU=off; loops that are for all cores run on one
// MISSING-NOT: {{.}}
#include "exec.h"

#include <stdlib.h>

/* The inputs, and what each function makes of them. */
static int n, m;
static double *a, *b, *c, *x, *y;
static float *p, *q;
static long *counts;

/* Rows go to threads; in each the order of the source stays. */
NOINLINE static void product(int n, int m, double C[n][m], double A[n][m],
                             double B[m][m])
{
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < m; j++)
            C[i][j] *= 0.7;
        for (int l = 0; l < m; l++)
            for (int j = 0; j < m; j++)
                C[i][j] += 1.5 * A[i][l] * B[l][j];
    }
}

/* Two parallel loops in one of the host's. */
NOINLINE static void smooth(int t, int n, float *restrict p, float *restrict q)
{
    for (int s = 0; s < t; s++) {
        for (int i = 1; i < n - 1; i++)
            q[i] = 0.3f * (p[i - 1] + p[i] + p[i + 1]);
        for (int i = 1; i < n - 1; i++)
            p[i] = 0.3f * (q[i - 1] + q[i] + q[i + 1]);
    }
}

/* The parallel loop is the inner one: pieces of rows go to threads. */
NOINLINE static void columns(int n, int m, double A[n][m], double *restrict y)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            y[j] += A[i][j] * (i + 1);
}

/* Rows of different lengths, and an offset that may be negative. */
NOINLINE static void triangle(int n, int m, double A[n][m], long *restrict k)
{
    for (int i = 0; i < n && i < m; i++)
        for (int j = 0; j <= i; j++) {
            A[i][j] = A[i][j] / (1 + i - j);
            k[i] += 3 * j - i;
        }
}

/* The index is data. */
NOINLINE static void gather(int n, const double *restrict from,
                            const long *restrict index, double *restrict to)
{
    for (int i = 0; i < n; i++)
        to[i] = to[i] + from[index[i] & 15];
}

/* Nothing is written that the program does not write. */
NOINLINE static void some(int n, const double *restrict from,
                          double *restrict to)
{
    for (int i = 0; i < n; i++)
        if (from[i] > 0.5)
            to[i] = from[i];
}

/* Called with arrays that overlap as well. */
NOINLINE static void shift(int n, const double *from, double *to)
{
    for (int i = 0; i < n; i++)
        to[i] = from[i] + 1;
}

int main(int argc, char **argv)
{
    harness_start(argc, argv);
    n = atoi(argv[1]), m = atoi(argv[2]);
    size_t nm = (size_t)n * m + 1, mm = (size_t)m * m + 1;
    size_t most = 4000 + (n > m ? n : m);

    a = malloc(nm * sizeof *a), b = malloc(mm * sizeof *b);
    c = malloc(nm * sizeof *c);
    x = malloc(most * sizeof *x), y = malloc(most * sizeof *y);
    p = malloc(nm * sizeof *p), q = malloc(nm * sizeof *q);
    counts = malloc(most * sizeof *counts);
    poison(q, nm * sizeof *q);
    harness_fill(a, nm, sizeof *a);
    harness_fill(b, mm, sizeof *b);
    harness_fill(c, nm, sizeof *c);
    harness_fill(x, most, sizeof *x);
    harness_fill(y, most, sizeof *y);
    harness_fill(p, nm, sizeof *p);
    random_bits(counts, most * sizeof *counts);

    product(n, m, (void *)c, (void *)a, (void *)b);
    smooth(3, n * m, p, q);
    columns(n, m, (void *)a, y);
    triangle(n, m, (void *)a, counts);
    gather(n, y, counts, x);
    some(n, a, x);
    shift(n, x, y + n);
    shift(n, x, x + 1);
    dump_double("a", a, nm);
    dump_double("c", c, nm);
    dump_double("x", x, most);
    dump_double("y", y, most);
    dump_float("p", p, nm);
    dump_float("q", q, nm);
    dump("counts", counts, most * sizeof *counts);
    return harness_end();
}
