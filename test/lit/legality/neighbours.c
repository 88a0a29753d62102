// A loop that is refused does not keep its neighbours in the same function from
// being offloaded, and the remark about it is about it alone.
//
// RUN: %clang_gpu -O2 -mllvm -gpu-offload -mllvm -gpu-targets=ptx,emulated \
// RUN:   -Rpass=gpu-polyhedral -Rpass-missed=gpu-polyhedral -c %s -o %t.o 2>&1 \
// RUN:   | %FileCheck --implicit-check-not=remark: %s

int helper(int x) __attribute__((const));

void call(int n, int *restrict a, int *restrict b, int *restrict c)
{
    // CHECK-DAG: neighbours.c:[[@LINE+1]]:{{.*}} remark: loops offloaded
    for (int i = 0; i < n; i++)
        a[i] = 3 * i;
    // CHECK-DAG: neighbours.c:[[@LINE+1]]:{{.*}} remark: loop not offloaded: {{.*}}'helper'
    for (int i = 0; i < n; i++)
        b[i] = helper(a[i]);
    // CHECK-DAG: neighbours.c:[[@LINE+1]]:{{.*}} remark: loops offloaded
    for (int i = 0; i < n; i++)
        c[i] = 5 * b[i];
}

void recurrence(int n, float *restrict a, float *restrict b)
{
    // CHECK-DAG: neighbours.c:[[@LINE+1]]:{{.*}} remark: loops offloaded
    for (int i = 0; i < n; i++)
        a[i] = 0.5f * b[i];
    // The whole is one SCoP: one thread does the recurrence on the device.
    for (int i = 1; i < n; i++)
        b[i] = b[i - 1] * 0.5f + a[i];
}
