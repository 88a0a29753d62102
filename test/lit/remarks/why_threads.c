// Where threads of the CPU do not run what the device does: elements that they
// cannot update as one.
//
// RUN: %clang_gpu -O3 -c %s -o %t.o -mllvm -gpu-cpu=parallel \
// RUN:   -Rpass-analysis=gpu-polyhedral 2>&1 | %FileCheck %s
typedef int anywhere __attribute__((aligned(1)));

void histogram(int n, anywhere *restrict a, const int *restrict at)
{
    // CHECK: [[@LINE+1]]:5: remark: on the CPU: the original loops, on one core ('a' is updated at places that are data, and its elements are no aligned integers; use
    for (int i = 0; i < n; i++)
        a[at[i]] += 1;
}

void twin(int n, int *restrict a, const int *restrict at)
{
    // CHECK: [[@LINE+1]]:5: remark: on the CPU: 1 loop on all cores
    for (int i = 0; i < n; i++)
        a[at[i]] += 1;
}
