// Two loop nests of which one reads what the other wrote: the same point, which
// can be fused without loss, and its neighbours, where one parallel dimension
// would be lost. "auto" never gives one up.
//
// RUN: %ref_cc %s %harness -o %t.ref
// RUN: %run_ref %t.ref
//
// RUN: %gpu_cc %s %harness -o %t.gpu
// RUN: %run_gpu %t.gpu 2>&1 | %FileCheck --check-prefixes=CHECK,AUTO %s
// RUN: cmp %t.ref.dump %t.gpu.dump
// RUN: %gpu_cc -mllvm -gpu-fusion=depth %s %harness -o %t.gpu
// RUN: %run_gpu %t.gpu 2>&1 | %FileCheck --check-prefixes=CHECK,AUTO %s
// RUN: cmp %t.ref.dump %t.gpu.dump
// RUN: %gpu_cc -mllvm -gpu-fusion=min %s %harness -o %t.gpu
// RUN: %run_gpu %t.gpu 2>&1 | %FileCheck --check-prefixes=CHECK,MIN %s
// RUN: cmp %t.ref.dump %t.gpu.dump
// RUN: %gpu_cc -mllvm -gpu-fusion=max %s %harness -o %t.gpu
// RUN: %run_gpu %t.gpu 2>&1 | %FileCheck --check-prefixes=CHECK,MAX %s
// RUN: cmp %t.ref.dump %t.gpu.dump
//
// CHECK: polygpu: scop point {{.*}} runs=1 declined=0 failed=0
// AUTO-NEXT: kernel {{.*}} launches=1 {{.*}} block=32,8,1
// MIN-NEXT: kernel {{.*}} launches=1 {{.*}} block=32,8,1
// MIN-NEXT: kernel {{.*}} launches=1 {{.*}} block=32,8,1
// MAX-NEXT: kernel {{.*}} launches=1 {{.*}} block=32,8,1
// CHECK-NEXT: polygpu: scop neighbours {{.*}} runs=1 declined=0 failed=0
// AUTO-NEXT: kernel {{.*}} launches=1 {{.*}} block=32,8,1
// AUTO-NEXT: kernel {{.*}} launches=1 {{.*}} block=32,8,1
// MIN-NEXT: kernel {{.*}} launches=1 {{.*}} block=32,8,1
// MIN-NEXT: kernel {{.*}} launches=1 {{.*}} block=32,8,1
// MAX-NEXT: kernel {{.*}} launches=1 {{.*}} block=32,8,1
// CHECK-NOT: kernel
#include "exec.h"

enum { N = 75 };

static float a[N][N], b[2][N][N], c[2][N][N];

NOINLINE static void point(int n)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            b[0][i][j] = a[j][i] * 2;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            c[0][i][j] = b[0][i][j] + 1;
}

NOINLINE static void neighbours(int n)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            b[1][i][j] = a[j][i] * 3;
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < n - 1; j++)
            c[1][i][j] = b[1][i][j - 1] - b[1][i][j + 1];
}

int main(int argc, char **argv)
{
    harness_start(argc, argv);
    harness_fill(a, N * N, sizeof(float));
    poison(b, sizeof b);
    poison(c, sizeof c);
    point(N);
    neighbours(N);
    dump("b", b, sizeof b);
    dump("c", c, sizeof c);
    return harness_end();
}
