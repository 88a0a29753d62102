// A size with which the addresses of rows wrap around: at compile time the model
// of the loops is not held against the program there (it was refused for this),
// and a run with such a size, which one row admits, is declined.
//
// RUN: %gpu_cc %s %harness -o %t.gpu
// RUN: %ref_cc %s %harness -o %t.ref
// RUN: env FAR=1 %run_ref %t.ref
// RUN: %run_gpu %t.gpu 2>&1 | %FileCheck -DDECLINED=0 %s
// RUN: cmp %t.ref.dump %t.gpu.dump
// RUN: %run_auto FAR=1 %t.gpu 2>&1 | %FileCheck -DDECLINED=1 %s
// RUN: cmp %t.ref.dump %t.gpu.dump
//
// CHECK: polygpu: scop column {{.*}} runs=2 declined=[[DECLINED]] failed=0
// CHECK-NEXT: kernel {{.*}} launches=2
// CHECK-NOT: kernel
#include "exec.h"
#include <stdlib.h>

enum { ROWS = 29, LENGTH = 41 };

static double a[ROWS * LENGTH], b[ROWS];

NOINLINE static void column(size_t length, size_t n, double *restrict x,
                            const double *y)
{
    for (size_t j = 0; j < n; j++)
        x[j * length + 1] += y[j];
}

int main(int argc, char **argv)
{
    harness_start(argc, argv);
    harness_fill(a, ROWS * LENGTH, sizeof(double));
    harness_fill(b, ROWS, sizeof(double));
    column(LENGTH, ROWS, a, b);
    column(5, ROWS, a, b);
    if (getenv("FAR"))
        column((size_t)1 << 61, 1, a, b);
    else
        a[1] += b[0];
    dump("a", a, sizeof a);
    return harness_end();
}
