// Every other point of a thread's tile, where the first one depends on another
// loop: unrolled loops with a stride that begin somewhere (fuzz seed 60001224).
//
// RUN: %gpu_cc -mfma %s %harness -o %t.gpu
// RUN: %ref_cc %s %harness -o %t.ref
// RUN: %run_ref %t.ref
// RUN: %run_gpu %t.gpu 2>&1 | %FileCheck %s
// RUN: cmp %t.ref.dump %t.gpu.dump
//
// CHECK: scop turned {{.*}} runs=2 declined=0 failed=0
#include "exec.h"

#include <stdlib.h>

static unsigned char c[3][9];

/* The first nest is read across, so that the second gets buffers. */
NOINLINE static void turned(int n, int m, float (*restrict a)[3],
                            float (*restrict b)[n])
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            b[j][i] = a[i][j];
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++)
            if (i < j || (i + j) % 2 == 0)
                c[i][j] = (unsigned char)((b[i][j] > 0.5f) * 5);
            else
                c[i][j] = (unsigned char)((b[i][j] > 0.5f) + (a[j][i] > 0.5f));
}

NOINLINE static void all(int n, int m)
{
    float *a = harness_alloc(27, sizeof *a);
    float *b = harness_alloc(27, sizeof *b);

    harness_fill(a, 27, sizeof *a);
    poison(b, 27 * sizeof *b);
    poison(c, sizeof c);
    turned(n, m, (void *)a, (void *)b);
    dump("b", b, 27 * sizeof *b);
    dump("c", c, sizeof c);
    free(a);
    free(b);
}

int main(int argc, char **argv)
{
    harness_start(argc, argv);
    all(9, 3);
    all(5, 2);
    return harness_end();
}
