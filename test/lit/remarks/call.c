// A call that cannot be inlined is not offloaded.
//
// RUN: %clang_gpu -O3 -mllvm -gpu-offload -mllvm -gpu-targets=emulated \
// RUN:   -Rpass-missed=gpu-polyhedral -I%programs %s %harness -o %t.gpu 2>&1 \
// RUN:   | %FileCheck %s
// RUN: %clang -O3 -mfma -I%programs %s %harness -o %t.seq
// RUN: env POLYGPU_SEED=7 POLYGPU_DUMP=%t.expected %t.seq
// RUN: env POLYGPU_SEED=7 POLYGPU_DUMP=%t.dump POLYGPU_DEVICE=emulated POLYGPU_COST=off \
// RUN:   POLYGPU_PROFILE=lines %t.gpu 2>&1 | %FileCheck --check-prefix=PROFILE %s
// RUN: cmp %t.expected %t.dump
//
// PROFILE-NOT: polygpu: kernel
#include "harness.h"

__attribute__((noinline)) void update(int n, float *a)
{
    // CHECK: call.c:[[@LINE+1]]:{{.*}}remark: {{.*}}harness_random
    for (int i = 0; i < n; i++)
        a[i] = a[i] + (float)harness_random();
}

int main(int argc, char **argv)
{
    static float a[1000];

    harness_start(argc, argv);
    harness_fill(a, 1000, sizeof(float));
    update(1000, a);
    harness_dump("a", a, 1000, sizeof(float));
    return harness_end();
}
