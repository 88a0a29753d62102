// The host writes in a loop before the place in the middle of one of two arrays
// that a pointer was set to: what is said before that loop begins is about more
// than the bytes from that place on.
//
// RUN: %ref_cc %s %harness -o %t.ref
// RUN: %run_ref %t.ref
// RUN: %gpu_cc %s %harness -o %t.gpu
// RUN: %run_gpu %t.gpu 2>&1 | %FileCheck %s
// RUN: cmp %t.ref.dump %t.gpu.dump
// RUN: %run_faults
// RUN: env POLYGPU_RESIDENCY=verify POLYGPU=mandatory POLYGPU_DEVICE=emulated \
// RUN:   %run_plain %t.gpu
// RUN: cmp %t.ref.dump %t.gpu.dump
//
// CHECK: polygpu: scop steps {{.*}} runs=4 declined=0 failed=0
#include "exec.h"

enum { N = 200 };

static unsigned a[N], b[N], out[N];

NOINLINE static void steps(int of_a, int n)
{
    unsigned *middle = of_a ? a + N / 2 : b + N / 2;

    for (int t = 0; t < 4; t++) {
        for (int i = 0; i < n; i++)
            out[i] ^= a[i] * 3 + b[i];
        for (int k = 0; k < 5; k++)
            middle[-(k * k * 7 % 50) - 1] = (unsigned)(t * k + 1);
    }
}

int main(int argc, char **argv)
{
    harness_start(argc, argv);
    random_bits(a, sizeof a);
    random_bits(b, sizeof b);
    steps(harness_random() < 0, N * 3 / 5);
    dump("out", out, sizeof out);
    return harness_end();
}
