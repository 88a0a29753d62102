// A chain of launches is told as such, with what decides between both ways.
//
// RUN: %clang -O1 -Xclang -disable-llvm-passes -g -S -emit-llvm %s -o %t.ll
// RUN: %opt -passes=gpu-polyhedral -pass-remarks=gpu-polyhedral \
// RUN:   -disable-output %t.ll 2>&1 | %FileCheck %s
// RUN: %opt '-passes=print<gpu-mapping>' -disable-output %t.ll 2>&1 \
// RUN:   | %FileCheck --check-prefix=PLAN %s
//
// CHECK: remark: {{.*}}chain.c:[[@LINE+20]]:5: loops offloaded as 3 kernels:
// CHECK-SAME: sweep_{{[0-9]+}}_1 (1 parallel dimension, block 256x1x1)
// CHECK-SAME: sweep_{{[0-9]+}}_2 (1 parallel dimension, block 1024x1x1, with the loops around kernels in it, for small sizes)
// CHECK: remark: {{.*}}chain.c:[[@LINE+27]]:5: loops offloaded as 1 kernel:
// CHECK-SAME: constant_{{[0-9]+}}_0 (1 parallel dimension, block 128x1x1, with the loops around kernels in it)
//
// PLAN: kernel 2: sweep
// PLAN: with the loops around kernels in it
// PLAN: host:
// PLAN-NEXT: if (n >= 1)
// PLAN-NEXT: for (int c0 = 0; c0 < t; c0 += 1)
// PLAN: other way if: t <= 0 || n <= 4096
// PLAN-NEXT: host, other way:
// PLAN-NEXT: if (n >= 1)
// PLAN-NEXT: for (int c0 = 0; c0 <= floord(t - 1, 65536); c0 += 1)
// PLAN-NEXT: launch sweep_{{.*}}<<<(1, 1, 1), (1024, 1, 1)>>>(c0);
// PLAN: scop constant
// PLAN-NOT: other way
void sweep(int t, int n, double *restrict a, double *restrict b)
{
    for (int s = 0; s < t; s++) {
        for (int i = 0; i < n; i++)
            b[i] = a[n - 1 - i] * s;
        for (int i = 0; i < n; i++)
            a[i] = b[i] + s;
    }
}

void constant(double *restrict a, double *restrict b)
{
    for (int s = 0; s < 9; s++) {
        for (int i = 0; i < 100; i++)
            b[i] = a[99 - i] * s;
        for (int i = 0; i < 100; i++)
            a[i] = b[i] + s;
    }
}
