// Several nests in one function, and one of them prints: the others are
// offloaded all the same, in the order of the source.
//
// RUN: %gpu_cc %s %harness -o %t.gpu
// RUN: %ref_cc %s %harness -o %t.ref
// RUN: %run_ref %t.ref
// RUN: %run_gpu %t.gpu 2>&1 | %FileCheck %s
// RUN: cmp %t.ref.dump %t.gpu.dump
//
// CHECK: polygpu: scop mixed {{.*}} runs=1 declined=0 failed=0
// CHECK: polygpu: kernel {{.*}} launches=1
// CHECK: polygpu: scop mixed {{.*}} runs=1 declined=0 failed=0
// CHECK: polygpu: kernel {{.*}} launches=1
// CHECK-NOT: polygpu: scop
#include "exec.h"

#include <stdio.h>

enum { N = 20 };

static int a[N][N], b[N][N];
static int printed;

NOINLINE static void mixed(int n)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            b[i][j] = a[j][i] * 3;
    for (int i = 0; i < n; i++) {
        printed += printf("%d\n", b[i][i]);
        b[i][0] = printed;
    }
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            a[i][j] = b[i][j] + b[j][i];
}

int main(int argc, char **argv)
{
    harness_start(argc, argv);
    for (int i = 0; i < N * N; i++)
        a[0][i] = (int)(harness_random() * 1000);
    poison(b, sizeof b);
    mixed(N);
    dump("a", a, sizeof a);
    dump("b", b, sizeof b);
    return harness_end();
}
