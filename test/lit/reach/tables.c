// Elements that are read through indices of each type, from tables, structures
// and rows of sparse matrices; and those that are written so, which stay.
//
// RUN: %gpu_cc -mfma %record %s %harness -o %t.gpu
// RUN: %ref_cc %s %harness -o %t.ref
// RUN: %run_ref %t.ref
// RUN: %run_gpu %t.gpu > %t.out 2>&1
// RUN: %shapes
// RUN: cmp %t.ref.dump %t.gpu.dump
#include "reach.h"

#include <stdint.h>

enum { N = 103, M = 11, MOST = 5 };

struct body {
    float mass, x, y;
};

static float a[N * M], b[N * M], c[N];
static int idx[N], again[N], row[N + 1], col[N * MOST];
static unsigned places[N];
static long far[N];
static short near[N];
static unsigned char text[N], out[N];
static double values[N * MOST], x[N], y[N];
static struct body bodies[N];
static const float weights[8] = {1, 0.5f, 0.25f, 2, 3, -1, 4, 0.125f};

// == indirect reads: indices of each type

SHAPE void by_unsigned(int n, float *restrict to, const float *restrict from,
                       const unsigned *restrict at)
{
    for (int i = 0; i < n; i++)
        to[i] = from[at[i]];
}

SHAPE void by_long(int n, float *restrict to, const float *restrict from,
                   const long *restrict at)
{
    for (int i = 0; i < n; i++)
        to[i] = 2 * from[at[i]];
}

SHAPE void by_short(int n, float *restrict to, const float *restrict from,
                    const short *restrict at)
{
    for (int i = 0; i < n; i++)
        to[i] = from[at[i] + 1];
}

SHAPE void by_byte(int n, float *restrict to, const unsigned char *restrict at)
{
    for (int i = 0; i < n; i++)
        to[i] = weights[at[i] & 7];
}

SHAPE void below_middle(int n, float *restrict to, const float *restrict middle,
                        const int *restrict at)
{
    for (int i = 0; i < n; i++)
        to[i] = middle[-at[i]];
}

// == indirect reads: gathers

SHAPE void twice(int n, float *restrict to, const float *restrict from,
                 const int *restrict p, const int *restrict q)
{
    for (int i = 0; i < n; i++)
        to[i] = from[p[q[i]]];
}

SHAPE void rows(int n, int m, float *restrict to, const float *restrict from,
                const int *restrict at)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            to[i * m + j] = from[at[i] * m + j];
}

SHAPE void columns(int n, int m, float *restrict to, const float *restrict from,
                   const int *restrict at)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            to[i * m + j] = from[i * m + at[j] % m];
}

SHAPE void of_structures(int n, float *restrict to,
                         const struct body *restrict from,
                         const int *restrict at)
{
    for (int i = 0; i < n; i++)
        to[i] = from[at[i]].mass * from[at[i]].x;
}

SHAPE void under_condition(int n, float *restrict to,
                           const float *restrict from, const int *restrict at)
{
    for (int i = 0; i < n; i++)
        if (at[i] > 7)
            to[i] = from[at[i]];
}

// One of several values of a neighbour, where there is one.
SHAPE void planes(int n, float *restrict to, const float *restrict from,
                  const int *restrict at)
{
    for (int i = 0; i < n; i++) {
        float x = 0, y = 0;

        for (int k = 0; k < 4; k++) {
            int other = at[i] - k;

            if (other >= 0) {
                x += from[other + 2 * n];
                y += from[other + 4 * n];
            }
        }
        to[i] = x;
        to[i + n] = y;
    }
}

SHAPE void neighbours(int n, float *restrict to, const float *restrict from,
                      const int *restrict left, const int *restrict right)
{
    for (int i = 0; i < n; i++)
        to[i] = 0.5f * (from[left[i]] + from[right[i]]) - from[i];
}

// Corners of elements, of which a function with loops makes something.
static void sides(const float *corner, float *side)
{
    for (int j = 0; j < 4; j++)
        side[j] = corner[(j + 1) % 4] - corner[j];
    for (int j = 0; j < 4; j++)
        side[j] *= corner[3 - j];
}

SHAPE void of_elements(int n, float *restrict to, const float *restrict from,
                       const int *restrict nodes)
{
    for (int i = 0; i < n; i++) {
        float corner[4], side[4];

        for (int j = 0; j < 4; j++)
            corner[j] = from[nodes[4 * i + j]];
        sides(corner, side);
        for (int j = 0; j < 4; j++)
            to[4 * i + j] = side[j];
    }
}

SHAPE long summed(int n, const int *restrict from, const int *restrict at)
{
    long sum = 0;

    for (int i = 0; i < n; i++)
        sum += from[at[i]];
    return sum;
}

// == indirect reads: sparse matrices

SHAPE void product(int n, const int *restrict row, const int *restrict col,
                   const double *restrict values, const double *restrict x,
                   double *restrict y)
{
    for (int i = 0; i < n; i++) {
        double sum = 0;

        for (int k = row[i]; k < row[i + 1]; k++)
            sum += values[k] * x[col[k]];
        y[i] = sum;
    }
}

SHAPE void product_in_memory(int n, const int *restrict row,
                             const int *restrict col,
                             const double *restrict values,
                             const double *restrict x, double *restrict y)
{
    for (int i = 0; i < n; i++)
        for (int k = row[i]; k < row[i + 1]; k++)
            y[i] += values[k] * x[col[k]];
}

SHAPE void product_that_may_overlap(int n, const int *row, const int *col,
                                    const double *values, const double *x,
                                    double *y)
{
    for (int i = 0; i < n; i++) {
        y[i] = 0;
        for (int k = row[i]; k < row[i + 1]; k++)
            y[i] += values[k] * x[col[k]];
    }
}

SHAPE void length_of_rows(int n, const int *restrict row,
                          const double *restrict values, double *restrict y)
{
    for (int i = 0; i < n; i++) {
        double sum = 1;

        for (int k = row[i]; k < row[i + 1]; k++)
            sum += values[k] * values[k];
        y[i] = sum;
    }
}

SHAPE void fixed_width(int n, int m, const int *restrict col,
                       const double *restrict values, const double *restrict x,
                       double *restrict y)
{
    for (int i = 0; i < n; i++) {
        double sum = 0;

        for (int k = 0; k < m; k++)
            sum += values[i * m + k] * x[col[i * m + k]];
        y[i] = sum;
    }
}

// == indirect writes: stay

REFUSED("loop not offloaded: which element of 'to' is written in line "
        "here+1 depends on data, which is read from 'at', and two "
        "iterations may write the same one; let each iteration write its "
        "own element, and read through the index")
void scattered(int n, float *restrict to, const float *restrict from,
               const int *restrict at)
{
    for (int i = 0; i < n; i++) // here
        to[at[i]] = from[i];
}

REFUSED("loop not offloaded: 'parent' is read at places that depend on "
        "data, and written in the same loops, so that the order counts; "
        "write to another array")
void followed(int n, int *restrict parent)
{
    for (int i = 0; i < n; i++) // here
        parent[i] = parent[parent[i]];
}

REFUSED("loop not offloaded: a subscript of 'next' in line here+1 is no "
        "affine function of loop counters and parameters (it depends on "
        "'at', which the loop does not change by the same amount in each "
        "iteration); use sums of counters times constants, and signed or "
        "size_t counters")
int chased(int n, const int *restrict next, int at)
{
    for (int i = 0; i < n; i++) // here
        at = next[at];
    return at;
}

static int place(int n)
{
    return (int)((harness_random() + 1.5) / 3 * n) % n;
}

HOST void fill(void)
{
    for (int i = 0; i < N; i++) {
        idx[i] = place(N);
        again[i] = place(N);
        places[i] = (unsigned)place(N);
        far[i] = place(N);
        near[i] = (short)place(N - 1);
        text[i] = (unsigned char)place(256);
        x[i] = harness_random();
        bodies[i].mass = (float)harness_random();
        bodies[i].x = (float)harness_random();
        row[i + 1] = row[i] + place(MOST);
    }
    harness_fill(b, N * M, sizeof *b);
    for (int k = 0; k < N * MOST; k++) {
        col[k] = place(N);
        values[k] = harness_random();
    }
}

HOST void run(int n, int m)
{
    RUN(a, by_unsigned(n, a, b, places));
    RUN(a, by_long(n, a, b, far));
    RUN(a, by_short(n, a, b, near));
    RUN(a, by_byte(n, a, text));
    RUN(a, below_middle(n, a, b + N, idx));
    RUN(a, twice(n, a, b, idx, again));
    RUN(a, rows(n, m, a, b, idx));
    RUN(a, columns(n, m, a, b, idx));
    RUN(a, of_structures(n, a, bodies, idx));
    RUN(a, under_condition(n, a, b, idx));
    RUN(a, neighbours(n, a, b, idx, again));
    RUN(a, planes(n, a, b, idx));
    RUN(a, of_elements(n, a, b, col));
    RESULT(summed(n, again, idx));
    RUN(y, product(n, row, col, values, x, y));
    FLOATS(y, product_in_memory(n, row, col, values, x, y));
    RUN(y, product_that_may_overlap(n, row, col, values, x, y));
    RUN(y, length_of_rows(n, row, values, y));
    RUN(y, fixed_width(n, MOST, col, values, x, y));
    RUN(c, scattered(n, c, b, idx));
    followed(n, again);
    dump("followed", again, sizeof again);
    RESULT(chased(n, idx, 0));
}

int main(int argc, char **argv)
{
    harness_start(argc, argv);
    fill();
    run(N, M);
    run(1, 1);
    run(0, 0);
    (void)out;
    return harness_end();
}
