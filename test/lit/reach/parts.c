// Parts of an allocation that begin at a place which is a variable, or which the
// loop around reads from memory, and have rows of their own; elements that move
// from a variable place on.
//
// RUN: %gpu_cc -mfma %record %s %harness -o %t.gpu
// RUN: %ref_cc %s %harness -o %t.ref
// RUN: %run_ref %t.ref
// RUN: %run_gpu %t.gpu > %t.out 2>&1
// RUN: %shapes
// RUN: cmp %t.ref.dump %t.gpu.dump
//
// Parts that overlap are for the original loops.
// RUN: env POLYGPU_SEED=7 POLYGPU_DUMP=%t.ref.dump %t.ref others
// RUN: env POLYGPU_SEED=7 POLYGPU_DUMP=%t.gpu.dump POLYGPU_COST=off \
// RUN:     POLYGPU_PROFILE=lines POLYGPU_DEVICE=emulated %t.gpu others \
// RUN:     > %t.out 2>&1
// RUN: cmp %t.ref.dump %t.gpu.dump
// RUN: %FileCheck --check-prefix=OTHERS %s < %t.out
//
// OTHERS-DAG: polygpu: scop smoothed {{.*}} runs=3 declined=2 failed=0
// OTHERS-DAG: polygpu: scop removed {{.*}} declined=1 failed=0
// OTHERS-DAG: polygpu: scop scaled_up {{.*}} declined=1 failed=0
// OTHERS-DAG: polygpu: scop block {{.*}} runs=4 declined=2 failed=0
#include "reach.h"

enum { MOST = 9000 };

static double u[MOST], r[MOST];
static int begin[4], size[4];

// == parts of an allocation: from a variable on

SHAPE void filled(int n, int m, long first, double *w)
{
    double *p = w + first;

    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            p[i * m + j] = i + 3 * j;
}

SHAPE void smoothed(int n, int m, int first, int from, double *restrict w,
                    const double *restrict v)
{
    double *p = w + first;
    const double *q = v + from;

    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < m - 1; j++)
            p[i * m + j] = q[i * m + j - 1] + q[i * m + j + 1] +
                           q[(i - 1) * m + j] * q[(i + 1) * m + j];
}

// Columns of one matrix, which are one array.
SHAPE void block(int n, int m, int row, int column, double *w)
{
    double *p = w + column;

    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            p[i * row + j] = w[i * row + j] + 1;
}

// Three dimensions, and borders.
SHAPE void wrapped(int n, int m, int first, double *w)
{
    double(*p)[n][m] = (double(*)[n][m])(w + first);

    for (int k = 0; k < 5; k++)
        for (int i = 0; i < n; i++) {
            p[k][i][0] = p[k][i][m - 2];
            p[k][i][m - 1] = p[k][i][1];
        }
    for (int k = 0; k < 5; k++)
        for (int j = 0; j < m; j++)
            p[k][0][j] = p[k][n - 1][j] * 2;
}

// Bounds that are no first element.
SHAPE void band(int n, int m, int left, int right, double *w)
{
    for (int i = 0; i < n; i++)
        for (int j = left; j < right; j++)
            w[i * m + j] += 1;
}

// == elements moved by one, from a variable on

SHAPE void removed(int n, int at, double *w)
{
    for (int i = at; i < n - 1; i++)
        w[i] = w[i + 1];
}

SHAPE void inserted(long n, long at, double *w, double x)
{
    for (long i = n - 1; i > at; i--)
        w[i] = w[i - 1];
    w[at] = x;
}

SHAPE void scaled_up(int n, int at, double *w)
{
    for (int i = 0; i < n; i++)
        w[at + i] = 0.5 * w[at + i + 3];
}

// == parts of an allocation: one for each level of a multigrid method

IN_PART("loop not offloaded: the number of iterations of the loop in line here+4 is not known before "
        "it starts or is not affine: 'size' is read again in each iteration, and "
        "a store or a call in the loop could change it; copy it into a local "
        "variable before the loop")
void levels(int l, double *u, double *r)
{
    for (int k = 0; k < l; k++) { // here
        int n = size[k];
        double *z = u + begin[k];

        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++)
                z[i * n + j] = 0.5 * i + j;
        for (int i = 0; i < n; i++)
            z[i * n] = z[i * n + n - 2];
        harness_fill(r, 1, sizeof *r);
    }
}

IN_PART("loop not offloaded: the number of iterations of the loop in line here+5 is not known before "
        "it starts or is not affine: 'size' is read again in each iteration, and "
        "a store or a call in the loop could change it; copy it into a local "
        "variable before the loop")
void prolonged(int l, double *u, double *r)
{
    for (int k = 1; k < l; k++) { // here
        int n = size[k], coarse = size[k - 1];
        double *z = u + begin[k];
        const double *y = r + begin[k - 1];

        for (int i = 1; i < coarse; i++)
            for (int j = 1; j < coarse; j++)
                z[i * n + j] += y[i * coarse + j] + y[i * coarse + j - 1];
        harness_fill(r, 1, sizeof *r);
    }
}

// == rows of steps of several sizes

// Steps of lk and of 2 lk rows, of which m elements are used.
SHAPE void butterflies(int l, int n, int m, const double (*x)[33],
                       double (*y)[33])
{
    int lk = 1 << l;

    for (int i = 0; i < n; i++)
        for (int k = 0; k < lk; k++)
            for (int j = 0; j < m; j++) {
                y[2 * i * lk + k][j] = x[i * lk + k][j];
                y[2 * i * lk + lk + k][j] = -x[i * lk + k][j];
            }
}

// Rows in which 40 columns are one step have one element.
IN_PART("loop not offloaded: 'w' is accessed with steps of different sizes, like "
        "u[(i * n + k) * 32 + j], and subscripts stay in rows of such a size "
        "only where a row has one element; use an array of more dimensions, or "
        "a pointer of its own for each row")
void far_columns(int n, double *w)
{
    for (int i = 0; i < n; i++) // here
        for (int j = 0; j < n; j++)
            w[i * n + 40 * j] += i;
}

static void run(int n, int m, int first)
{
    harness_fill(u, MOST, sizeof *u);
    harness_fill(r, MOST, sizeof *r);
    filled(n, m, first, u);
    dump("filled", u, sizeof u);
    smoothed(n, m, first, 3 * first, u, r);
    dump("smoothed", u, sizeof u);
    block(n, m, 2 * m, m, u);
    dump("block", u, sizeof u);
    if (n > 1 && m > 1)
        wrapped(n / 2, m, first, u);
    dump("wrapped", u, sizeof u);
    band(n, m, m / 3, m / 2, u);
    dump("band", u, sizeof u);
    removed(n * m, first / 10, u);
    dump("removed", u, sizeof u);
    inserted(n * m + first + 1, first, u, 0.25);
    dump("inserted", u, sizeof u);
    scaled_up(n * m, first, u);
    dump("scaled_up", u, sizeof u);
}

int main(int argc, char **argv)
{
    harness_start(argc, argv);
    run(30, 40, 1000);
    run(7, 41, 2001);
    run(33, 3, 1);
    run(0, 1, 5);
    run(1, 0, 5);
    run(2, 2, 0);
    for (int k = 0; k < 4; k++) {
        size[k] = 4 << k;
        begin[k] = k ? begin[k - 1] + size[k - 1] * size[k - 1] : 3;
    }
    levels(4, u, r);
    dump("levels", u, sizeof u);
    prolonged(4, u, r);
    dump("prolonged", u, sizeof u);
    butterflies(2, 4, 33, (const double(*)[33])(r + 9),
                (double(*)[33])(u + 10));
    dump("butterflies", u, sizeof u);
    far_columns(20, u);
    dump("far_columns", u, sizeof u);
    if (argc > 1) {
        smoothed(30, 40, 1000, 1041, u, u);
        dump("overlapping", u, sizeof u);
        smoothed(30, 40, 5, 17, u, u + 7);
        dump("overlapping", u, sizeof u);
        block(30, 40, 50, 30, u);
        dump("columns", u, sizeof u);
        block(9, 40, 41, 40, u);
        dump("columns", u, sizeof u);
        removed(300, -70, u + 100);
        dump("removed", u, sizeof u);
        scaled_up(100, -70, u + 100);
        dump("scaled_up", u, sizeof u);
    }
    return harness_end();
}
