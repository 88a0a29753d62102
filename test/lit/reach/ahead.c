// Elements that are a variable number in front of what is written, as streams
// and lists are moved up.
//
// RUN: %gpu_cc -mfma %record %s %harness -o %t.gpu
// RUN: %ref_cc %s %harness -o %t.ref
// RUN: %run_ref %t.ref
// RUN: %run_gpu %t.gpu > %t.out 2>&1
// RUN: %shapes
// RUN: cmp %t.ref.dump %t.gpu.dump
//
// Where they are behind, iterations follow each other, in the original loops.
// RUN: env POLYGPU_SEED=7 POLYGPU_DUMP=%t.ref.dump %t.ref others
// RUN: env POLYGPU_SEED=7 POLYGPU_DUMP=%t.gpu.dump POLYGPU_COST=off \
// RUN:     POLYGPU_DEVICE=emulated %t.gpu others
// RUN: cmp %t.ref.dump %t.gpu.dump
#include "reach.h"

enum { N = 70, MOST = 5 * N };

static double a[MOST], b[MOST];
static int c[MOST];

// == overlaps: elements of a variable distance

SHAPE void moved_up(int n, int m, int *c)
{
    for (int i = 0; i < n; i++)
        c[i] = c[i + m];
}

SHAPE void added_ahead(int n, int m, double *restrict a,
                       const double *restrict b)
{
    for (int i = 0; i < n - 1; i++)
        a[i] = a[i + m] + b[i];
}

SHAPE void moved_down(long n, long m, double *a)
{
    for (long i = n - 1; i >= 0; i--)
        a[i + m] = a[i] * 2;
}

SHAPE void two_distances(int n, long m, long k, double *a)
{
    for (int i = 0; i < n; i++)
        a[i] = 0.5 * (a[i + m] + a[i + k]);
}

SHAPE void half(long n, long m, double *a)
{
    for (long i = 0; i < n - m; i++)
        a[i] += a[i + m];
}

// Each iteration reads what one before has written.
REFUSED("loop not offloaded: every loop depends on its own earlier iterations; "
        "nothing can run in parallel (the loops write 'a'); write results to "
        "an array that the loop does not read, or use one element per "
        "iteration instead of one scalar")
void behind(int n, int m, double *a)
{
    for (int i = 0; i < n; i++) // here
        a[i + m] = a[i] + 1;
}

static void run(int n, int m)
{
    INTEGERS(c, moved_up(n, m, c + N));
    FLOATS(a, added_ahead(n, m, a + N, b));
    FLOATS(a, moved_down(n, m, a + N));
    FLOATS(a, two_distances(n, m, 2 * m, a + N));
    FLOATS(a, half(n, m, a + N));
    FLOATS(a, behind(n, m, a + N));
}

int main(int argc, char **argv)
{
    harness_start(argc, argv);
    harness_fill(b, MOST, sizeof *b);
    if (argc > 1) {
        run(N, -1);
        run(N, -5);
        run(3, -N / 2);
        run(0, -1);
        FLOATS(a, two_distances(N, -3, 5, a + N));
        FLOATS(a, added_ahead(N, 2, a + N, a + N));
        FLOATS(a, added_ahead(N, 2, a + N, a + N + 3));
        return harness_end();
    }
    run(N, 0);
    run(N, 1);
    run(N, 13);
    run(N, N - 1);
    run(N, N);
    run(1, 4);
    run(0, 4);
    return harness_end();
}
