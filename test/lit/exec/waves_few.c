// Waves of tiles of statements that have tiles for different sizes each: there
// are as many launches as one of them needs, not as many as bounds that all of
// them have would allow (33,554,432 here).
//
// RUN: %gpu_cc -mfma %s %harness -o %t.gpu -Rpass=gpu-polyhedral \
// RUN:     -mllvm -gpu-fusion=max -mllvm -gpu-promotion=off \
// RUN:     -mllvm -gpu-arch=sm_90 2>&1 | %FileCheck --check-prefix=REMARK %s
// RUN: %ref_cc %s %harness -o %t.ref
// RUN: %run_ref %t.ref
// RUN: %run_gpu %t.gpu 2>&1 | %FileCheck %s
// RUN: cmp %t.ref.dump %t.gpu.dump
//
// REMARK: loops offloaded as 1 kernel: rows_{{.*}}, in waves of tiles)
// CHECK: scop rows {{.*}} runs=5 declined=0 failed=0
// CHECK: kernel rows_{{[0-9]+}}_0 device=emulated launches=6 grid
#include "exec.h"

#include <stdlib.h>

enum { N = 20, M = 64 };

unsigned char table[N][N];
short a[M];

NOINLINE static void rows(int n, int m, unsigned char *restrict y,
                          const unsigned long *restrict w)
{
    for (int t = 0; t < 2; t++) {
        for (int i = 0; i < n; i++)
            if (i / 5 < 5 || t < 9)
                y[t] = (unsigned char)(~(table[t][i] + table[i][t]) +
                                       a[t + 2] * a[t] + a[i]);
        for (int i = 0; i < n; i++)
            for (int j = n - 1; j >= 0; j--)
                for (int k = 0; k < m; k++)
                    y[k] = (unsigned char)(a[k] - i + t);
    }
    unsigned long s = 0;
    for (int j = 0; j < m; j++)
        for (int i = 0; i < 3; i++) {
            s = w[i];
            y[j] = (unsigned char)s;
        }
    y[3] = (unsigned char)s;
}

int main(int argc, char **argv)
{
    static const int sizes[][2] = {{8, 7}, {1, 4}, {18, 60}, {5, 64}, {17, 1}};
    unsigned char *y = harness_alloc(M, sizeof *y);
    unsigned long *w = harness_alloc(M, sizeof *w);

    harness_start(argc, argv);
    random_bits(table, sizeof table);
    random_bits(a, sizeof a);
    random_bits(w, M * sizeof *w);
    for (int i = 0; i < 5; i++) {
        random_bits(y, M);
        rows(sizes[i][0], sizes[i][1], y, w);
        dump("y", y, M);
    }
    free(y);
    free(w);
    return harness_end();
}
