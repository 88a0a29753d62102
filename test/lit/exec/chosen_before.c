// A value that is chosen between paths before the offloaded loops and first
// used by them: a phi at the entry of the SCoP, copied to the device.
//
// RUN: %gpu_cc %s %harness -o %t.gpu
// RUN: %ref_cc %s %harness -o %t.ref
// RUN: %run_ref %t.ref
// RUN: %run_gpu %t.gpu 2>&1 | %FileCheck %s
// RUN: cmp %t.ref.dump %t.gpu.dump
//
// CHECK: polygpu: scop choose {{.*}} runs=2 declined=0 failed=0
#include "exec.h"

enum { N = 40 };

static double g[4][N], a[N], u[N];

NOINLINE static void choose(long n, double *to, const double *from,
                            const double *other)
{
    to[3 * N] = 1 == from[3] ? 1 : other[0];
    for (long i = 0; i < n; i++)
        to[2 * N + i] = 1;
}

int main(int argc, char **argv)
{
    harness_start(argc, argv);
    for (int i = 0; i < N; i++) {
        a[i] = harness_random();
        u[i] = harness_random();
    }
    poison(g, sizeof g);
    choose(N - 1, g[0], a, u);
    dump("first", g, sizeof g);
    a[3] = 1;
    choose(N, g[0], a, u);
    dump("second", g, sizeof g);
    return harness_end();
}
