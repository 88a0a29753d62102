// Loops that read one element of an array which they write: those in front of it
// read what was there, and those behind it what the loop has written.
//
// RUN: %gpu_cc -mfma %record %s %harness -o %t.gpu
// RUN: %ref_cc %s %harness -o %t.ref
// RUN: %run_ref %t.ref
// RUN: %run_gpu %t.gpu > %t.out 2>&1
// RUN: %shapes
// RUN: cmp %t.ref.dump %t.gpu.dump
#include "reach.h"

#include <math.h>

enum { N = 151 };

static float a[N], b[N];
static int c[N];

// == one element: known

SHAPE void from_the_first(int n, float *a)
{
    for (int i = 0; i < n; i++)
        a[i] -= a[0];
}

SHAPE void by_the_last(int n, float *a)
{
    for (int i = n - 1; i >= 0; i--)
        a[i] *= a[n - 1];
}

SHAPE void in_the_middle(float *restrict a, const float *restrict b)
{
    for (int i = 0; i < N; i++)
        a[i] = a[N / 2] + b[i];
}

SHAPE void set_to_it(int n, int *c)
{
    for (int i = 0; i < n; i++)
        c[i] = c[3];
}

// == one element: an argument

SHAPE void by_pivot(int n, int k, float *a)
{
    for (int i = 0; i < n; i++)
        a[i] /= a[k];
}

SHAPE void from_pivot_on(int n, int k, float *a)
{
    for (int i = k; i < n; i++)
        a[i] = a[i] - 0.5f * a[k];
}

SHAPE void two_arrays(int n, int k, float *restrict a, float *restrict b)
{
    for (int i = 0; i < n; i++) {
        a[i] += b[k];
        b[i] -= a[k];
    }
}

SHAPE void two_elements(int n, int k, int m, int *c)
{
    for (int i = 0; i < n; i++)
        c[i] = c[k] - 3 * c[m] + i;
}

SHAPE void backwards(int n, int k, float *a)
{
    for (int i = n - 1; i >= 0; i--)
        a[i] = a[k] - a[i];
}

SHAPE void every_other(int n, int k, float *a)
{
    for (int i = 0; i < n; i += 2)
        a[i] = a[2 * k] + 1;
}

// == one element: of each iteration; two halves

SHAPE void mirrored(int n, float *a)
{
    for (int i = 0; i < n; i++)
        a[i] = a[n - 1 - i];
}

HOST void run(int n, int k, int m)
{
    FLOATS(a, from_the_first(n, a));
    FLOATS(a, by_the_last(n, a));
    FLOATS(a, in_the_middle(a, b));
    INTEGERS(c, set_to_it(n, c));
    FLOATS(a, by_pivot(n, k, a));
    FLOATS(a, from_pivot_on(n, k, a));
    FLOATS(a, two_arrays(n, k, a, b));
    dump("b", b, sizeof b);
    INTEGERS(c, two_elements(n, k, m, c));
    FLOATS(a, backwards(n, k, a));
    FLOATS(a, every_other(n, k / 2, a));
    FLOATS(a, mirrored(n, a));
}

int main(int argc, char **argv)
{
    harness_start(argc, argv);
    harness_fill(b, N, sizeof *b);
    int k = (int)fabs(harness_random() * 1e6) % N;
    int m = (int)fabs(harness_random() * 1e6) % N;
    run(N, k, m);
    run(N - 9, k, k);
    run(77, 0, 76);
    run(5, 4, 130);
    run(1, 0, 0);
    run(0, 1, 2);
    return harness_end();
}
