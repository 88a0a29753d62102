// Writes through an index are not offloaded: two may go to one element.
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

__attribute__((noinline)) void update(int n, float *a, const int *b)
{
    // CHECK: indirect.c:[[@LINE+1]]:{{.*}}remark: {{.*}}which element of 'a' is written{{.*}}depends on data, which is read from 'b', and two iterations may write the same one
    for (int i = 0; i < n; i++)
        a[b[i]] = 2 * a[b[i]] + 1;
}

int main(int argc, char **argv)
{
    static float a[1000];
    static int b[1000];

    harness_start(argc, argv);
    harness_fill(a, 1000, sizeof(float));
    for (int i = 0; i < 1000; i++)
        b[i] = (int)(harness_random() * harness_random() * 200) + 500;
    update(1000, a, b);
    harness_dump("a", a, 1000, sizeof(float));
    return harness_end();
}
