// Variable-length arrays: as parameters, and on the stack of the caller.
//
// RUN: %gpu_cc %s %harness -o %t.gpu
// RUN: %ref_cc %s %harness -o %t.ref
// RUN: %run_ref %t.ref
// RUN: %run_gpu %t.gpu 2>&1 | %FileCheck %s
// RUN: cmp %t.ref.dump %t.gpu.dump
//
// CHECK: polygpu: scop product {{.*}} runs=2 declined=0 failed=0
// CHECK: polygpu: kernel {{.*}} launches=2
#include "exec.h"

NOINLINE static void product(int n, int m, int k, float c[n][m],
                             float a[n][k], float b[k][m])
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            c[i][j] = 0;
            for (int l = 0; l < k; l++)
                c[i][j] += a[i][l] * b[l][j];
        }
}

NOINLINE static void stack(int n, int m, int k)
{
    float a[n][k], b[k][m], c[n][m];

    harness_fill(a, (size_t)n * k, sizeof(float));
    harness_fill(b, (size_t)k * m, sizeof(float));
    poison(c, sizeof c);
    product(n, m, k, c, a, b);
    dump_float("c", &c[0][0], (size_t)n * m);
}

int main(int argc, char **argv)
{
    harness_start(argc, argv);
    stack(17, 19, 23);
    stack(1, 40, 3);
    return harness_end();
}
