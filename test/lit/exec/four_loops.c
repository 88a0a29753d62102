// Four parallel loops with tiles for three of them, and for one: threads go to
// the loops that have tiles (the compiler crashed, taking the threads of the
// first from in front of a table).
//
// RUN: %gpu_cc %s %harness -o %t.gpu -mllvm -gpu-promotion=off -mllvm \
// RUN:   '-gpu-sizes={ kernel[0] -> tile[3,9,33]; kernel[1] -> tile[5] }'
// RUN: %ref_cc %s %harness -o %t.ref
// RUN: %run_ref %t.ref
// RUN: %run_gpu %t.gpu 2>&1 | %FileCheck %s
// RUN: cmp %t.ref.dump %t.gpu.dump
//
// CHECK: polygpu: scop both {{.*}} runs=1 declined=0 failed=0
// CHECK-NEXT: kernel {{.*}} launches=1 {{.*}} block=32,4,3
// CHECK-NEXT: kernel {{.*}} launches=1 {{.*}} block=5,1,1
// CHECK-NOT: kernel
#include "exec.h"

enum { N = 4, M = 11, K = 35, L = 3 };

static float a[N][M][K][L], b[N][M][K][L], c[L][K][M][N];

NOINLINE static void both(int n, int m)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            for (int k = 0; k < K; k++)
                for (int l = 0; l < L; l++)
                    a[i][j][k][l] = b[i][j][k][l] * 0.5f;
    for (int l = 0; l < L; l++)
        for (int k = 0; k < K; k++)
            for (int j = 0; j < m; j++)
                for (int i = 0; i < n; i++)
                    c[l][k][j][i] += b[n - 1 - i][j][k][l];
}

int main(int argc, char **argv)
{
    harness_start(argc, argv);
    harness_fill(b, sizeof b / sizeof(float), sizeof(float));
    harness_fill(c, sizeof c / sizeof(float), sizeof(float));
    both(N, M);
    dump("a", a, sizeof a);
    dump("c", c, sizeof c);
    return harness_end();
}
