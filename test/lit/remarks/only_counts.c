// Loops that count up to a border: what they compute is known in front of them,
// and it would not be right to say that they have no effect.  The near twin is
// for nothing.
//
// RUN: %clang_gpu -O3 -mllvm -gpu-offload -mllvm -gpu-targets=emulated \
// RUN:   -Rpass=gpu-polyhedral -Rpass-missed=gpu-polyhedral -c %s -o %t.o 2>&1 \
// RUN:   | %FileCheck %s

int clamped(int x)
{
    // CHECK: only_counts.c:[[@LINE+1]]:{{.*}}remark: loop not offloaded: the loops only count, up or down to what is known in front of them; compute that without a loop
    while (x < 0)
        x++;
    return x;
}

void forgotten(int x, int n)
{
    // CHECK: only_counts.c:[[@LINE+1]]:{{.*}}remark: loop not offloaded: the loops have no effect; remove them
    for (int i = 0; i < n; i++)
        x++;
}
