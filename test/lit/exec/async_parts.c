// Products of parts of matrices, whose rows are longer: elements beside the part
// are not on the device, so that copies to shared memory that read too much are
// found. In three stages there are steps for none, some and all of them, with
// and without a rest, at each place of the buffers. (scripts/mutate plants
// errors here.)
//
// RUN: %gpu_cc %s %harness -mllvm -gpu-arch=sm_90 \
// RUN:   -mllvm '-gpu-sizes={ kernel[i] -> tile[8,8,4]; kernel[i] -> block[4,4]; kernel[i] -> grid[2,2]; kernel[i] -> stages[3] }' \
// RUN:   -o %t.gpu
// RUN: %ref_cc %s %harness -o %t.ref
// RUN: %run_ref %t.ref
// RUN: %run_gpu %t.gpu 2>&1 | %FileCheck %s
// RUN: cmp %t.ref.dump %t.gpu.dump
// RUN: %gpu_cc -DVECTORS %s %harness -mllvm -gpu-arch=sm_90 \
// RUN:   -mllvm '-gpu-sizes={ kernel[i] -> tile[8,8]; kernel[i] -> block[8]; kernel[i] -> grid[2]; kernel[i] -> stages[3] }' \
// RUN:   -o %t.gpu
// RUN: %ref_cc -DVECTORS %s %harness -o %t.ref
// RUN: %run_ref %t.ref
// RUN: %run_gpu %t.gpu 2>&1 | %FileCheck --check-prefix=VECTORS %s
// RUN: cmp %t.ref.dump %t.gpu.dump
//
// CHECK: polygpu: scop product {{.*}} runs=10 declined=0 failed=0
// CHECK: polygpu: kernel {{.*}} launches=10
// VECTORS: polygpu: scop rows {{.*}} runs=10 declined=0 failed=0
// VECTORS: polygpu: kernel {{.*}} launches=10
// VECTORS: polygpu: scop columns {{.*}} runs=10 declined=0 failed=0
// VECTORS: polygpu: kernel {{.*}} launches=10
#include "exec.h"

enum { MOST = 2000 };

static _Alignas(64) float a[MOST], b[MOST], c[MOST];

#ifdef VECTORS
NOINLINE static void rows(int n, int l, int row, float (*restrict p)[row],
                          float *restrict u, float *restrict v)
{
    for (int i = 0; i < n; i++)
        for (int k = 0; k < l; k++)
            v[i] += p[i][k] * u[k];
}

NOINLINE static void columns(int n, int l, int row, float (*restrict p)[row],
                             float *restrict u, float *restrict v)
{
    for (int i = 0; i < n; i++)
        for (int k = 0; k < l; k++)
            v[i] += p[k][i] * u[k];
}
#else
NOINLINE static void product(int n, int m, int l, int row, float alpha,
                             float (*restrict p)[row], float (*restrict q)[row],
                             float (*restrict r)[row])
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            for (int k = 0; k < l; k++)
                r[i][j] += alpha * p[i][k] * q[k][j];
}
#endif

HOST void all(int n, int m, int l, int row)
{
#ifdef VECTORS
    (void)m;
    rows(n, l, row, (float(*)[row])a, b, c);
    columns(n, l, row, (float(*)[row])a, b, c);
#else
    product(n, m, l, row, (float)harness_random(), (float(*)[row])a,
            (float(*)[row])b, (float(*)[row])c);
#endif
    dump("c", c, sizeof c);
}

int main(int argc, char **argv)
{
    static const int sizes[][4] = {
        {16, 24, 32, 36}, {24, 20, 20, 36}, {20, 24, 13, 36},
        {17, 19, 35, 44}, {24, 16, 33, 37}, {20, 18, 35, 37},
        {16, 16, 2, 20},  {16, 16, 6, 20},  {19, 20, 12, 23},
        {5, 6, 7, 9}};

    harness_start(argc, argv);
    for (int s = 0; s < 10; s++) {
        harness_fill(a, MOST, 4);
        harness_fill(b, MOST, 4);
        harness_fill(c, MOST, 4);
        all(sizes[s][0], sizes[s][1], sizes[s][2], sizes[s][3]);
    }
    return harness_end();
}
