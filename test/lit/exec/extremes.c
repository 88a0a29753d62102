// Sizes at the ends of their types: an inner loop without iterations inside
// almost INT_MAX others, negative sizes and zero launch nothing; few iterations
// at high counters do.  Where the kernel's arithmetic does not reach ("far"),
// the original loops run.
//
// RUN: %gpu_cc %s %harness -o %t.gpu
// RUN: %ref_cc %s %harness -o %t.ref
// RUN: %run_ref %t.ref
// RUN: %run_gpu %t.gpu 2>&1 | %FileCheck %s
// RUN: cmp %t.ref.dump %t.gpu.dump
// RUN: %run_ref %t.ref far
// RUN: %run_auto %t.gpu far 2>&1 | %FileCheck --check-prefix=FAR %s
// RUN: cmp %t.ref.dump %t.gpu.dump
//
// CHECK: polygpu: scop inner {{.*}} runs={{[1-6]}} declined=0 failed=0
// CHECK: polygpu: kernel {{.*}} launches=1
// CHECK: polygpu: scop window {{.*}} runs={{[12]}} declined=0 failed=0
// CHECK: polygpu: kernel {{.*}} launches=1
// FAR: polygpu: scop window {{.*}} failed=0
// FAR: polygpu: kernel {{.*}} launches={{[0-5]}}
#include "exec.h"

#include <limits.h>

enum { N = 30 };

static int a[N * N];

NOINLINE static void inner(int n, int m)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            a[i * N + j] = i - j;
}

/* Few iterations at very high counters. */
NOINLINE static void window(int from, int to)
{
    for (int i = from; i < to; i++)
        a[i - from] ^= i;
}

int main(int argc, char **argv)
{
    harness_start(argc, argv);
    random_bits(a, sizeof a);
    for (int i = 0; i < N * N; i++)
        a[i] /= 4;
    inner(INT_MAX - 1, 0);
    inner(INT_MAX, -5);
    inner(-3, N);
    inner(INT_MIN, INT_MIN);
    inner(0, 0);
    inner(N, N - 1);
    window(500000000, 500000000 + N);
    if (argc > 1) {
        window(1000000000, 1000000000 + N);
        window(INT_MAX - N, INT_MAX);
        window(INT_MIN, INT_MIN + N);
        window(-N / 2, N / 2);
    }
    window(INT_MAX, INT_MIN);
    window(5, 5);
    dump("a", a, sizeof a);
    return harness_end();
}
