// Results in two arrays that are parts of a third one, which an earlier run has
// had on the device as a whole: both stay there, and both come back.
//
// RUN: %ref_cc %s %harness -o %t.ref
// RUN: %run_ref %t.ref
// RUN: %gpu_cc %s %harness -o %t.gpu
// RUN: %run_gpu %t.gpu 2>&1 | %FileCheck %s
// RUN: cmp %t.ref.dump %t.gpu.dump
// RUN: %run_faults
//
// CHECK: polygpu: scop steps {{.*}} runs=3 declined=0 failed=0
// CHECK: polygpu: scop steps {{.*}} runs=3 declined=0 failed=0
#include "exec.h"

enum { N = 512 };

static _Alignas(256) unsigned whole[N];
static unsigned copy[N], sums[3];

NOINLINE static void steps(unsigned *all, unsigned *low, unsigned *high, int n)
{
    for (int t = 0; t < 3; t++) {
        for (int i = 0; i < 2 * n; i++)
            copy[i] ^= all[i] * 3;
        harness_random(); /* everything comes back */
        for (int i = 0; i < n; i++) {
            low[i] += i * 7u + t;
            high[i] ^= i * 5u + t;
        }
        sums[t] = low[t] + high[n - 1];
    }
}

int main(int argc, char **argv)
{
    harness_start(argc, argv);
    random_bits(whole, sizeof whole);
    steps(whole, whole, whole + N / 2, N / 2);
    dump("whole", whole, sizeof whole);
    dump("copy", copy, sizeof copy);
    dump("sums", sums, sizeof sums);
    return harness_end();
}
