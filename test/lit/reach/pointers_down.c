// Loops that end where a pointer has come to another one of the same array, which
// is asked behind each step.
//
// RUN: %gpu_cc -mfma %record %s %harness -o %t.gpu
// RUN: %ref_cc %s %harness -o %t.ref
// RUN: %run_ref %t.ref
// RUN: %run_gpu %t.gpu > %t.out 2>&1
// RUN: %shapes
// RUN: cmp %t.ref.dump %t.gpu.dump
#include "reach.h"

enum { MOST = 4096 };

static float a[MOST], b[MOST];

// == pointers to the first element: eight elements at a time, from the end on

SHAPE void scale(float *x, int n)
{
    float *at = x + n - 8;

    do {
        for (int k = 0; k < 8; k++)
            at[k] = 2 * at[k] + k;
        at -= 8;
    } while (at >= x);
}

// == pointers to the first element: both halves of an array

SHAPE void halves(float *x, int n)
{
    float *high = x + n - 2, *low = x + (n >> 1) - 2;

    do {
        float r = high[0] - low[0], s = high[1] - low[1];

        high[0] += low[0];
        high[1] += low[1];
        low[0] = r * s;
        low[1] = r + s;
        high -= 2;
        low -= 2;
    } while (low >= x);
}

// == pointers to the first element: two arrays, up to a place in one

SHAPE void gather(float *restrict to, const float *restrict from, int n)
{
    const float *p = from + 1, *last = from + n;

    do {
        *to++ = p[0] - p[-1];
        p += 2;
    } while (p < last);
}

static void run(int n)
{
    FLOATS(a, scale(a, n));
    FLOATS(a, halves(a, n));
    harness_fill(b, MOST, sizeof *b);
    RUN(a, gather(a, b, n));
}

int main(int argc, char **argv)
{
    harness_start(argc, argv);
    run(MOST);
    run(1024);
    run(1040);
    return harness_end();
}
