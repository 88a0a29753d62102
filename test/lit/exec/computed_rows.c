// Rows of n + 1, n - 1 and 2 * n elements: the row size is what a counter is
// multiplied by, also where Polly finds n, with which the other subscript leaves
// its row.  And a run-time condition with a bound near 2^62, as of 2 * n in 64
// bits, is one that can hold.
//
// RUN: %gpu_cc %s %harness -o %t.gpu
// RUN: %ref_cc %s %harness -o %t.ref
// RUN: %run_ref %t.ref
// RUN: %run_gpu %t.gpu 2>&1 | %FileCheck %s
// RUN: cmp %t.ref.dump %t.gpu.dump
//
// CHECK: polygpu: scop one_more_int {{.*}} runs=1 declined=0 failed=0
// CHECK-NEXT: polygpu: kernel {{.*}} launches=1
// CHECK: polygpu: scop one_more_long {{.*}} runs=1 declined=0 failed=0
// CHECK-NEXT: polygpu: kernel {{.*}} launches=1
// CHECK: polygpu: scop one_more_size_t {{.*}} runs=1 declined=0 failed=0
// CHECK-NEXT: polygpu: kernel {{.*}} launches=1
// CHECK: polygpu: scop one_less_int {{.*}} runs=1 declined=0 failed=0
// CHECK-NEXT: polygpu: kernel {{.*}} launches=1
// CHECK: polygpu: scop one_less_long {{.*}} runs=1 declined=0 failed=0
// CHECK-NEXT: polygpu: kernel {{.*}} launches=1
// CHECK: polygpu: scop one_less_size_t {{.*}} runs=1 declined=0 failed=0
// CHECK-NEXT: polygpu: kernel {{.*}} launches=1
// CHECK: polygpu: scop twice_int {{.*}} runs=1 declined=0 failed=0
// CHECK-NEXT: polygpu: kernel {{.*}} launches=1
// CHECK: polygpu: scop twice_long {{.*}} runs=1 declined=0 failed=0
// CHECK-NEXT: polygpu: kernel {{.*}} launches=1
// CHECK: polygpu: scop twice_size_t {{.*}} runs=1 declined=0 failed=0
// CHECK-NEXT: polygpu: kernel {{.*}} launches=1
// CHECK: polygpu: scop columns {{.*}} runs=1 declined=0 failed=0
// CHECK-NEXT: polygpu: kernel {{.*}} launches=1
// CHECK: polygpu: scop augmented {{.*}} runs=1 declined=0 failed=0
// CHECK-NEXT: polygpu: kernel {{.*}} launches=1
#include "exec.h"

#include <stddef.h>

enum { N = 23 };

static double a[2 * N * N];

#define ROWS(Name, Type, Size)                                                 \
    NOINLINE static void Name(Type n, double x[n][Size])                       \
    {                                                                          \
        for (Type i = 0; i < n; i++)                                           \
            for (Type j = 0; j < Size; j++)                                    \
                x[i][j] = 2 * x[i][j] + 1;                                     \
    }

ROWS(one_more_int, int, n + 1)
ROWS(one_more_long, long, n + 1)
ROWS(one_more_size_t, size_t, n + 1)
ROWS(one_less_int, int, n - 1)
ROWS(one_less_long, long, n - 1)
ROWS(one_less_size_t, size_t, n - 1)
ROWS(twice_int, int, 2 * n)
ROWS(twice_long, long, 2 * n)
ROWS(twice_size_t, size_t, 2 * n)

NOINLINE static void columns(long n, double *restrict x)
{
    for (long i = 0; i < n; i++)
        for (long j = 0; j < n; j++)
            x[j * (n + 1) + i] = 2 * x[j * (n + 1) + i] + 1;
}

/* The right-hand side of a system of equations behind its matrix. */
NOINLINE static void augmented(long n, double x[n][n + 1])
{
    for (long i = 0; i < n; i++) {
        for (long j = 0; j < n; j++)
            x[i][j] = x[i][j] / 2 + 1;
        x[i][n] = x[i][n] * 3 + x[i][i];
    }
}

int main(int argc, char **argv)
{
    harness_start(argc, argv);
    harness_fill(a, sizeof a / sizeof *a, sizeof *a);
    one_more_int(N, (void *)a);
    one_more_long(N, (void *)a);
    one_more_size_t(N, (void *)a);
    one_less_int(N, (void *)a);
    one_less_long(N, (void *)a);
    one_less_size_t(N, (void *)a);
    twice_int(N, (void *)a);
    twice_long(N, (void *)a);
    twice_size_t(N, (void *)a);
    columns(N, a);
    augmented(N, (void *)a);
    dump("a", a, sizeof a);
    return harness_end();
}
