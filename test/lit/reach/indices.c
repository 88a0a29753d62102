// Elements that are read through indices, as meshes, networks, tables and
// sparse matrices have them.
//
// RUN: %gpu_cc -mfma %record %s %harness -o %t.gpu
// RUN: %ref_cc %s %harness -o %t.ref
// RUN: %run_ref %t.ref
// RUN: %run_gpu %t.gpu > %t.out 2>&1
// RUN: %shapes
// RUN: cmp %t.ref.dump %t.gpu.dump
#include "reach.h"

#include <string.h>

enum { N = 97, K = 8, V = 31, C = 13, MOST = 6 };

static float table[V * C], places[N * C], sum[N * C], logits[N * V], loss[N];
static double node_x[N], node_y[N], corner_x[N * K], corner_y[N * K],
    lengths[N];
static int tokens[N], nodes[N * K], next[N], previous[N], row[N + 1],
    col[N * MOST], best[N];
static double values[N * MOST], x[N], y[N], fx[N], fy[N];
static unsigned char text[N], upper[256], out[N];
static short gray[N];

// == indirect reads: gathers

// The row of a table for each word, and one for its place.
SHAPE void encode(int n, int c, const int *t, const float *of_word,
                  const float *of_place, float *to)
{
    for (int i = 0; i < n; i++) {
        const float *word = of_word + t[i] * c;
        const float *place = of_place + i * c;
        float *sum = to + i * c;
        for (int j = 0; j < c; j++)
            sum[j] = word[j] + place[j];
    }
}

SHAPE void entropy(int n, int v, const float *p, const int *t, float *to)
{
    for (int i = 0; i < n; i++)
        to[i] = -p[i * v + t[i]];
}

SHAPE void collect(int n, const int *nodes, const double *x, const double *y,
                   double *cx, double *cy)
{
    for (int e = 0; e < n; e++) {
        const int *of = nodes + 8 * e;
        for (int c = 0; c < 8; c++) {
            cx[8 * e + c] = x[of[c]];
            cy[8 * e + c] = y[of[c]];
        }
    }
}

SHAPE void edges(int n, const int *a, const int *b, const double *x,
                 const double *y, double *to)
{
    for (int i = 0; i < n; i++) {
        double dx = x[a[i]] - x[b[i]], dy = y[a[i]] - y[b[i]];
        to[i] = dx * dx + dy * dy;
    }
}

// A length that was cut to 32 bits, as that from atoi is: all int that it may
// be would be more than an array has.
SHAPE void rows_of_cut(int n, long wide, const int *r, const float *of_word,
                       float *to)
{
    int c = (int)wide;

    for (int i = 0; i < n; i++)
        for (int j = 0; j < c; j++)
            to[i * c + j] = of_word[r[i] * c + j] * 2;
}

// == indirect reads: under conditions

// -1 says that there is none.
SHAPE void if_there(int n, const int *left, const int *right, const double *x,
                    double *to)
{
    for (int i = 0; i < n; i++) {
        double sum = 0;

        if (left[i] >= 0)
            sum += x[left[i]];
        if (right[i] >= 0)
            sum -= x[right[i]];
        to[i] = sum;
    }
}

SHAPE void or_zero(int n, const int *at, const double *x, double *to)
{
    for (int i = 0; i < n; i++)
        to[i] = at[i] < 0 ? 0 : x[at[i]];
}

SHAPE void skipped(int n, const int *at, const double *x, double *to)
{
    for (int i = 0; i < n; i++) {
        to[i] = 1;
        if (at[i] < 0)
            continue;
        to[i] = x[at[i]];
    }
}

SHAPE void padded(int n, int most, const int *col, const double *a,
                  const double *x, double *y)
{
    for (int i = 0; i < n; i++) {
        double sum = 0;

        for (int k = 0; k < most; k++)
            if (col[k * n + i] >= 0)
                sum += a[k * n + i] * x[col[k * n + i]];
        y[i] = sum;
    }
}

// Indices that lead anywhere where they are not used.
SHAPE void checked(int n, int m, const int *at, const double *x, double *to)
{
    for (int i = 0; i < n; i++)
        if (at[i] < 0 || at[i] >= m)
            to[i] = -1;
        else
            to[i] = x[at[i]];
}

// == indirect reads: tables

SHAPE void translate(int n, const unsigned char *from, unsigned char *to)
{
    for (int i = 0; i < n; i++)
        to[i] = upper[from[i]];
}

SHAPE void tone(int n, const unsigned char *from, const short *curve, short *to)
{
    for (int i = 0; i < n; i++)
        to[i] = (short)(curve[from[i] >> 3] + curve[from[i] & 31]);
}

// == indirect reads: sparse matrices

SHAPE void product(int n, const int *row, const int *col, const double *a,
                   const double *x, double *y)
{
    for (int i = 0; i < n; i++) {
        double s = 0;
        for (int k = row[i]; k < row[i + 1]; k++)
            s += a[k] * x[col[k]];
        y[i] = s;
    }
}

SHAPE void relax(int n, const int *row, const int *col, const double *a,
                 const double *x, double *y)
{
    for (int i = 0; i < n; i++) {
        double s = 1;
        for (int k = row[i]; k < row[i + 1]; ++k)
            if (col[k] != i)
                s -= a[k] * x[col[k]];
        y[i] = 0.5 * x[i] + 0.5 * s;
    }
}

// == indirect reads: lists of neighbours

SHAPE void force(int n, const int *row, const int *col, const double *x,
                 const double *y, double *fx, double *fy)
{
    for (int i = 0; i < n; i++) {
        double sx = 0, sy = 0;
        for (int k = row[i]; k < row[i + 1]; k++) {
            double dx = x[col[k]] - x[i], dy = y[col[k]] - y[i];
            double q = dx * dx + dy * dy;

            if (q < 1) {
                sx += dx * q;
                sy += dy * q;
            }
        }
        fx[i] = sx;
        fy[i] = sy;
    }
}

SHAPE void nearest(int n, const int *row, const int *col, const double *a,
                   int *at, double *to)
{
    for (int i = 0; i < n; i++) {
        double best = 100;
        int which = -1;
        for (int k = row[i]; k < row[i + 1]; k++)
            if (a[k] < best) {
                best = a[k];
                which = col[k];
            }
        at[i] = which;
        to[i] = best;
    }
}

static int place(int n)
{
    return (int)((harness_random() + 1.5) / 3 * n) % n;
}

int main(int argc, char **argv)
{
    static short curve[64];

    harness_start(argc, argv);
    for (int i = 0; i < N; i++) {
        tokens[i] = place(V);
        next[i] = place(N);
        previous[i] = place(N);
        text[i] = (unsigned char)place(256);
        x[i] = harness_random();
        node_x[i] = harness_random();
        node_y[i] = harness_random();
        row[i + 1] = row[i] + place(MOST);
    }
    for (int i = 0; i < N * K; i++)
        nodes[i] = place(N);
    for (int i = 0; i < N * C; i++)
        places[i] = (float)harness_random();
    for (int i = 0; i < V * C; i++)
        table[i] = (float)harness_random();
    for (int i = 0; i < N * V; i++)
        logits[i] = (float)harness_random();
    for (int i = 0; i < 256; i++)
        upper[i] = (unsigned char)place(256);
    for (int i = 0; i < 64; i++)
        curve[i] = (short)place(1000);
    for (int k = 0; k < row[N]; k++) {
        col[k] = place(N);
        values[k] = harness_random();
    }
    encode(N, C, tokens, table, places, sum);
    dump("sum", sum, sizeof sum);
    rows_of_cut(N, C, tokens, table, sum);
    dump("sum", sum, sizeof sum);
    entropy(N, V, logits, tokens, loss);
    dump("loss", loss, sizeof loss);
    collect(N, nodes, node_x, node_y, corner_x, corner_y);
    dump("corner_x", corner_x, sizeof corner_x);
    dump("corner_y", corner_y, sizeof corner_y);
    edges(N, next, previous, node_x, node_y, lengths);
    dump("lengths", lengths, sizeof lengths);
    translate(N, text, out);
    dump("out", out, sizeof out);
    tone(N, text, curve, gray);
    dump("gray", gray, sizeof gray);
    product(N, row, col, values, x, y);
    dump("y", y, sizeof y);
    relax(N, row, col, values, x, y);
    dump("y", y, sizeof y);
    force(N, row, col, x, node_x, fx, fy);
    dump("fx", fx, sizeof fx);
    dump("fy", fy, sizeof fy);
    nearest(N, row, col, values, best, y);
    dump("best", best, sizeof best);
    dump("y", y, sizeof y);
    for (int i = 0; i < N; i += 3)
        next[i] = previous[(i + 1) % N] = -1;
    if_there(N, next, previous, x, y);
    dump("y", y, sizeof y);
    or_zero(N, next, x, y);
    dump("y", y, sizeof y);
    skipped(N, previous, x, y);
    dump("y", y, sizeof y);
    for (int i = 0; i < N * MOST; i++) {
        col[i] = i % 4 ? place(N) : -1;
        values[i] = harness_random();
    }
    padded(N, MOST, col, values, x, y);
    dump("y", y, sizeof y);
    for (int i = 0; i < N; i += 5)
        next[i] = i % 2 ? 2000000000 : -2000000000;
    checked(N, N, next, x, y);
    dump("y", y, sizeof y);
    return harness_end();
}
