// A loop in a constructor runs before main, and before the static data of
// other files may be ready.
//
// RUN: %gpu_cc %s %harness -o %t.gpu
// RUN: %ref_cc %s %harness -o %t.ref
// RUN: %run_ref %t.ref
// RUN: %run_gpu %t.gpu 2>&1 | %FileCheck %s
// RUN: cmp %t.ref.dump %t.gpu.dump
//
// CHECK: polygpu: scop early {{.*}} runs=1 declined=0 failed=0
// CHECK: polygpu: kernel {{.*}} launches=1
#include "exec.h"

enum { N = 300 };

static int a[N];

__attribute__((constructor)) static void early(void)
{
    for (int i = 0; i < N; i++)
        a[i] = 3 * i + 1;
}

int main(int argc, char **argv)
{
    harness_start(argc, argv);
    dump("a", a, sizeof a);
    return harness_end();
}
