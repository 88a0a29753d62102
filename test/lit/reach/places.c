// The place of the smallest or largest number of a matrix: the indices of
// several loops, or what follows from them, go with it.
//
// RUN: %gpu_cc -mfma %record %s %harness -o %t.gpu
// RUN: %ref_cc %s %harness -o %t.ref
// RUN: %run_ref %t.ref
// RUN: %run_gpu %t.gpu > %t.out 2>&1
// RUN: %shapes
// RUN: cmp %t.ref.dump %t.gpu.dump
// RUN: %FileCheck --input-file %t.out %s
//
// Of few numbers of 32 bits number and place are one; else there are two nests.
//
// CHECK-COUNT-3: kernel largest_
// CHECK-NOT: kernel largest_
// CHECK-COUNT-6: kernel last_of_smallest_
// CHECK-NOT: kernel last_of_smallest_
#include "reach.h"

#include <limits.h>
#include <math.h>

enum { N = 24, M = 36 };

static double a[N][M], b[N * M];
static float f[N][M];
static int k[N][M], list[M];
static unsigned u[N * M];
static long wide[N * M];
static unsigned char seen[N][M];

// == reductions: the indices of an extreme of a matrix

SHAPE float largest(int *x, int *y)
{
    float most = f[0][0];
    int i0 = 0, j0 = 0;

    for (int i = 0; i < N; i++)
        for (int j = 0; j < M; j++)
            if (f[i][j] > most) {
                most = f[i][j];
                i0 = i;
                j0 = j;
            }
    *x = i0;
    *y = j0;
    return most + (float)i0 + 1 + (float)j0 + 1;
}

SHAPE double last_of_smallest(int n, int m, double *x, int *at)
{
    double least = *x;
    int i0 = -1, j0 = -2;

    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            if (x[i * m + j] <= least) {
                least = x[i * m + j];
                i0 = i;
                j0 = j;
            }
    at[0] = i0;
    at[1] = j0;
    return least;
}

SHAPE int of_integers(int n, int m, int (*x)[M], int *at)
{
    int most = INT_MIN, i0 = -1, j0 = -1;

    for (int i = 1; i < n; i++)
        for (int j = 2; j < m; j += 2)
            if (x[i][j] >= most) {
                i0 = i;
                j0 = j;
                most = x[i][j];
            }
    at[0] = i0;
    at[1] = j0;
    return most;
}

SHAPE long of_longs(size_t n, size_t m, const long *x, long start)
{
    size_t i0 = 0, j0 = 0;

    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < m; j++)
            if (start > x[i * m + j]) {
                start = x[i * m + j];
                i0 = i;
                j0 = j;
            }
    return (long)(i0 * 1000 + j0);
}

SHAPE double pivot(int n, double (*x)[M], int *at)
{
    double most = 0;
    int i0 = 0, j0 = 0;

    for (int i = 0; i < n; i++)
        for (int j = i; j < n; j++)
            if (fabs(x[i][j]) > most) {
                most = fabs(x[i][j]);
                i0 = i;
                j0 = j;
            }
    at[0] = i0;
    at[1] = j0;
    return most;
}

SHAPE unsigned of_unsigned_cube(int n, const unsigned *x, int *at)
{
    unsigned most = 0;
    int i0 = 5, j0 = 6, k0 = 7;

    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            for (int l = 0; l < n; l++)
                if (x[(i * n + j) * n + l] > most) {
                    most = x[(i * n + j) * n + l];
                    i0 = i;
                    j0 = j;
                    k0 = l;
                }
    at[0] = i0;
    at[1] = j0;
    at[2] = k0;
    return most;
}

SHAPE int row_of(int n, int m, float (*x)[M])
{
    float least = INFINITY;
    int row = -1;

    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            if (x[i][j] < least) {
                least = x[i][j];
                row = i;
            }
    return row;
}

SHAPE double both_ends(int n, int m, double (*x)[M], int *at)
{
    double most = -1e300, least = 1e300;
    int i0 = 0, j0 = 0, i1 = 0, j1 = 0;

    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            if (x[i][j] < least) {
                least = x[i][j];
                i0 = i;
                j0 = j;
            }
            if (x[i][j] > most) {
                most = x[i][j];
                i1 = i;
                j1 = j;
            }
        }
    at[0] = i0;
    at[1] = j0;
    at[2] = i1;
    at[3] = j1;
    return most - least;
}

// == reductions: an extreme of a matrix under a condition, and what goes with
// it

SHAPE double of_seen(int n, int m, double (*x)[M], unsigned char (*in)[M],
                     int *at)
{
    double most = -2;
    int i0 = -1, j0 = -1;

    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            if (in[i][j] > 1 && x[i][j] >= most) {
                most = x[i][j];
                i0 = i;
                j0 = j;
            }
    at[0] = i0;
    at[1] = j0;
    return most;
}

SHAPE double with_values(int n, int m, float (*x)[M], const double *y,
                         const int *at, long *index)
{
    float most = -1;
    double with = 3;
    long i0 = 0;

    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            if (x[i][j] > most) {
                most = x[i][j];
                with = 2 * y[i] + at[j];
                i0 = (long)i * m + j;
            }
    *index = i0;
    return with + most;
}

// == reductions: the index of an extreme, at a step that is a variable

SHAPE float by_steps(int n, int inc, const float *x)
{
    float most = fabsf(x[0]);
    int at = 0, l = inc;

    for (int i = 1; i < n; i++) {
        if (fabsf(x[l]) > most) {
            at = i;
            most = fabsf(x[l]);
        }
        l += inc;
    }
    return most + (float)at + 1;
}

// == reductions: indices that change elsewhere too: stays

REFUSED("loop not offloaded: every loop depends on its own earlier iterations; "
        "nothing can run in parallel ('most' is the smallest or largest of "
        "floating-point numbers, and something else, like its index, is kept "
        "with it); look for the number in one loop, and for what belongs to it "
        "in another one")
int given_back(int n, int m, float (*x)[M], int *at)
{
    float most = -1;
    int i0 = 0, j0 = 0;

    for (int i = 0; i < n; i++) {
        int before = i0;

        for (int j = 0; j < m; j++) // here
            if (x[i][j] > most) {
                most = x[i][j];
                i0 = i;
                j0 = j;
            }
        if (i & 1)
            i0 = before;
    }
    *at = j0;
    return i0;
}

// Of values of which some are equal, zeros, infinities or no numbers.
HOST double some(int way)
{
    static const double special[] = {0.0, -0.0, INFINITY, -INFINITY, NAN, 1};
    double r = harness_random(), size = r < 0 ? -r : r;

    if (way == 3)
        return r < 0 ? 0.0 : -0.0;
    if (way == 2 && size < 0.3)
        return special[(int)(size * 20) % 6];
    return way ? (int)(r * 3) : r;
}

HOST void fill(int way)
{
    for (int i = 0; i < N; i++)
        for (int j = 0; j < M; j++) {
            a[i][j] = b[i * M + j] = some(way);
            f[i][j] = (float)some(way);
            k[i][j] = way == 3 ? INT_MIN : (int)(harness_random() * 9);
            u[i * M + j] = (unsigned)(int)(harness_random() * (way ? 3 : 2e9));
            wide[i * M + j] = (long)(harness_random() * (way ? 9 : 1e18));
            seen[i][j] = (unsigned char)((harness_random() + 1) * 2);
            list[j] = (int)(harness_random() * 100);
        }
}

HOST void run(int n, int m)
{
    int at[4] = {0, 0, 0, 0};
    long index = 0;

    RESULT(largest(at, at + 1));
    RESULT(at[0] * M + at[1]);
    RESULT(last_of_smallest(n, m, b, at));
    dump("last_of_smallest", at, sizeof at);
    RESULT(of_integers(n, m, k, at));
    dump("of_integers", at, sizeof at);
    RESULT(of_longs((size_t)n, (size_t)m, wide, 3));
    RESULT(of_longs((size_t)n, (size_t)m, wide, LONG_MIN));
    RESULT(pivot(n, a, at));
    dump("pivot", at, sizeof at);
    RESULT(of_unsigned_cube(n / 3, u, at));
    dump("of_unsigned_cube", at, sizeof at);
    RESULT(row_of(n, m, f));
    RESULT(both_ends(n, m, a, at));
    dump("both_ends", at, sizeof at);
    RESULT(of_seen(n, m, a, seen, at));
    dump("of_seen", at, sizeof at);
    RESULT(with_values(n, m, f, b, list, &index));
    RESULT(index);
    RESULT(by_steps(n, 3, f[0]));
    RESULT(by_steps(n, 1, f[1]));
    RESULT(given_back(n, m, f, at));
    RESULT(at[0]);
}

int main(int argc, char **argv)
{
    harness_start(argc, argv);
    for (int way = 0; way < 4; way++) {
        fill(way);
        run(N, M);
    }
    run(3, 5);
    return harness_end();
}
