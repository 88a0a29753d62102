// On threads of the CPU, arrays that each iteration of the parallel loop sets anew and
// that are too large for a stack, or of a size that only the run knows, are in memory
// that the runtime gives to each thread: the loops run on all cores, with the results of
// the original ones.  With more than 64 MiB for one iteration, or where there is no
// memory, the original loops run, and a sentence says so.
//
// REQUIRES: libomp
// RUN: %gpu_cc -mfma -mllvm -gpu-cpu=parallel %s %harness -o %t.gpu \
// RUN:   -Rpass-analysis=gpu-polyhedral 2>&1 | %FileCheck --check-prefix=SAID %s
// RUN: %ref_cc %s %harness -o %t.ref
// RUN: %python %S/Inputs/threads.py %t "0 0 0 0" "1 1 1 0" "15 31 3 0" "300 1065 7 0" \
// RUN:   | %FileCheck %s
//
// SAID-DAG: cpu_lent.c:[[# @LINE + 50]]:5: remark: on the CPU: 1 loop on all cores
// SAID-DAG: cpu_lent.c:[[# @LINE + 67]]:5: remark: on the CPU: 1 loop on all cores
// SAID-DAG: cpu_lent.c:[[# @LINE + 92]]:5: remark: on the CPU: 1 loop on all cores
// SAID-DAG: cpu_lent.c:[[# @LINE + 106]]:5: remark: on the CPU: 1 loop on all cores
//
// What is surely more is not asked for:
// RUN: %gpu_cc -mfma -mllvm -gpu-cpu=parallel %s -S -emit-llvm -o - | %FileCheck --check-prefix=HUGE %s
// HUGE: define {{.*}}@huge.polygpu
// HUGE: call ptr @polygpu_parallel_begin(ptr {{[^,]*}}, ptr {{[^,]*}}, i64 0)
// HUGE: define {{.*}}@constant.polygpu
// HUGE: call ptr @polygpu_parallel_begin(ptr {{[^,]*}}, ptr {{[^,]*}}, i64 32832)
//
// CHECK: sizes 0 0 0 0
// CHECK-NOT: regions={{[1-9]}}
// CHECK: sizes 15 31 3 0
// CHECK-NEXT: constant runs=1 regions=1 alone=0
// CHECK-NEXT: of_length runs=1 regions=1 alone=0
// CHECK-NEXT: on_heap runs=1 regions=1 alone=0
// CHECK-NEXT: two runs=1 regions=1 alone=0
// CHECK-NEXT: sizes 300 1065 7 0
// CHECK-NEXT: constant runs=1 regions=1 alone=0
// CHECK-NEXT: of_length runs=1 regions=1 alone=0
// CHECK-NEXT: on_heap runs=1 regions=1 alone=0
// CHECK-NEXT: two runs=1 regions=1 alone=0
//
// Each thread would need 72 MB; then there is no memory for 8 MB.
//
// RUN: env POLYGPU_DUMP=%t.gpu.dump POLYGPU=off POLYGPU_CPU=parallel OMP_NUM_THREADS=3 \
// RUN:   POLYGPU_PROFILE=lines %t.gpu 3 9000000 2 0 2>&1 | %FileCheck --check-prefix=LARGE %s
// RUN: env POLYGPU_DUMP=%t.ref.dump %t.ref 3 9000000 2 0
// RUN: cmp %t.gpu.dump %t.ref.dump
// RUN: env POLYGPU_DUMP=%t.gpu.dump POLYGPU=off POLYGPU_CPU=parallel OMP_NUM_THREADS=3 \
// RUN:   POLYGPU_PROFILE=lines %t.gpu 3 1000000 2 1 2>&1 | %FileCheck --check-prefix=NONE %s
// RUN: env POLYGPU_DUMP=%t.ref.dump %t.ref 3 1000000 2 1
// RUN: cmp %t.gpu.dump %t.ref.dump
//
// LARGE: on_heap ({{.*}}): each thread would need more than 64 MiB for what an iteration sets anew; the loops run on one core
// LARGE: parallel on_heap {{.*}} runs=0 regions=0 alone=0 declined=1
// NONE: on_heap ({{.*}}): there is no memory for what an iteration sets anew; the loops run on one core
// NONE: parallel on_heap {{.*}} runs=0 regions=0 alone=0 declined=1
#include "exec.h"

#include <stdlib.h>
#include <sys/resource.h>

enum { TAPS = 4100, HUGE = 1 << 24 };

/* A number of elements that no stack of a thread has. */
NOINLINE static void constant(int n, int l, double A[n][TAPS], double *restrict y)
{
    for (int i = 0; i < n; i++) {
        double t[TAPS];

        for (int j = 0; j < TAPS; j++)
            t[j] = A[i][j] + 1;
        for (int k = 0; k < l; k++)
            for (int j = 1; j < TAPS; j++)
                t[j] = 0.5 * t[j] + 0.25 * t[j - 1];
        for (int j = 0; j < TAPS; j++)
            y[i] += t[j];
    }
}

/* A row of the matrix. */
NOINLINE static void of_length(int n, int m, double A[n][m], double *restrict y)
{
    double t[m + 1];

    for (int i = 0; i < n; i++) {
        t[0] = 0;
        for (int j = 0; j < m; j++)
            t[j + 1] = 0.5 * t[j] + A[i][j];
        for (int j = 0; j < m; j++)
            A[i][j] = t[m - j];
        y[i] += t[m];
    }
}

HOST void limit(void)
{
    struct rlimit now;

    getrlimit(RLIMIT_AS, &now);
    now.rlim_cur = 1 << 20;
    setrlimit(RLIMIT_AS, &now);
}

NOINLINE static void on_heap(int n, int m, int limited, double A[n][m],
                             double *restrict y)
{
    double *restrict t = malloc((m + 1) * sizeof *t);

    if (limited)
        limit();
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < m; j++)
            t[j] = A[i][j] * 1.5;
        for (int j = 1; j < m; j++)
            A[i][j] = t[j - 1] + t[j] * y[i];
    }
    free(t);
}

/* One of floats in two dimensions, one of bytes. */
NOINLINE static void two(int n, int m, float A[n][m], unsigned char *restrict b)
{
    float t[2][m + 3];
    unsigned char u[m + 1];

    for (int i = 0; i < n; i++) {
        for (int j = 0; j < m; j++) {
            t[0][j] = A[i][j];
            u[j] = b[i] + j;
        }
        for (int j = 0; j < m; j++)
            t[1][j] = t[0][j] * 0.5f + t[0][m - 1 - j] + u[j];
        for (int j = 0; j < m; j++)
            A[i][j] = t[1][m - 1 - j] + u[m - 1 - j];
    }
}

/* Too much in any case. */
void huge(int n, double A[n][HUGE])
{
    double *t = malloc(HUGE * sizeof *t);

    for (int i = 0; i < n; i++) {
        t[0] = A[i][0];
        for (int j = 1; j < HUGE; j++)
            t[j] = t[j - 1] * 0.5 + A[i][j];
        for (int j = 1; j < HUGE; j++)
            A[i][j] = t[j - 1] + A[i][j - 1];
    }
    free(t);
}

int main(int argc, char **argv)
{
    harness_start(argc, argv);
    int n = atoi(argv[1]), m = atoi(argv[2]), l = atoi(argv[3]);
    size_t nm = (size_t)n * m + 1, nt = (size_t)n * TAPS + 1;
    float *a = malloc(nm * sizeof *a);
    double *d = malloc(nm * sizeof *d), *f = malloc(nt * sizeof *f);
    double *y = malloc((n + 1) * sizeof *y);
    unsigned char *b = malloc(n + 1);

    harness_fill(a, nm, sizeof *a);
    harness_fill(d, nm, sizeof *d);
    harness_fill(f, nt, sizeof *f);
    harness_fill(y, n + 1, sizeof *y);
    random_bits(b, n + 1);
    constant(n, l, (void *)f, y);
    dump_double("y", y, n + 1);
    if (m > 0 && m < 10000) {
        of_length(n, m, (void *)d, y);
        two(n, m, (void *)a, b);
    }
    if (m > 0)
        on_heap(n, m, atoi(argv[4]), (void *)d, y);
    dump_float("a", a, nm);
    dump_double("d", d, nm);
    dump_double("y", y, n + 1);
    return harness_end();
}
