// The largest number and where it is, from a variable place on, as pivots are
// searched for.
//
// RUN: %gpu_cc -mfma %record %s %harness -o %t.gpu
// RUN: %ref_cc %s %harness -o %t.ref
// RUN: %run_ref %t.ref
// RUN: %run_gpu %t.gpu > %t.out 2>&1
// RUN: %shapes
// RUN: cmp %t.ref.dump %t.gpu.dump
#include "reach.h"

#include <limits.h>
#include <math.h>

enum { N = 300 };

static double a[N];
static float b[N];
static int c[N];
static int at[4];

// == reductions: with their index, from a variable on

SHAPE double largest(int first, int last, const double *x, int *where)
{
    double most = 0;
    int k = -1;

    for (int i = first; i < last; i++) {
        double v = fabs(x[i]);

        if (v > most) {
            most = v;
            k = i;
        }
    }
    *where = k;
    return most;
}

SHAPE double last_of_largest(long first, long last, const double *x, int *where)
{
    double most = 1e-99;
    long k = -1;

    for (long i = first; i < last; i++) {
        double v = fabs(x[i]);

        if (v >= most) {
            most = v;
            k = i;
        }
    }
    *where = (int)k;
    return most;
}

SHAPE float smallest(int first, int last, const float *x, int *where)
{
    float least = 100;
    int k = first;

    for (int i = first; i <= last; i++) {
        float v = fabsf(x[i]);

        k = v < least ? i : k;
        least = v < least ? v : least;
    }
    *where = k;
    return least;
}

SHAPE int every_second(int first, int last, const int *x, int *where)
{
    int most = INT_MIN, k = -7;

    for (int i = first - 1; i < last; i += 2)
        if (x[i] > most) {
            most = x[i];
            k = i;
        }
    *where = k;
    return most;
}

// In a step of an elimination, whose search is by itself.
SHAPE double pivot(int n, int k, const double *x, int *where)
{
    double most = fabs(x[k]);
    int p = k;

    for (int i = k + 1; i < n; i++)
        if (fabs(x[i]) > most) {
            most = fabs(x[i]);
            p = i;
        }
    *where = p;
    return most;
}

static void all(int first, int last)
{
    RESULT(largest(first, last, a, at));
    dump("at", at, sizeof at);
    RESULT(largest(first - 90, last - 90, a + 90, at));
    dump("at", at, sizeof at);
    RESULT(last_of_largest(first, last, a, at));
    dump("at", at, sizeof at);
    RESULT(last_of_largest(first - 120L, last - 120L, a + 120, at));
    dump("at", at, sizeof at);
    RESULT(smallest(first, last - 1, b, at));
    dump("at", at, sizeof at);
    RESULT(smallest(first - 299, last - 300, b + 299, at));
    dump("at", at, sizeof at);
    RESULT(every_second(first + 1, last, c, at));
    dump("at", at, sizeof at);
    RESULT(every_second(first - 20, last - 21, c + 21, at));
    dump("at", at, sizeof at);
    RESULT(pivot(last, first, a, at));
    dump("at", at, sizeof at);
}

int main(int argc, char **argv)
{
    harness_start(argc, argv);
    for (int turn = 0; turn < 3; turn++) {
        harness_fill(a, N, sizeof *a);
        harness_fill(b, N, sizeof *b);
        for (int i = 0; i < N; i++)
            c[i] = (int)(harness_random() * 1000);
        // Several are equal, and some are no numbers, or zeros.
        for (int i = 0; turn > 0 && i < N; i++) {
            a[i] = i % 7 == 3 ? NAN : i % 5 ? floor(a[i] * 3) : -0.0;
            b[i] = i % 11 == 2 ? NAN : i % 4 ? floorf(b[i] * 2) : -0.0f;
            c[i] /= turn == 1 ? 300 : 1000000;
        }
        all(0, N);
        all(3, N - 1);
        all(17, 18);
        all(250, 250);
        all(200, 100);
    }
    return harness_end();
}
