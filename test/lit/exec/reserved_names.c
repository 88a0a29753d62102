// Variables with names that the generated code, the core or isl use for
// something else: e0 is a subscript of a copied element, t0 a thread, c0 a
// counter; isl takes MAX, Floor or Infinity for words of its own.
//
// RUN: %ref_cc %s %harness -o %t.ref
// RUN: %run_ref %t.ref
// RUN: %gpu_cc -mfma %s %harness -o %t.gpu -mllvm '-gpu-sizes={ kernel[i] -> tile[16,16,4]; kernel[i] -> block[8,8]; kernel[i] -> grid[2,2] }'
// RUN: %run_gpu %t.gpu 2>&1 | %FileCheck %s
// RUN: cmp %t.ref.dump %t.gpu.dump
//
// CHECK: polygpu: scop subscripts {{.*}} runs=3 declined=0 failed=0
// CHECK-NEXT: polygpu: kernel subscripts_{{.*}} launches=3
// CHECK: polygpu: scop threads {{.*}} runs=3 declined=0 failed=0
// CHECK-NEXT: polygpu: kernel threads_{{.*}} launches=3
// CHECK: polygpu: scop words {{.*}} runs=3 declined=0 failed=0
// CHECK-NEXT: polygpu: kernel words_{{.*}} launches=3
#include "exec.h"

enum { MOST = 40 };

static float a[MOST * MOST], b[MOST * MOST], c[MOST * MOST];

NOINLINE static void subscripts(int e0, int e1, int e2, float (*restrict p)[e2],
                                float (*restrict q)[e1],
                                float (*restrict r)[e1])
{
    for (int i = 0; i < e0; i++)
        for (int j = 0; j < e1; j++)
            for (int k = 0; k < e2; k++)
                r[i][j] += p[i][k] * q[k][j];
}

NOINLINE static void threads(int t0, int b0, int c0, float (*restrict p)[c0],
                             float (*restrict q)[b0], float (*restrict r)[b0])
{
    for (int i = 0; i < t0; i++)
        for (int j = 0; j < b0; j++)
            for (int k = 0; k < c0; k++)
                r[i][j] += p[i][k] * q[k][j];
}

NOINLINE static void words(int MAX, int Floor, int Infinity,
                           float (*restrict p)[Infinity],
                           float (*restrict q)[Floor],
                           float (*restrict r)[Floor])
{
    for (int i = 0; i < MAX; i++)
        for (int j = 0; j < Floor; j++)
            for (int k = 0; k < Infinity; k++)
                r[i][j] += p[i][k] * q[k][j];
}

int main(int argc, char **argv)
{
    static const int sizes[] = {5, 32, 37};

    harness_start(argc, argv);
    for (int s = 0; s < 3; s++) {
        int n = sizes[s], m = n - 3, l = n - 1;

        harness_fill(a, MOST * MOST, sizeof(float));
        harness_fill(b, MOST * MOST, sizeof(float));
        harness_fill(c, MOST * MOST, sizeof(float));
        subscripts(n, m, l, (float(*)[l])a, (float(*)[m])b, (float(*)[m])c);
        threads(l, n, m, (float(*)[m])a, (float(*)[n])b, (float(*)[n])c);
        words(m, n, l, (float(*)[l])a, (float(*)[n])b, (float(*)[n])c);
        dump("c", c, sizeof c);
    }
    return harness_end();
}
