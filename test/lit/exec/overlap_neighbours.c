// Of p[1] alias analysis knows that it is not the first byte of a variable,
// since p[0] would be in front of it; of p[0] it does not.  What the run-time
// condition compares of an array has all its accesses, and not only those that
// may overlap another one.
//
// RUN: %gpu_cc %s %harness -o %t.gpu
// RUN: %ref_cc %s %harness -o %t.ref
// RUN: %run_ref %t.ref apart
// RUN: %run_gpu %t.gpu apart 2>&1 | %FileCheck --check-prefix=APART %s
// RUN: cmp %t.ref.dump %t.gpu.dump
// RUN: %run_ref %t.ref overlap
// RUN: %run_auto %t.gpu overlap 2>&1 | %FileCheck --check-prefix=OVERLAP %s
// RUN: cmp %t.ref.dump %t.gpu.dump
//
// APART: polygpu: scop between {{.*}} runs=3 declined=0 failed=0
// APART: polygpu: kernel between{{.*}} launches=2
// OVERLAP: polygpu: scop between {{.*}} runs=0 declined=3 failed=0
#include "exec.h"

#include <string.h>

enum { N = 1000 };

unsigned char flag[32] __attribute__((aligned(8)));
static long numbers[2], q[N];

NOINLINE static void between(int n, long *p, long *restrict to)
{
    for (int i = 0; i < n; i++)
        to[i] += 3 * i;
    p[0] = n;
    p[1] = -n;
    flag[0] = (unsigned char)n;
    for (int i = 0; i < n; i++)
        to[i] ^= to[i] << 3;
}

int main(int argc, char **argv)
{
    static const int sizes[] = {0, 1, N};

    harness_start(argc, argv);
    int overlap = !strcmp(argv[1], "overlap");
    for (int i = 0; i < 3; i++) {
        harness_fill(q, N, sizeof *q);
        poison(numbers, sizeof numbers);
        poison(flag, sizeof flag);
        between(sizes[i], overlap ? (long *)flag : numbers, q);
        dump("q", q, sizeof q);
        dump("numbers", numbers, sizeof numbers);
        dump("flag", flag, sizeof flag);
    }
    return harness_end();
}
