// Loops that go on for as long as data say, in each iteration of a parallel
// one: fractals, iterations that converge, searches, numbers that are taken
// apart.
//
// RUN: %gpu_cc -mfma %record %s %harness -o %t.gpu
// RUN: %ref_cc %s %harness -o %t.ref
// RUN: %run_ref %t.ref
// RUN: %run_gpu %t.gpu > %t.out 2>&1
// RUN: %shapes
// RUN: cmp %t.ref.dump %t.gpu.dump
#include "reach.h"

#include <math.h>

enum { W = 37, H = 23, N = 500, M = 60 };

static int steps[W * H], found[N], table[M], wanted[N];
static double a[N], roots[N], centres[M];
static unsigned u[N], v[N], divisors[N];
static unsigned char flags[N];

// == exits on data: in parallel loops, without arrays

SHAPE void escape(int w, int h, int most, int *to)
{
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++) {
            double cr = -2 + 3.0 * x / w, ci = -1 + 2.0 * y / h, r = 0, i = 0;
            int k = 0;

            while (k < most && r * r + i * i < 4) {
                double next = r * r - i * i + cr;

                i = 2 * r * i + ci;
                r = next;
                k++;
            }
            to[y * w + x] = k;
        }
}

SHAPE void with_break(int w, int h, int most, int *to)
{
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++) {
            float cr = -2 + 3.0f * x / w, ci = -1 + 2.0f * y / h, r = 0, i = 0;
            int k;

            for (k = 0; k < most; k++) {
                float rr = r * r, ii = i * i;

                if (rr + ii > 4)
                    break;
                i = 2 * r * i + ci;
                r = rr - ii + cr;
            }
            to[y * w + x] = k;
        }
}

SHAPE void newton(int n, const double *a, double *to)
{
    for (int i = 0; i < n; i++) {
        double x = a[i], y = x > 1 ? x : 1;

        while (fabs(y * y - x) > 1e-12 * x)
            y = 0.5 * (y + x / y);
        to[i] = y;
    }
}

SHAPE void divisor(int n, const unsigned *a, const unsigned *b, unsigned *to)
{
    for (int i = 0; i < n; i++) {
        unsigned x = a[i], y = b[i];

        while (y) {
            unsigned rest = x % y;

            x = y;
            y = rest;
        }
        to[i] = x;
    }
}

SHAPE void primes(int n, unsigned char *to)
{
    for (int i = 0; i < n; i++) {
        int prime = i > 1;

        for (int d = 2; d * d <= i; d++)
            if (i % d == 0) {
                prime = 0;
                break;
            }
        to[i] = (unsigned char)prime;
    }
}

// == exits on data: in parallel loops, searches

SHAPE void near_any(int n, int m, const double *x, const double *centre,
                    unsigned char *to)
{
    for (int i = 0; i < n; i++) {
        int hit = 0;

        for (int j = 0; j < m; j++)
            if (fabs(x[i] - centre[j]) < 0.01) {
                hit = 1;
                break;
            }
        to[i] = (unsigned char)hit;
    }
}

static int find(int m, const int *table, int value)
{
    for (int k = 0; k < m; k++)
        if (table[k] == value)
            return k;
    return -1;
}

SHAPE void look_up(int n, int m, const int *table, const int *value, int *to)
{
    for (int i = 0; i < n; i++)
        to[i] = find(m, table, value[i]);
}

// Where it may lead to is not known before.
REFUSED("loop not offloaded: the number of iterations of the loop in line here "
        "is not known before it starts or is not affine: whether it goes on "
        "depends on data, which is read from 'next'; use a loop with a bound")
void lists(int n, const int *next, int *to)
{
    for (int i = 0; i < n; i++) {
        int length = 0;

        for (int k = i; k >= 0; k = next[k]) // here
            length++;
        to[i] = length;
    }
}

// Iterations that depend on each other stay, and that is what is told.
REFUSED("loop not offloaded: every loop depends on its own earlier iterations; "
        "nothing can run in parallel (the loops write 'u'); write results to "
        "an array that the loop does not read, or use one element per "
        "iteration instead of one scalar")
void after_each_other(int n, unsigned *u)
{
    for (int i = 1; i < n; i++) {
        unsigned x = u[i] + u[i - 1];

        while (x & (x - 1)) // here
            x &= x - 1;
        u[i] = x;
    }
}

int main(int argc, char **argv)
{
    harness_start(argc, argv);
    for (int i = 0; i < N; i++) {
        a[i] = harness_random() + 2;
        u[i] = (unsigned)((harness_random() + 2) * 100000);
        v[i] = (unsigned)((harness_random() + 2) * 100000);
        wanted[i] = (int)(harness_random() * 100);
    }
    for (int i = 0; i < M; i++) {
        centres[i] = harness_random() + 2;
        table[i] = (int)(harness_random() * 100);
    }
    RUN(steps, escape(W, H, 50, steps));
    RUN(steps, with_break(W, H, 50, steps));
    RUN(roots, newton(N, a, roots));
    RUN(divisors, divisor(N, u, v, divisors));
    RUN(flags, primes(N, flags));
    RUN(flags, near_any(N, M, a, centres, flags));
    RUN(found, look_up(N, M, table, wanted, found));
    RUN(found, look_up(N, 0, table, wanted, found));
    for (int i = 0; i < N; i++)
        wanted[i] = i - 1 - (int)u[i] % 7;
    RUN(found, lists(N, wanted, found));
    after_each_other(N, u);
    dump("after each other", u, sizeof u);
    return harness_end();
}
