// Random numbers whose state is an array of the program's own: random() changes
// it, and what loops read of it on the device is copied there in each step.
//
// RUN: %ref_cc %s %harness -o %t.ref
// RUN: %run_ref %t.ref
// RUN: %gpu_cc %s %harness -o %t.gpu
// RUN: %run_gpu %t.gpu 2>&1 | %FileCheck %s
// RUN: cmp %t.ref.dump %t.gpu.dump
//
// 32 words of 4 bytes of each array in each of 5 steps.
// CHECK: scop own_state {{.*}} runs=5 declined=0 failed=0 bytes_in=1280
#define _DEFAULT_SOURCE
#include "exec.h"

#include <stdlib.h>

enum { WORDS = 32, STEPS = 5 };

static unsigned state[WORDS], seen[WORDS];
static long drawn[STEPS];

APART void own_state(unsigned *seen, const unsigned *state, int words)
{
    for (int t = 0; t < STEPS; t++) {
        for (int i = 0; i < words; i++)
            seen[i] = seen[i] * 3 + (state[i] ^ 5);
        drawn[t] = random();
    }
}

int main(int argc, char **argv)
{
    harness_start(argc, argv);
    for (int i = 0; i < WORDS; i++)
        seen[i] = (unsigned)(harness_random() * 1000);
    initstate((unsigned)(harness_random() * 1000), (char *)state, sizeof state);
    own_state(seen, state, WORDS);
    dump("seen", seen, sizeof seen);
    dump("drawn", drawn, sizeof drawn);
    return harness_end();
}
