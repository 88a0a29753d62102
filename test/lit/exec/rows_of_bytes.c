// A thread reads rows of five of eight bytes at once, as one access of eight:
// also behind the last element that the kernel was given, where that access is
// aligned.
//
// RUN: %gpu_cc %s %harness -o %t.gpu
// RUN: %ref_cc %s %harness -o %t.ref
// RUN: %run_ref %t.ref
// RUN: %run_gpu %t.gpu 2>&1 | %FileCheck %s
// RUN: cmp %t.ref.dump %t.gpu.dump
//
// CHECK: polygpu: scop rows {{.*}} runs=1 declined=0 failed=0
// CHECK: polygpu: kernel rows{{.*}} launches=1
#include "exec.h"

enum { N = 6 };

static char a[N][5][8], b[N][5][5], c[N][5][5];

NOINLINE static void rows(int n, char (*restrict to)[5][8], char (*x)[5][5],
                          char (*y)[5][5])
{
    for (int b = 0; b < n; b++)
        for (int i = 0; i < 5; i++)
            for (int j = 0; j < 5; j++) {
                to[b][i][j] = (char)(to[b][i][j] * 19);
                for (int k = 0; k < 5; k++)
                    to[b][i][j] = (char)(to[b][i][j] + x[b][i][k] * y[b][k][j]);
            }
}

int main(int argc, char **argv)
{
    harness_start(argc, argv);
    random_bits(a, sizeof a);
    random_bits(b, sizeof b);
    random_bits(c, sizeof c);
    rows(N, a, b, c);
    dump("a", a, sizeof a);
    return harness_end();
}
