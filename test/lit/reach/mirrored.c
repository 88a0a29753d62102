// Loops in place that read what is as far from the other end: iterations of the
// first half come before those of the second, and nothing else is ordered.
//
// RUN: %gpu_cc -mfma %record %s %harness -o %t.gpu
// RUN: %ref_cc %s %harness -o %t.ref
// RUN: %run_ref %t.ref
// RUN: %run_gpu %t.gpu > %t.out 2>&1
// RUN: %shapes
// RUN: %FileCheck --implicit-check-not="grid=1,1,1 block=1,1,1" %s < %t.out
// RUN: cmp %t.ref.dump %t.gpu.dump
//
// CHECK: polygpu: kernel
#include "reach.h"

enum { MOST = 611 };

static float a[MOST + 8], b[MOST + 8], c[MOST + 8];
static int numbers[MOST + 8];

// == parallel loops: in place, from both ends

SHAPE void doubled(int n)
{
    for (int i = 0; i < n; i++)
        a[i] = a[n - 1 - i] * 2;
}

SHAPE void halves(int n, float *x)
{
    for (int i = 0; i < n; i++)
        x[i] = 0.5f * (x[i] + x[n - 1 - i]);
}

/* Two arrays, of which the second one gets what was read. */
SHAPE void both(int n, float *restrict x, float *restrict y,
                const float *restrict z)
{
    for (int i = 0; i < n; i++) {
        float v = x[n - i - 1] + y[i] * z[i];
        x[i] = v - 1;
        y[i] = v;
    }
}

SHAPE void from_behind(int n)
{
    for (int i = n - 1; i >= 0; i--)
        numbers[i] = numbers[i] * 3 - numbers[n - 1 - i];
}

SHAPE void from_the_third(int n)
{
    for (int i = 3; i < n; i++)
        a[i] = a[n - i + 2] + b[i];
}

/* Each waits for the one before. */
REFUSED("loop not offloaded: every loop depends on its own earlier iterations; "
        "nothing can run in parallel (the loops write 'numbers'); write "
        "results to an array that the loop does not read, or use one element "
        "per iteration instead of one scalar")
void in_a_row(int n)
{
    for (int i = 1; i < n; i++) // here
        numbers[i] = numbers[i - 1] / 2 - numbers[n - i];
}

static void run(int n)
{
    FLOATS(a, doubled(n));
    FLOATS(a, halves(n, a));
    harness_fill(b, MOST + 8, sizeof *b);
    harness_fill(c, MOST + 8, sizeof *c);
    FLOATS(a, both(n, a, b, c));
    dump("b", b, sizeof b);
    INTEGERS(numbers, from_behind(n));
    FLOATS(a, from_the_third(n + 3));
    INTEGERS(numbers, in_a_row(n));
}

int main(int argc, char **argv)
{
    harness_start(argc, argv);
    run(MOST);
    run(MOST - 1);
    run(64);
    run(3);
    run(2);
    run(1);
    return harness_end();
}
