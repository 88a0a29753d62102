// Counters that go on behind a nest are computed in front of it: they are no
// results of its kernels, and nothing but the array comes back.
//
// RUN: %gpu_cc %s %harness -o %t.gpu
// RUN: %ref_cc %s %harness -o %t.ref
// RUN: %run_ref %t.ref
// RUN: %run_gpu %t.gpu 2>&1 | %FileCheck --implicit-check-not=kernel %s
// RUN: cmp %t.ref.dump %t.gpu.dump
//
// CHECK: polygpu: scop rows {{.*}} runs=9 declined=0 failed=0
// CHECK-NEXT: polygpu: kernel {{.*}} launches=9
// CHECK: polygpu: scop backwards {{.*}} runs=9 declined=0 failed=0
// CHECK-NEXT: polygpu: kernel {{.*}} launches=9
#include "exec.h"

enum { N = 9, M = 70 };
static double a[N * M + 8];

HOST void seen(int k)
{
    a[N * M + 1] += k;
}

NOINLINE static int rows(int n, int m, int at)
{
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < m; j++) {
            a[at] = a[at] * j + at;
            at++;
        }
        seen(at);
    }
    return at;
}

NOINLINE static long backwards(int n, int m, long at)
{
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < m; j++)
            a[at - j] = a[at - j] / (j + 1) - m;
        at -= m;
        seen((int)at);
    }
    return at;
}

int main(int argc, char **argv)
{
    long at[4];

    harness_start(argc, argv);
    harness_fill(a, N * M + 8, sizeof *a);
    at[0] = rows(N - 1, M, 5);
    at[1] = rows(1, 1, 3);
    at[2] = backwards(N - 1, M - 1, N * M - 1);
    at[3] = backwards(1, 2, 7);
    dump("a", a, sizeof a);
    dump("at", at, sizeof at);
    return harness_end();
}
