// A truth value that loops hand on is a byte in memory, also where several are
// copied to shared memory at once: as a vector they would be bits.
//
// RUN: %gpu_cc -mfma %s %harness -o %t.gpu
// RUN: %ref_cc %s %harness -o %t.ref
// RUN: %run_ref %t.ref
// RUN: %run_gpu %t.gpu 2>&1 | %FileCheck %s
// RUN: cmp %t.ref.dump %t.gpu.dump
//
// CHECK: scop last {{.*}} runs=3 declined=0 failed=0
// CHECK: scop each {{.*}} runs=3 declined=0 failed=0
#include "exec.h"

enum { N = 7, M = 45, SIZE = 50 };

static double a[SIZE][SIZE], b[SIZE][SIZE], row[SIZE];

/* What the flag is in the last iteration is read behind the loops. */
NOINLINE static void last(double (*restrict to)[SIZE],
                          double (*restrict from)[SIZE])
{
    int above = 0;

    for (int j = 0; j < 3; j++)
        for (int i = 0; i < 3; i++) {
            above = from[i][j] > 0.5;
            for (int k = 0; k < 5; k++)
                to[j][i] = above * (from[0][k] * from[0][k + 1]) + from[j][k];
            row[0] = 1;
        }
    to[5][6] = above;
}

NOINLINE static void each(int n, int m, double (*restrict to)[SIZE],
                          double (*restrict from)[SIZE])
{
    for (int j = 0; j < n; j++) {
        _Bool above = 0;

        for (int i = 0; i < m; i++) {
            above = from[j][i] > 0.5;
            for (int k = 0; k < 4; k++)
                to[j][i] = above * from[k][i] + from[j][k];
        }
        row[j] = above;
    }
}

int main(int argc, char **argv)
{
    harness_start(argc, argv);
    for (int t = 0; t < 3; t++) {
        harness_fill(a, SIZE * SIZE, sizeof a[0][0]);
        harness_fill(b, SIZE * SIZE, sizeof b[0][0]);
        last(b, a);
        harness_dump("last", b, SIZE * SIZE, sizeof b[0][0]);
        each(N, M - 20 * t, b, a);
        harness_dump("each", b, SIZE * SIZE, sizeof b[0][0]);
        harness_dump("row", row, SIZE, sizeof row[0]);
    }
    return harness_end();
}
