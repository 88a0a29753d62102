// Squares, products and cubes of counters in the data: they grow by a different
// amount in each iteration, modulo 2^32 or 2^64 as in the source.  And a power
// that no device has, of values that are the same in all iterations.
//
// RUN: %gpu_cc %record %s %harness -o %t.gpu
// RUN: %ref_cc %s %harness -o %t.ref
// RUN: %run_ref %t.ref
// RUN: %run_gpu %t.gpu > %t.out 2>&1
// RUN: %shapes
// RUN: cmp %t.ref.dump %t.gpu.dump
#include "reach.h"

enum { N = 67 };

static float f[N];
static double d[N * N];
static long l[N];
static unsigned u[N], w[N * N];

// == values: products of counters

SHAPE void inverse_squares(int n, float *b)
{
    for (int i = 0; i < n; i++)
        b[i] = 1.0f / ((i + 1) * (i + 1));
}

SHAPE void powers(int n, double base, int exponent, float *b)
{
    for (int i = 0; i < n; i++)
        b[i] = i / (3.0 + __builtin_powi(base + 1, exponent - 2));
}

SHAPE void triangular(int n, long *b)
{
    for (int i = 0; i < n; i++)
        b[i] = (long)i * (i + 1) / 2;
}

SHAPE void cubes(int n, long first, long *b)
{
    for (int i = 0; i < n; i++)
        b[i] = (first + i) * (first + i) * (first + i) - 3 * i;
}

SHAPE void wrapping(int n, unsigned first, unsigned *b)
{
    for (int i = 0; i < n; i++)
        b[i] = (first + i) * (first + 7u * i) * (i + 5u);
}

SHAPE void hilbert(int n, double *b)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            b[i * n + j] = 1.0 / ((i + j) * (i + j + 1) / 2 + i + 1);
}

SHAPE void products(int n, unsigned *b)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            b[i * n + j] = (unsigned)i * j * j + (unsigned)(i ^ j) % 7;
}

int main(int argc, char **argv)
{
    unsigned first;

    harness_start(argc, argv);
    random_bits(&first, sizeof first);
    RUN(f, inverse_squares(N, f));
    RUN(f, powers(N, first / 7.0, first % 9, f));
    RUN(l, triangular(N, l));
    RUN(l, cubes(N, (long)first << 20, l));
    RUN(u, wrapping(N, first, u));
    RUN(d, hilbert(N, d));
    RUN(w, products(N, w));
    return harness_end();
}
