// Rows whose number is no multiple of 4, or is 2 more than one of 5, and all
// others: isl gives the number of blocks in pieces such as (n - 3) / 20, each for
// those n for which it is an integer, and could not tell the largest of them.
//
// RUN: %gpu_cc %s %harness -o %t.gpu
// RUN: %ref_cc %s %harness -o %t.ref
// RUN: %run_ref %t.ref
// RUN: %run_gpu %t.gpu 2>&1 | %FileCheck %s
// RUN: cmp %t.ref.dump %t.gpu.dump
//
// CHECK: polygpu: scop rows {{.*}} runs=4 declined=0 failed=0
// CHECK-NEXT: kernel {{.*}} launches=4
// CHECK-NEXT: kernel {{.*}} launches=4
// CHECK-NOT: kernel
#include "exec.h"

enum { N = 47, M = 19, SIZES = 5 };

static const int sizes[SIZES] = {0, 5, 7, 40, N};

static float a[N][M], b[N][M];

NOINLINE static void rows(int n, int m)
{
    for (int i = 0; i < n; i++)
        if (i % 4 != 0 || i % 5 == 2) {
            for (int j = 0; j < m; j++)
                a[i][j] += 1.25f + b[i][j];
        } else {
            for (int j = 0; j < m; j++)
                b[i][j] *= 0.75f;
        }
}

int main(int argc, char **argv)
{
    harness_start(argc, argv);
    harness_fill(a, N * M, sizeof(float));
    harness_fill(b, N * M, sizeof(float));
    for (int s = 0; s < SIZES; s++)
        rows(sizes[s], M - s);
    dump("a", a, sizeof a);
    dump("b", b, sizeof b);
    return harness_end();
}
