// What is copied of arrays of four dimensions: all, whole rows, whole planes,
// and parts of each, inside of an array with more around; and nothing, which is
// no run.
//
// RUN: %gpu_cc -mfma %s %harness -o %t.gpu
// RUN: %ref_cc %s %harness -o %t.ref
// RUN: %run_ref %t.ref
// RUN: %run_gpu %t.gpu 2>&1 | %FileCheck %s
// RUN: cmp %t.ref.dump %t.gpu.dump
//
// CHECK: scop box {{.*}} runs=16 declined=0 failed=0
// CHECK: kernel box_{{[0-9]+}}_0 device=emulated launches={{[1-9]}}
#include "exec.h"

enum { N = 5, M = 4, K = 6, L = 3 };

static double a[N][M][K][L], all[81][N][M][K][L];

NOINLINE static void box(int n, int m, int k, int l, int ms, int ks, int ls,
                         double (*restrict x)[ms][ks][ls],
                         double (*restrict y)[ms][ks][ls])
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            for (int p = 0; p < k; p++)
                for (int q = 0; q < l; q++)
                    y[i][j][p][q] = 3 * x[i][j][p][q] + y[i][j][p][q];
}

int main(int argc, char **argv)
{
    /* None, some and all of each dimension. */
    const int n[] = {0, 3, N}, m[] = {0, 2, M}, k[] = {0, 5, K},
              l[] = {0, 1, L};

    harness_start(argc, argv);
    harness_fill(a, sizeof a / sizeof(double), sizeof(double));
    for (int c = 0; c < 81; c++) {
        harness_fill(all[c], sizeof a / sizeof(double), sizeof(double));
        box(n[c / 27], m[c / 9 % 3], k[c / 3 % 3], l[c % 3], M, K, L, a,
            all[c]);
    }
    harness_dump("all", all, sizeof all / sizeof(double), sizeof(double));
    return harness_end();
}
