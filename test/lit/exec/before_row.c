// Elements in front of a row of n + 1, 2 * n or n + m elements are in the row
// before, at a place that the whole size of a row counts for.  Polly counts the
// first parameter of the size only: loops were refused, and wrong results without
// the check.
//
// RUN: %gpu_cc %s %harness -o %t.gpu
// RUN: %ref_cc %s %harness -o %t.ref
// RUN: %run_ref %t.ref
// RUN: %run_gpu %t.gpu 2>&1 | %FileCheck %s
// RUN: cmp %t.ref.dump %t.gpu.dump
// RUN: %gpu_cc -mllvm -gpu-verify=off %s %harness -o %t.gpu
// RUN: %run_gpu %t.gpu 2>&1 | %FileCheck %s
// RUN: cmp %t.ref.dump %t.gpu.dump
//
// CHECK: polygpu: scop parameter {{.*}} runs=1 declined=0 failed=0
// CHECK-NEXT: polygpu: kernel {{.*}} launches=1
// CHECK: polygpu: scop one_more {{.*}} runs=1 declined=0 failed=0
// CHECK-NEXT: polygpu: kernel {{.*}} launches=1
// CHECK: polygpu: scop twice {{.*}} runs=1 declined=0 failed=0
// CHECK-NEXT: polygpu: kernel {{.*}} launches=1
// CHECK: polygpu: scop sum {{.*}} runs=1 declined=0 failed=0
// CHECK-NEXT: polygpu: kernel {{.*}} launches=1
#include "exec.h"

enum { N = 13 };

static float from[3 * N * N], to[4][3 * N * N];

// That k - 5 is negative follows from the condition alone.
#define ROWS(Name, Type, Size)                                                 \
    NOINLINE static void Name(Type n, Type m, float *restrict x,               \
                              const float *restrict y)                         \
    {                                                                          \
        (void)m;                                                               \
        for (Type i = 1; i < n; i++)                                           \
            for (Type k = 0; k < n; k++)                                       \
                if (k < 3)                                                     \
                    x[i * (Size) + k] = y[i * (Size) + k - 5] * 2;             \
    }

ROWS(parameter, long, n)
ROWS(one_more, int, n + 1)
ROWS(twice, long, 2 * n)
ROWS(sum, long, n + m)

int main(int argc, char **argv)
{
    harness_start(argc, argv);
    harness_fill(from, sizeof from / sizeof *from, sizeof *from);
    parameter(N, 7, to[0], from);
    one_more(N, 7, to[1], from);
    twice(N, 7, to[2], from);
    sum(N, 7, to[3], from);
    dump("to", to, sizeof to);
    return harness_end();
}
