// A constant table in read-only memory, internal arrays and an internal
// scalar that is a parameter of the loop.
//
// RUN: %gpu_cc %s %harness -o %t.gpu
// RUN: %ref_cc %s %harness -o %t.ref
// RUN: %run_ref %t.ref
// RUN: %run_gpu %t.gpu 2>&1 | %FileCheck %s
// RUN: cmp %t.ref.dump %t.gpu.dump
//
// CHECK: polygpu: scop table {{.*}} runs=1 declined=0 failed=0
// CHECK: polygpu: kernel {{.*}} launches=1
// CHECK: polygpu: scop internal {{.*}} runs=1 declined=0 failed=0
// CHECK: polygpu: kernel {{.*}} launches=1
#include "exec.h"

enum { N = 64 };

static const int weights[8] = {3, 1, 4, 1, 5, 9, 2, 6};
static int x[N][8], y[N][8], z[N];
static int scale, bound;

NOINLINE static void table(int n)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < 8; j++)
            y[i][j] = x[i][j] * weights[7 - j];
}

NOINLINE static void internal(void)
{
    int n = bound, s = scale;

    for (int i = 0; i < n; i++)
        z[i] = y[i][3] * s + x[i][2];
}

int main(int argc, char **argv)
{
    harness_start(argc, argv);
    for (int i = 0; i < N * 8; i++)
        x[0][i] = (int)(harness_random() * 10000);
    poison(y, sizeof y);
    poison(z, sizeof z);
    scale = (int)(harness_random() * 50);
    bound = N - 1;
    table(N - 2);
    internal();
    dump("y", y, sizeof y);
    dump("z", z, sizeof z);
    return harness_end();
}
