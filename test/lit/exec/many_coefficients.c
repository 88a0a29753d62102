// Thirty variables that a pointer might point to: each comparison with it is in the
// run-time condition, as they are only read.  Written through a pointer to the last
// of them, the original loops run.
//
// RUN: %gpu_cc -ffp-contract=off %s %harness -o %t.gpu
// RUN: %ref_cc -ffp-contract=off %s %harness -o %t.ref
// RUN: %run_ref %t.ref apart
// RUN: %run_gpu %t.gpu apart 2>&1 | %FileCheck --check-prefix=APART %s
// RUN: cmp %t.ref.dump %t.gpu.dump
// RUN: %run_ref %t.ref inside
// RUN: %run_auto %t.gpu inside 2>&1 | %FileCheck --check-prefix=INSIDE %s
// RUN: cmp %t.ref.dump %t.gpu.dump
//
// APART: polygpu: scop mix {{.*}} runs=1 declined=0 failed=0
// APART: polygpu: kernel {{.*}} launches=1
// INSIDE: polygpu: scop mix {{.*}} runs=0 declined=1 failed=0
#include "exec.h"

#include <string.h>

enum { N = 100 };

float a[N], b[N];
float c0, c1, c2, c3, c4, c5, c6, c7, c8, c9;
float d0, d1, d2, d3, d4, d5, d6, d7, d8, d9;
float e0, e1, e2, e3, e4, e5, e6, e7, e8, e9;

NOINLINE void mix(int n, float *to, const float *from)
{
    for (int i = 0; i < n; i++) {
        float x = from[n - 1 - i];

        x = x * c0 + c1 * c2 + c3 * c4 + c5 * c6 + c7 * c8 + c9;
        x = x * d0 + d1 * d2 + d3 * d4 + d5 * d6 + d7 * d8 + d9;
        to[i] = x * e0 + e1 * e2 + e3 * e4 + e5 * e6 + e7 * e8 + e9;
    }
}

int main(int argc, char **argv)
{
    float *const all[] = {&c0, &c1, &c2, &c3, &c4, &c5, &c6, &c7, &c8, &c9,
                          &d0, &d1, &d2, &d3, &d4, &d5, &d6, &d7, &d8, &d9,
                          &e0, &e1, &e2, &e3, &e4, &e5, &e6, &e7, &e8, &e9};

    harness_start(argc, argv);
    harness_fill(a, N, sizeof *a);
    harness_fill(b, N, sizeof *b);
    for (unsigned i = 0; i < sizeof all / sizeof *all; i++)
        harness_fill(all[i], 1, sizeof **all);
    if (!strcmp(argv[1], "apart"))
        mix(N, a, b);
    else
        mix(1, &e9, b);
    dump("a", a, sizeof a);
    dump("e9", &e9, sizeof e9);
    return harness_end();
}
