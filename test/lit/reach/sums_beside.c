// Sums of floating-point numbers that are added up under a condition on data,
// beside stores and counts: the stores run in parallel, the sum keeps its
// order.
//
// RUN: %gpu_cc %record %s %harness -o %t.gpu
// RUN: %ref_cc %s %harness -o %t.ref
// RUN: %run_ref %t.ref
// RUN: %run_gpu %t.gpu > %t.out 2>&1
// RUN: %shapes
// RUN: cmp %t.ref.dump %t.gpu.dump
#include "reach.h"

enum { N = 149 };

static float a[N], b[N], c[N], out[N];
static double d[N];

// == sums under conditions: beside a store

SHAPE float store_beside(int n, const float *restrict a, float *restrict b,
                         float s0)
{
    float s = 0;

    for (int i = 0; i < n; i++)
        if (a[i] > 0) {
            s += a[i];
            b[i] = s0;
        }
    return s;
}

SHAPE float store_always(int n, const float *restrict a, float *restrict b)
{
    float s = 1;

    for (int i = 0; i < n; i++) {
        b[i] = a[i] * 3;
        if (b[i] > 1)
            s += b[i] * a[i];
    }
    return s;
}

SHAPE float product_of_two(int n, const float *restrict a,
                           const float *restrict c, float *restrict b)
{
    float p = 1, s = -0.0f;

    for (int i = 0; i < n; i++) {
        b[i] = c[i] - a[i];
        if (c[i] > 0 && a[i] < 0) {
            s = s - c[i] + a[i];
            p *= 1 + a[i] / 16;
        }
    }
    return p + s;
}

// The store writes what the next iteration does not read.
SHAPE double from_the_store(int n, double *d)
{
    double s = 0;

    for (int i = 0; i < n; i++)
        if (d[i] < 0) {
            d[i] = -d[i];
            s += d[i];
        }
    return s;
}

// What is divided by is not zero under the condition only.
SHAPE float under_condition_only(int n, const float *restrict a,
                                 const float *restrict c, float *restrict b)
{
    float s = 0;

    for (int i = 0; i < n; i++)
        if (a[i] > 0.5f) {
            b[i] = c[i] / a[i];
            s += c[i] / (a[i] - 0.5f);
        }
    return s;
}

// == sums under conditions: beside a count

SHAPE int count_beside(int n, const float *restrict a, float *restrict out)
{
    float s = 0;
    int count = 0;

    for (int i = 0; i < n; i++)
        if (a[i] > 0) {
            s += a[i];
            count++;
        }
    *out = s;
    return count;
}

// == sums under conditions: alone

REFUSED("loop not offloaded: every loop depends on its own earlier iterations; "
        "nothing can run in parallel ('s' is a result of floating-point "
        "numbers that depends on their order); allow another order with "
        "-ffast-math, or for sums and products with -mllvm "
        "-gpu-reassociate-reductions")
float alone(int n, const float *restrict a)
{
    float s = 0;

    for (int i = 0; i < n; i++) // here
        if (a[i] > 0)
            s += a[i];
    return s;
}

// == sums under conditions: beside a store of what is read next

REFUSED("loop not offloaded: every loop depends on its own earlier iterations; "
        "nothing can run in parallel (the loops write 's', 'b'); write results "
        "to an array that the loop does not read, or use one element per "
        "iteration instead of one scalar")
float next_is_read(int n, float *b, float s0)
{
    float s = 0;

    for (int i = 0; i < n; i++) // here
        if (b[i] > 0) {
            s += b[i];
            b[i + 1] = s0;
        }
    return s;
}

int main(int argc, char **argv)
{
    harness_start(argc, argv);
    for (int round = 0; round < 2; round++) {
        harness_fill(a, N, sizeof *a);
        harness_fill(c, N, sizeof *c);
        harness_fill(d, N, sizeof *d);
        // Once no condition holds.
        for (int at = 0; at < N; at++) {
            a[at] = round ? -1 - a[at] * a[at] : a[at];
            d[at] = round ? 1 + d[at] * d[at] : d[at];
        }
        harness_fill(b, N, sizeof *b);
        RESULT(store_beside(N, a, b, 2));
        dump("b", b, sizeof b);
        RESULT(store_beside(0, a, b, 2));
        RESULT(store_always(N, a, b));
        dump("b", b, sizeof b);
        RESULT(product_of_two(N, a, c, b));
        dump("b", b, sizeof b);
        RESULT(under_condition_only(N, a, c, b));
        dump("b", b, sizeof b);
        RESULT(from_the_store(N, d));
        dump("d", d, sizeof d);
        RESULT(count_beside(N, a, out));
        dump("out", out, sizeof *out);
        RESULT(alone(N, a));
        RESULT(next_is_read(N - 1, b, -1));
        dump("b", b, sizeof b);
    }
    return harness_end();
}
