// In one loop of the host an element of an array is changed atomically, which
// reads and writes these bytes, and the array is freed, which ends all of it:
// results come to the host before, and not later into the next object there.
//
// RUN: %ref_cc %s %harness -o %t.ref
// RUN: %run_ref %t.ref
// RUN: %gpu_cc %s %harness -o %t.gpu
// RUN: %run_gpu %t.gpu 2>&1 | %FileCheck %s
// RUN: cmp %t.ref.dump %t.gpu.dump
// RUN: %run_faults
//
// CHECK: polygpu: scop replaced {{.*}} runs=3 declined=0 failed=0
// CHECK: polygpu: scop replaced {{.*}} runs=3 declined=0 failed=0
#include "exec.h"

#include <stdlib.h>
#include <string.h>

enum { N = 100 };

static unsigned from[N];

/* The results are behind the element that is changed. */
NOINLINE static unsigned *replaced(unsigned *old, int steps, int last)
{
    unsigned *fresh;

    for (int t = 0; t < steps; t++) {
        for (int i = N / 2; i < N; i++)
            old[i] = from[i] * 3 + (unsigned)t;
        if (t == 100)
            harness_random();
        for (int i = 0; i < N; i++)
            from[i] ^= (unsigned)i;
    }
    for (int j = 0; j <= last; j++) {
        __atomic_fetch_add(old, 1, __ATOMIC_RELAXED);
        if (j == last)
            free(old);
    }
    fresh = malloc(N * sizeof *fresh);
    memset(fresh, 7, N * sizeof *fresh);
    return fresh;
}

int main(int argc, char **argv)
{
    unsigned *array;

    harness_start(argc, argv);
    random_bits(from, sizeof from);
    array = malloc(N * sizeof *array);
    random_bits(array, N * sizeof *array);
    array = replaced(array, 3, 3);
    dump("fresh", array, N * sizeof *array);
    dump("from", from, sizeof from);
    free(array);
    return harness_end();
}
