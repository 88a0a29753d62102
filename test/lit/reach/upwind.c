// Neighbours that data choose, as upwind schemes read them, and counters from
// x - 2 to x + 2, as arrays with borders have them.
//
// RUN: %gpu_cc -mfma %record %s %harness -o %t.gpu
// RUN: %ref_cc %s %harness -o %t.ref
// RUN: %run_ref %t.ref
// RUN: %run_gpu %t.gpu > %t.out 2>&1
// RUN: %shapes
// RUN: cmp %t.ref.dump %t.gpu.dump
//
// Where arrays overlap, and at the ends of what an int can be, the run-time
// condition has the original loops run.
// RUN: env POLYGPU_SEED=7 POLYGPU_DUMP=%t.ref.dump %t.ref others
// RUN: env POLYGPU_SEED=7 POLYGPU_DUMP=%t.gpu.dump POLYGPU_COST=off \
// RUN:     POLYGPU_DEVICE=emulated %t.gpu others
// RUN: cmp %t.ref.dump %t.gpu.dump
#include "reach.h"

#include <limits.h>

enum { N = 57, M = 23, MOST = (N + 8) * (M + 8) };

static double a[MOST], b[MOST], c[MOST], d[MOST];
static int idx[MOST];

#define PLACE(j, k, size, x, y) ((size) * ((k) - (y)) + (j) - (x))
#define LESS(a, b) ((a) < (b) ? (a) : (b))

// == indirect reads: neighbours chosen by data

SHAPE void before_or_here(int n, double *q, const double *p, const double *f)
{
    for (int j = 1; j <= n; j++)
        q[j] = p[f[j] > 0.0 ? j - 1 : j];
}

SHAPE void row_before_or_here(int n, int m, double *q, const double *p,
                              const double *f)
{
    for (int k = 1; k <= n; k++)
        for (int j = 0; j < m; j++)
            q[j + k * m] = p[j + (f[j + k * m] > 0.0 ? k - 1 : k) * m];
}

// Several subscripts from a branch, not beyond the border.
SHAPE void upwind(int n, int m, double *q, const double *p, const double *f)
{
    for (int k = 0; k <= n; k++)
        for (int j = 0; j <= m; j++) {
            int up, donor, down;

            if (f[PLACE(j, k, m + 5, -2, -2)] > 0.0) {
                up = j - 2;
                donor = j - 1;
                down = j;
            } else {
                up = LESS(j + 1, m + 2);
                donor = j;
                down = j - 1;
            }
            double more = p[PLACE(donor, k, m + 5, -2, -2)] -
                          p[PLACE(up, k, m + 5, -2, -2)];
            double less = p[PLACE(down, k, m + 5, -2, -2)] -
                          p[PLACE(donor, k, m + 5, -2, -2)];

            q[PLACE(j, k, m + 5, -2, -2)] = more * less > 0.0 ? more : less;
        }
}

SHAPE void three_ways(int n, double *q, const double *p, const double *f)
{
    for (int j = 2; j < n; j++) {
        int from = j;

        if (f[j] > 1.0)
            from = j - 2;
        else if (f[j] > 0.0)
            from = j - 1;
        q[j] = p[from] + p[from + 1];
    }
}

// The index is read on one way only.
SHAPE void here_or_there(int n, double *q, const double *p, const double *f,
                         const int *at)
{
    for (int j = 0; j < n; j++)
        q[j] = p[f[j] > 0.0 ? at[j] : j];
}

SHAPE void counted(int n, double *q, const double *p, const double *f)
{
    for (int j = 0; j < n; j++)
        q[j] = p[j + (f[j] > 0.0)] - p[j + 2 * (f[j] < 0.0)];
}

// What neighbours are chosen of is written by the nest before, in each case.
SHAPES(4)
void directions(int along, int n, int m, double *q, double *g, const double *f)
{
    if (along == 1) {
        for (int k = 0; k < n; k++)
            for (int j = 0; j < m; j++)
                g[j + k * m] = f[j + k * m] * 2;
        for (int k = 0; k < n; k++)
            for (int j = 1; j < m - 1; j++) {
                int donor = f[j + k * m] > 0.0 ? j - 1 : j + 1;

                q[j + k * m] = g[donor + k * m] * f[j + k * m];
            }
    } else if (along == 2) {
        for (int k = 0; k < n; k++)
            for (int j = 0; j < m; j++)
                g[j + k * m] = f[j + k * m] * 3;
        for (int k = 1; k < n - 1; k++)
            for (int j = 0; j < m; j++) {
                int donor = f[j + k * m] > 0.0 ? k - 1 : k + 1;

                q[j + k * m] = g[j + donor * m] * f[j + k * m];
            }
    }
}

// What is read may be what was written.
REFUSED("loop not offloaded: 'q' is read at places that depend on data, and "
        "written in the same loops, so that the order counts; write to another "
        "array")
void in_place(int n, double *q, const double *f)
{
    for (int j = 1; j <= n; j++) // here
        q[j] += q[f[j] > 0.0 ? j - 1 : j];
}

// == bounds: around a border

SHAPE void with_borders(int x0, int x1, int y0, int y1, int first, double *p,
                        double *q, const double *v, const double *f)
{
    if (first) {
        for (int k = y0 - 2; k <= y1 + 2; k++)
            for (int j = x0 - 2; j <= x1 + 2; j++) {
                p[PLACE(j, k, x1 + 6, x0 - 2, y0 - 2)] =
                    v[PLACE(j, k, x1 + 5, x0 - 2, y0 - 2)] +
                    f[PLACE(j + 1, k, x1 + 6, x0 - 2, y0 - 2)] -
                    f[PLACE(j, k, x1 + 6, x0 - 2, y0 - 2)];
                q[PLACE(j, k, x1 + 6, x0 - 2, y0 - 2)] =
                    p[PLACE(j, k, x1 + 6, x0 - 2, y0 - 2)] * 2;
            }
    } else {
        for (int k = y0 - 2; k <= y1 + 2; k++)
            for (int j = x0 - 2; j <= x1 + 2; j++) {
                p[PLACE(j, k, x1 + 6, x0 - 2, y0 - 2)] =
                    v[PLACE(j, k, x1 + 5, x0 - 2, y0 - 2)] +
                    f[PLACE(j, k + 1, x1 + 6, x0 - 2, y0 - 2)];
                q[PLACE(j, k, x1 + 6, x0 - 2, y0 - 2)] =
                    v[PLACE(j, k, x1 + 5, x0 - 2, y0 - 2)];
            }
    }
}

SHAPE void line(int first, int last, int back, double *to, const double *from)
{
    if (back > 0)
        for (int j = first - back; j != last + 1; j++)
            to[j - (first - back)] = from[j - (first - back)] * j;
}

static void others(void)
{
    FLOATS(a, before_or_here(N, a + 1, a, b));
    FLOATS(a, before_or_here(N, a, a, b));
    FLOATS(a, before_or_here(N, b, a, b));
    FLOATS(a, three_ways(N, a, a + 2, a + 1));
    FLOATS(a, upwind(3, 9, a + 1, a, b));
    for (int along = 1; along < 3; along++) {
        FLOATS(a, directions(along, 9, 8, a, a + 3, c));
        FLOATS(a, directions(along, 9, 8, d, a, a + 5));
    }
    FLOATS(a, with_borders(1, 9, 1, 5, 1, a, a + 1, b, c));
    FLOATS(a, with_borders(1, 9, 1, 5, 0, a, b, a + 2, c));
    FLOATS(a, with_borders(-3, 4, -9, 3, 1, a, d, b, c));
    FLOATS(a, with_borders(-3, 4, -9, 3, 0, a, d, b, c));
    RUN(a, line(INT_MIN + 3, INT_MIN + 9, 3, a, b));
    RUN(a, line(INT_MAX - 9, INT_MAX - 1, 4, a, b));
    RUN(a, line(5, 4, 1, a, b));
    for (int j = 0; j < N; j++)
        idx[j] = c[j] > 0 ? j : INT_MIN;
    for (int j = 0; j < N; j++) // read on no way on which it leads away
        c[j] = idx[j] >= 0 ? 1.0 : -1.0;
    RUN(a, here_or_there(N, a, b, c, idx));
}

int main(int argc, char **argv)
{
    harness_start(argc, argv);
    harness_fill(b, MOST, sizeof *b);
    harness_fill(c, MOST, sizeof *c);
    for (int j = 0; j < MOST; j++)
        idx[j] = (int)(harness_random() * 1000 + 2000) % N;
    if (argc > 1) {
        others();
        return harness_end();
    }
    RUN(a, before_or_here(N, a, b, c));
    RUN(a, before_or_here(1, a, b, c));
    RUN(a, before_or_here(0, a, b, c));
    RUN(a, row_before_or_here(M, N, a, b, c));
    RUN(a, row_before_or_here(1, 1, a, b, c));
    RUN(a, upwind(M, N, a, b, c));
    RUN(a, upwind(0, 0, a, b, c));
    RUN(a, three_ways(N, a, b, c));
    RUN(a, here_or_there(N, a, b, c, idx));
    RUN(a, counted(N, a, b, c));
    for (int along = 0; along < 4; along++) {
        RUN(a, directions(along, M, N, a, d, c));
        RUN(a, directions(along, 3, 2, a, d, c));
        RUN(a, directions(along, 0, 7, a, d, c));
    }
    FLOATS(a, in_place(N, a, c));
    for (int first = 0; first < 2; first++) {
        RUN(a, with_borders(1, 33, 1, 11, first, a, d, b, c));
        dump("q", d, sizeof d);
        RUN(a, with_borders(0, 0, 0, 0, first, a, d, b, c));
        RUN(a, with_borders(7, 2, 7, 2, first, a, d, b, c));
        RUN(a, with_borders(0, 4, -9, -3, first, a, d, b, c));
    }
    RUN(a, line(5, 50, 3, a, b));
    RUN(a, line(-20, 20, 1, a, b));
    return harness_end();
}
