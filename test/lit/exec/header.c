// Loops of a function that was inlined are told by its file and line, also where
// that is a header.
//
// RUN: %gpu_cc %s %harness -o %t.gpu
// RUN: %ref_cc %s %harness -o %t.ref
// RUN: %run_ref %t.ref
// RUN: %run_gpu %t.gpu 2>&1 | %FileCheck %s
// RUN: cmp %t.ref.dump %t.gpu.dump
//
// CHECK: polygpu: scop {{[a-z_]+}} scaled.h:4 {{.*}} runs=1 declined=0
#include "exec.h"

enum { N = 300 };
static float a[N];

// clang-format off
#define INLINE static inline __attribute__((always_inline))
#line 2 "scaled.h"
INLINE void scale(int n, float *x)
{
    for (int i = 0; i < n; i++)
        x[i] *= 2;
}
#line 25 "header.c"
// clang-format on

NOINLINE static void use(int n, float *x)
{
    scale(n, x);
}

int main(int argc, char **argv)
{
    harness_start(argc, argv);
    harness_fill(a, N, sizeof *a);
    use(N, a);
    dump("a", a, sizeof a);
    return harness_end();
}
