// p[i + 1] and v[i] of a variable v meet in different iterations only: alias
// analysis has to be asked about these, or nobody compares their ranges at run
// time.  (s424 of TSVC.)
//
// RUN: %gpu_cc -ffp-contract=off %s %harness -o %t.gpu
// RUN: %ref_cc -ffp-contract=off %s %harness -o %t.ref
// RUN: %run_ref %t.ref
// RUN: %run_auto %t.gpu 2>&1 | %FileCheck %s
// RUN: cmp %t.ref.dump %t.gpu.dump
//
// Two of three runs of each overlap; the third function reads ahead of what it
// writes, so that it may.
// CHECK: polygpu: scop argument {{.*}} runs=1 declined=2 failed=0
// CHECK-NEXT: polygpu: kernel {{.*}} launches=1
// CHECK: polygpu: scop variable {{.*}} runs=1 declined=2 failed=0
// CHECK-NEXT: polygpu: kernel {{.*}} launches=1
// CHECK: polygpu: scop before {{.*}} runs=3 declined=0 failed=0
// CHECK-NEXT: polygpu: kernel {{.*}} launches=3
#include "exec.h"

enum { N = 900 };
float v[4 * N], *at;

NOINLINE static void argument(float *p, int n)
{
    for (int i = 0; i < n; i++)
        p[i + 1] = v[i] * 2 + 1;
}

NOINLINE static void variable(int n)
{
    for (int i = 0; i < n; i++)
        at[i + 8] = v[i] * 3 + 1;
}

NOINLINE static void before(float *p, int n)
{
    for (int i = 0; i < n; i++)
        v[i] = p[i + 1] * 4 + 1;
}

int main(int argc, char **argv)
{
    static const int distances[] = {63, 1, 2 * N};

    harness_start(argc, argv);
    harness_fill(v, 4 * N, sizeof *v);
    for (int k = 0; k < 3; k++) {
        at = v + distances[k];
        argument(at, N);
        dump("argument", v, sizeof v);
        variable(N);
        dump("variable", v, sizeof v);
        before(at, N);
        dump("before", v, sizeof v);
    }
    return harness_end();
}
