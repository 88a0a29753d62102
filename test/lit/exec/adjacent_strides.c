// Arrays right behind each other do not overlap, also where a loop that is
// unrolled by hand goes to the end of its last group.  One element of that group
// in common is an overlap.
//
// RUN: %gpu_cc %s %harness -o %t.gpu
// RUN: %ref_cc %s %harness -o %t.ref
// RUN: %run_ref %t.ref
// RUN: %run_auto %t.gpu 2>&1 | %FileCheck %s
// RUN: cmp %t.ref.dump %t.gpu.dump
//
// CHECK-DAG: polygpu: scop fours {{.*}} runs=3 declined=1 failed=0
// CHECK-DAG: polygpu: kernel fours_{{.*}} launches=3
// CHECK-DAG: polygpu: scop pairs {{.*}} runs=2 declined=1 failed=0
// CHECK-DAG: polygpu: kernel pairs_{{.*}} launches=2
#include "exec.h"

enum { LENGTH = 64 };

static double memory[3 * LENGTH];

NOINLINE static void fours(int n, double *to, const double *x, const double *y)
{
    for (int i = 0; i < n; i += 4) {
        to[i] = x[i] + y[i];
        to[i + 1] = x[i + 1] - y[i + 1];
        to[i + 2] = x[i + 2] + 2 * y[i + 2];
        to[i + 3] = x[i + 3] - 2 * y[i + 3];
    }
}

/* Complex numbers. */
NOINLINE static void pairs(int n, double *to, const double *x)
{
    for (int i = 0; i < n; i += 2) {
        to[i] = x[i] - x[i + 1];
        to[i + 1] = x[i] + x[i + 1];
    }
}

int main(int argc, char **argv)
{
    double *middle = memory + LENGTH, *last = memory + 2 * LENGTH;

    harness_start(argc, argv);
    harness_fill(memory, 3 * LENGTH, sizeof *memory);
    fours(LENGTH, middle, memory, last);
    dump("fours", memory, sizeof memory);
    fours(LENGTH - 3, middle, memory, last);
    dump("fours again", memory, sizeof memory);
    fours(LENGTH - 4, middle + 4, memory, last);
    dump("fours behind", memory, sizeof memory);
    fours(LENGTH - 3, middle, memory + 1, last); // overlaps
    dump("fours overlapping", memory, sizeof memory);
    pairs(LENGTH, middle, memory);
    dump("pairs", memory, sizeof memory);
    pairs(LENGTH - 1, middle, last);
    dump("pairs again", memory, sizeof memory);
    pairs(LENGTH - 1, middle, memory + 1); // overlaps
    dump("pairs overlapping", memory, sizeof memory);
    return harness_end();
}
