// Sizes that are unsigned numbers of 8 and 16 bits, from 128 and 32768 on as well: taken for
// signed ones they were below 0, and such loops ran on the host, which no profile said.
//
// RUN: %gpu_cc %s %harness -o %t.gpu
// RUN: %ref_cc %s %harness -o %t.ref
// RUN: %run_ref %t.ref
// RUN: %run_auto %t.gpu 2>&1 | %FileCheck %s
// RUN: cmp %t.ref.dump %t.gpu.dump
//
// CHECK: polygpu: scop bytes {{.*}} runs=3 declined=0 failed=0
// CHECK: polygpu: scop words {{.*}} runs=3 declined=0 failed=0
// CHECK: polygpu: scop members {{.*}} runs=5 declined=0 failed=0
// CHECK: polygpu: scop flags {{.*}} runs=3 declined=0 failed=0
// CHECK: polygpu: scop rows {{.*}} runs=3 declined=0 failed=0
#include "exec.h"

struct picture {
    unsigned char height, flags;
    unsigned short width;
};

enum { Most = 40000 };

static float a[6][Most];

NOINLINE static void bytes(float *x, unsigned char n)
{
    for (int i = 0; i < n; i++)
        x[i] = x[i] * 2 + 1;
}

NOINLINE static void words(float *x, unsigned short n)
{
    for (int i = 0; i < n; i++)
        x[i] = x[i] * 2 + 1;
}

NOINLINE static void members(float *x, const struct picture *p)
{
    for (int i = 0; i < p->height; i++)
        for (int j = 0; j < p->width; j++)
            x[i * p->width + j] += i - j;
}

NOINLINE static void flags(float *x, const struct picture *p, int n)
{
    unsigned f = p->flags;
    for (int i = 0; i < n; i++)
        x[i] += f & 16 ? f : 0;
}

NOINLINE static void rows(float *x, unsigned char first, unsigned char last)
{
    for (int i = first; i < last; i++)
        for (int j = 0; j < first; j++)
            x[i * first + j] += j;
}

int main(int argc, char **argv)
{
    harness_start(argc, argv);
    harness_fill(a, sizeof a / sizeof(float), sizeof(float));
    for (int k = 0; k < 3; k++) {
        struct picture p = {100 + 60 * k, 0x70 + 0x40 * k, 150};
        bytes(a[0], 127 + k);
        words(a[1], k == 2 ? Most : 32767 + k);
        members(a[2], &p);
        flags(a[3], &p, 200);
        rows(a[4], 60 + 60 * k, 199);
    }
    for (int k = 0; k < 2; k++) {
        struct picture p = {2, 0, Most / 2};
        members(a[5], &p);
    }
    dump("a", a, sizeof a);
    return harness_end();
}
