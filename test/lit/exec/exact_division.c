// Code that copies elements ends at N / 10 where N has to be a multiple of 10,
// and isl calls that division exact for every N: as an exact division in LLVM it
// had any result, and the program went on for ever.  Here N is 3, 5 and 7.
//
// RUN: %gpu_cc %s %harness -o %t.gpu
// RUN: %ref_cc %s %harness -o %t.ref
// RUN: %run_ref %t.ref
// RUN: %run_gpu %t.gpu > %t.log 2>&1
// RUN: %FileCheck --input-file=%t.log %s
// RUN: cmp %t.ref.dump %t.gpu.dump
//
// CHECK-DAG: scop borders {{.*}} runs=3 declined=0 failed=0
// CHECK-DAG: kernel borders_{{.*}} launches=3
#include "exec.h"

unsigned long a[10][15], b[10][9];

// The branch that no call takes makes LLVM see rows of rows of a.
NOINLINE void borders(int n, int m, int never)
{
    for (int i = 0; i < n; i++) {
        a[i][0] = a[i][2];
        a[i][m + 2] = a[i][m] * 17;
    }
    for (int j = 0; j < m; j++) {
        a[0][j] = a[2][j];
        if (j > 0 && ((j >> 1) & 1) == 1)
            continue;
        a[n + 2][j] = a[n][j];
    }
    for (int i = 1; i < n; i++)
        for (int j = 1; j < m; j++) {
            b[i][j] -= a[i - 1][j] + a[i + 1][j] * 13;
            if (never > 5)
                for (int k = 0; k < 11; k++)
                    a[j][k + 10] = a[j - 6][j];
        }
}

int main(int argc, char **argv)
{
    harness_start(argc, argv);
    random_bits(a, sizeof a);
    random_bits(b, sizeof b);
    for (int n = 3; n <= 7; n += 2)
        borders(n, 6, 0);
    dump("a", a, sizeof a);
    dump("b", b, sizeof b);
    return harness_end();
}
