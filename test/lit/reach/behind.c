// Stores behind loops, under conditions on data and at the end of a function:
// what is written there once keeps no loop in front of it from the device.
//
// RUN: %gpu_cc %record %s %harness -o %t.gpu
// RUN: %ref_cc %s %harness -o %t.ref
// RUN: %run_ref %t.ref
// RUN: %run_gpu %t.gpu > %t.out 2>&1
// RUN: %shapes
// RUN: cmp %t.ref.dump %t.gpu.dump
#include "reach.h"

enum { N = 163 };

static float a[N], b[N], c[N];
static int kind[N];

// == stores behind loops: in one of two places of what the loop writes

SHAPE void one_of_two(int n, int d, int e, int f, int g, float *restrict a,
                      const float *restrict b)
{
    for (int i = 0; i < n; i++)
        a[i] += d * b[i];
    if (b[0] > 0)
        a[e] = d * e + f * g;
    else
        a[f] = d * e;
}

SHAPE void where_it_was_read(int n, int e, int f, float *restrict a,
                             const float *restrict b)
{
    for (int i = 0; i < n; i++)
        a[i] += 2 * b[i];
    if (b[1] > 0)
        a[e] = a[f] + 1;
    if (b[2] > 0)
        a[f] = a[e] * 3;
}

// == stores behind loops: in one place under a condition

SHAPE void under_condition(int n, int e, float *restrict a,
                           const float *restrict b)
{
    for (int i = 0; i < n; i++)
        a[i] += 2 * b[i];
    if (a[e] > 0)
        a[e] = 0;
}

// == stores behind loops: and a result

SHAPE float with_result(int n, int e, int f, float *restrict a,
                        const float *restrict b)
{
    for (int i = 0; i < n; i++)
        a[i] = 2 * b[i];
    if (b[3] > 0)
        a[e] = b[e] + 1;
    else
        a[f] = b[e];
    return a[f];
}

// == stores behind loops: between two loops

SHAPE void between_loops(int n, int e, int f, float *restrict a,
                         float *restrict c, const float *restrict b)
{
    for (int i = 0; i < n; i++)
        a[i] += b[i];
    if (b[0] > 0)
        a[e] = 7;
    else
        a[f] = b[e];
    for (int i = 0; i < n; i++)
        c[i] = a[i] * b[i];
}

// == stores behind loops: of pointers that may be equal

SHAPE void perhaps_equal(int n, int e, int f, float *a, const float *b)
{
    for (int i = 0; i < n; i++)
        a[i] = b[i] * 3;
    if (b[0] > 0)
        a[e] = b[f] + 1;
    else
        a[f] = b[e];
}

// == stores behind loops: of how many there were

SHAPE void count_behind(int n, float *restrict a, int *restrict count)
{
    for (int i = 0; i < n; i++)
        a[i] *= 2;
    *count = n;
}

int main(int argc, char **argv)
{
    harness_start(argc, argv);
    for (int at = 0; at < N; at++)
        kind[at] = at % 3;
    for (int sign = -1; sign <= 1; sign += 2) {
        harness_fill(b, N, sizeof *b);
        for (int at = 0; at < 4; at++)
            b[at] = sign * (0.25f + at);
        FLOATS(a, one_of_two(N, 3, 5, 7, 9, a, b));
        FLOATS(a, one_of_two(N, 3, 5, 5, 9, a, b));
        FLOATS(a, one_of_two(0, 3, 5, 7, 9, a, b));
        FLOATS(a, where_it_was_read(N, 5, 7, a, b));
        FLOATS(a, where_it_was_read(N - 20, 7, 7, a, b));
        FLOATS(a, under_condition(N, 11, a, b));
        FLOATS(a, under_condition(N, 12, a, b));
        RUN(a, with_result(N, 13, 4, a, b));
        FLOATS(a, between_loops(N, 13, 4, a, c, b));
        dump("c", c, sizeof c);
        RUN(a, perhaps_equal(N, 21, 33, a, b));
        FLOATS(a, count_behind(N, a, kind));
        dump("kind", kind, sizeof kind);
    }
    return harness_end();
}
