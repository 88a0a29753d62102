// Waves without tiles, where bounds of the tiles' numbers contradict each other:
// there are no blocks then, not -15.
//
// RUN: %gpu_cc %s %harness -o %t.gpu -Rpass=gpu-polyhedral 2>&1 | \
// RUN:     %FileCheck --check-prefix=REMARK %s
// RUN: %ref_cc %s %harness -o %t.ref
// RUN: %run_ref %t.ref
// RUN: %run_gpu %t.gpu 2>&1 | %FileCheck %s
// RUN: cmp %t.ref.dump %t.gpu.dump
//
// REMARK: loops offloaded as 2 kernels: rows_{{.*}}, in waves of tiles)
// CHECK: scop rows {{.*}} runs=4 declined=0 failed=0
// CHECK: kernel rows_{{[0-9]+}}_1 device=emulated launches={{[1-9]}}
#include "exec.h"

#include <stdlib.h>

NOINLINE static void rows(int n, int m, unsigned b[m][m])
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            for (int k = 0; k < i; k++)
                b[i][j] += b[j][k];
}

static void step(int n, int m)
{
    size_t size = (size_t)m * (size_t)m;
    unsigned(*b)[m] = harness_alloc(size, sizeof(unsigned));

    for (int i = 0; i < m; i++)
        for (int j = 0; j < m; j++)
            b[i][j] = (unsigned)(harness_random() * 4e9);
    rows(n, m, b);
    dump("b", b, size * sizeof(unsigned));
    free(b);
}

int main(int argc, char **argv)
{
    harness_start(argc, argv);
    step(1, 1);
    step(5, 6);
    step(31, 40);
    step(40, 40);
    step(66, 70);
    return harness_end();
}
