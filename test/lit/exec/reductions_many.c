// Sums and maxima of millions of elements: no index of 32 bits is too small for
// them.
//
// RUN: %checked_cc -mfma %s %harness -o %t.gpu
// RUN: %ref_cc %s %harness -o %t.ref
// RUN: %run_ref %t.ref
// RUN: %run_checked %t.gpu 2>&1 | %FileCheck %s
// RUN: cmp %t.ref.dump %t.gpu.dump
// RUN: %clang -O1 -Xclang -disable-llvm-passes -S -emit-llvm %s -o %t.ll \
// RUN:   -I%S/Inputs -I%programs
// RUN: %opt -passes='print<gpu-mapping>' -disable-output %t.ll 2>&1 | \
// RUN:     %FileCheck --check-prefix=LIMIT %s
//
// CHECK-DAG: scop sum {{.*}} runs=1 declined=0 failed=0
// CHECK-DAG: scop most {{.*}} runs=1 declined=0 failed=0
// LIMIT: scop sum
// LIMIT: indices: 32 bits, parameters at most 2147{{[0-9]+}}
// LIMIT: scop most
// LIMIT: indices: 32 bits, parameters at most 2147{{[0-9]+}}
#include "exec.h"

enum { N = 3000017 };

static int a[N];

NOINLINE static unsigned sum(int n, const int *a)
{
    unsigned s = 0;

    for (int i = 0; i < n; i++)
        s += a[i];
    return s;
}

NOINLINE static int most(int n, const int *a)
{
    int m = a[0];

    for (int i = 1; i < n; i++)
        m = a[i] > m ? a[i] : m;
    return m;
}

int main(int argc, char **argv)
{
    unsigned results[2];

    harness_start(argc, argv);
    random_bits(a, sizeof a);
    results[0] = sum(N, a);
    results[1] = (unsigned)most(N, a);
    dump("results", results, sizeof results);
    return harness_end();
}
