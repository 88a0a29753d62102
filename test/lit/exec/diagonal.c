// Diagonals: both subscripts of a matrix are the same counter, or one is the
// other plus a constant, or they run against each other.
//
// RUN: %gpu_cc %s %harness -o %t.gpu
// RUN: %ref_cc %s %harness -o %t.ref
// RUN: %run_ref %t.ref
// RUN: %run_gpu %t.gpu 2>&1 | %FileCheck %s
// RUN: cmp %t.ref.dump %t.gpu.dump
//
// CHECK: polygpu: scop diagonal {{.*}} runs=1 declined=0 failed=0
// CHECK: polygpu: kernel {{.*}} launches=1
// CHECK: polygpu: scop above {{.*}} runs=1 declined=0 failed=0
// CHECK: polygpu: kernel {{.*}} launches=1
// CHECK: polygpu: scop anti {{.*}} runs=1 declined=0 failed=0
// CHECK: polygpu: kernel {{.*}} launches=1
#include "exec.h"

enum { N = 47 };

static int in[N][N], out[3][N][N];

NOINLINE static void diagonal(int n)
{
    for (int i = 0; i < n; i++)
        out[0][i][i] = in[i][i] * 4;
}

NOINLINE static void above(int n)
{
    for (int i = 5; i < n; i++)
        out[1][i - 1][i] = in[i][5] - 1;
}

NOINLINE static void anti(int n)
{
    for (int i = 0; i < n; i++)
        out[2][i][n - 1 - i] = in[n - 1 - i][i];
}

int main(int argc, char **argv)
{
    harness_start(argc, argv);
    random_bits(in, sizeof in);
    for (int i = 0; i < N * N; i++)
        in[0][i] /= 8;
    poison(out, sizeof out);
    diagonal(N);
    above(N);
    anti(N);
    dump("out", out, sizeof out);
    return harness_end();
}
