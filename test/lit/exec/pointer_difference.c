// A bound that is the difference of two pointers, as int: the size of a
// std::vector is one.
//
// RUN: %gpu_cc %s %harness -o %t.gpu
// RUN: %ref_cc %s %harness -o %t.ref
// RUN: %run_ref %t.ref
// RUN: %run_gpu %t.gpu 2>&1 | %FileCheck %s
// RUN: cmp %t.ref.dump %t.gpu.dump
//
// CHECK: polygpu: scop scale {{.*}} runs=1 declined=0 failed=0
// CHECK: polygpu: kernel {{.*}} launches=1
#include "exec.h"

enum { N = 60 };

static float a[N], b[N];

NOINLINE static void scale(const float *begin, const float *end,
                           float *restrict to)
{
    int n = (int)(end - begin);

    for (int i = 0; i < n; i++)
        to[i] = begin[i] * 3;
}

int main(int argc, char **argv)
{
    harness_start(argc, argv);
    harness_fill(a, N, sizeof *a);
    poison(b, sizeof b);
    scale(a, a + N - 1, b);
    dump("b", b, sizeof b);
    return harness_end();
}
