// More waves are launched than have something to do, since extents of arrays say
// more about parameters than the launches know: tiles of these do nothing (fuzz seeds
// 71000617, 71000629).
//
// RUN: %gpu_cc -mfma -mllvm -gpu-time=tiles \
// RUN:   -mllvm '-gpu-sizes={ kernel[i] -> tile[8,7,7] }' %s %harness -o %t.gpu
// RUN: %ref_cc %s %harness -o %t.ref
// RUN: %run_ref %t.ref
// RUN: %run_gpu %t.gpu 2>&1 | %FileCheck %s
// RUN: cmp %t.ref.dump %t.gpu.dump
//
// CHECK: scop factor {{.*}} runs=4 declined=0 failed=0
// CHECK-NEXT: kernel factor_{{.*}} launches=5 
#include "exec.h"

static unsigned short a[5][5];

NOINLINE static void factor(int n)
{
    for (int k = 0; k < n; k++) {
        for (int i = k + 1; i < n; i++)
            a[i][k] = (unsigned short)((unsigned)a[i][k] * a[k][k]);
        for (int i = k + 1; i < n; i++)
            for (int j = i; j < n; j++)
                a[i][j] = (unsigned short)(a[i][j] - (unsigned)a[i][k] * a[k][j]);
    }
}

int main(int argc, char **argv)
{
    harness_start(argc, argv);
    for (int n = 2; n <= 5; n++) {
        random_bits(a, sizeof a);
        factor(n);
        dump("a", a, sizeof a);
    }
    return harness_end();
}
