// Views of matrices with a stride for each dimension, and grids with strides
// that are variables of their own: rows, where elements of rows are next to
// each other and each stride is a multiple of the next one.  Which one that is
// follows from the order in which most loops have those that were declared
// together.
//
// RUN: %gpu_cc -mfma %record %s %harness -o %t.gpu
// RUN: %ref_cc %s %harness -o %t.ref
// RUN: %run_ref %t.ref
// RUN: %run_gpu %t.gpu > %t.out 2>&1
// RUN: %shapes
// RUN: cmp %t.ref.dump %t.gpu.dump
//
// Other strides are for the original loops.
// RUN: env POLYGPU_SEED=7 POLYGPU_DUMP=%t.ref.dump %t.ref others
// RUN: env POLYGPU_SEED=7 POLYGPU_DUMP=%t.gpu.dump POLYGPU_COST=off \
// RUN:     POLYGPU_PROFILE=lines POLYGPU_DEVICE=emulated %t.gpu others \
// RUN:     > %t.out 2>&1
// RUN: cmp %t.ref.dump %t.gpu.dump
// RUN: %FileCheck --check-prefix=OTHERS %s < %t.out
//
// OTHERS-DAG: polygpu: scop scaled {{.*}} runs=4 declined=6 failed=0
// OTHERS-DAG: polygpu: scop smoothed {{.*}} runs=3 declined=6 failed=0
// OTHERS-DAG: polygpu: scop multiplied {{.*}} runs=4 declined=2 failed=0
// OTHERS-DAG: polygpu: scop both_orders {{.*}} runs=1 declined=1 failed=0
#include "reach.h"

enum { MOST = 12000 };

static double u[MOST], v[MOST], w[MOST];

struct view {
    double *at;
    size_t size[2];
    size_t stride[2];
};

struct span {
    double *at;
    int columns, rows, next_column, next_row;
};

static struct view view(double *at, size_t n, size_t m, size_t by_i,
                        size_t by_j)
{
    return (struct view){at, {n, m}, {by_i, by_j}};
}

// == strides: two of a view

SHAPE void scaled(struct view to, struct view from)
{
    for (size_t i = 0; i < to.size[0]; i++)
        for (size_t j = 0; j < to.size[1]; j++)
            to.at[i * to.stride[0] + j * to.stride[1]] =
                2 * from.at[i * from.stride[0] + j * from.stride[1]];
}

SHAPE void scaled_there(const struct view *to, const struct view *from)
{
    for (size_t i = 0; i < to->size[0]; i++)
        for (size_t j = 0; j < to->size[1]; j++)
            to->at[i * to->stride[0] + j * to->stride[1]] =
                3 * from->at[i * from->stride[0] + j * from->stride[1]];
}

SHAPE void transposed(struct view to, struct view from)
{
    for (size_t i = 0; i < to.size[0]; i++)
        for (size_t j = 0; j < to.size[1]; j++)
            to.at[i * to.stride[0] + j * to.stride[1]] =
                from.at[j * from.stride[0] + i * from.stride[1]];
}

SHAPE void multiplied(int n, int m, int l, const double *a, long rows_a,
                      long columns_a, const double *b, long rows_b,
                      long columns_b, double *restrict c, long rows_c,
                      long columns_c)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            double sum = 0;

            for (int k = 0; k < l; k++)
                sum += a[i * rows_a + k * columns_a] *
                       b[k * rows_b + j * columns_b];
            c[i * rows_c + j * columns_c] += sum;
        }
}

SHAPE void checked(struct view to, struct view from, size_t length)
{
    for (size_t i = 0; i < to.size[0]; i++)
        for (size_t j = 0; j < to.size[1]; j++) {
            if (i * to.stride[0] + j * to.stride[1] >= length)
                __builtin_trap();
            to.at[i * to.stride[0] + j * to.stride[1]] =
                4 * from.at[i * from.stride[0] + j * from.stride[1]];
        }
}

// == strides: those of columns first

SHAPE void filled(struct span s)
{
    for (int y = 0; y < s.rows; y++)
        for (int x = 0; x < s.columns; x++)
            s.at[x * s.next_column + y * s.next_row] = x - y;
}

SHAPE void filled_there(const struct span *restrict s, double *restrict at)
{
    int columns = s->columns, rows = s->rows;
    int next_column = s->next_column, next_row = s->next_row;

    for (int y = 0; y < rows; y++)
        for (int x = 0; x < columns; x++)
            at[x * next_column + y * next_row] = 2 * x - y;
}

// == strides: three, of a grid

SHAPE void smoothed(int n, int m, int l, long by_j, long by_k,
                    double *restrict to, const double *restrict from)
{
    for (int k = 1; k < l - 1; k++)
        for (int j = 1; j < m - 1; j++)
            for (int i = 1; i < n - 1; i++)
                to[i + j * by_j + k * by_k] =
                    0.5 * from[i + j * by_j + k * by_k] +
                    from[i - 1 + j * by_j + k * by_k] +
                    from[i + 1 + j * by_j + k * by_k] +
                    from[i + (j - 1) * by_j + k * by_k] +
                    from[i + (j + 1) * by_j + k * by_k] +
                    from[i + j * by_j + (k - 1) * by_k] +
                    from[i + j * by_j + (k + 1) * by_k];
}

SHAPE void all_of_three(int n, int m, int l, int by_i, int by_j, int by_k,
                        double *restrict to, const double *restrict from)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            for (int k = 0; k < l; k++)
                to[i * by_i + j * by_j + k * by_k] +=
                    3 * from[i * by_i + j * by_j + k * by_k];
}

// == strides: two orders in one nest

SHAPE void both_orders(int n, long by_i, long by_j, double *restrict to)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            to[i * by_i + j * by_j] += to[j * by_i + i * by_j];
}

static void rows(int n, int m, int more)
{
    size_t row = (size_t)(m + more);

    FLOATS(u, scaled(view(u, n, m, row, 1), view(v, n, m, row + 1, 1)));
    FLOATS(u, scaled_there(&(struct view){u, {n, m}, {row, 1}},
                           &(struct view){v, {n, m}, {row, 1}}));
    FLOATS(u, transposed(view(u, n, m, row, 1), view(v, m, n, n + more, 1)));
    FLOATS(u, multiplied(n, m, 9, v, 9, 1, w, m, 1, u, (long)row, 1));
    FLOATS(u, checked(view(u, n, m, row, 1), view(v, n, m, row, 1), MOST));
    FLOATS(u, filled((struct span){u, m, n, 1, (int)row}));
    FLOATS(u, filled_there(&(struct span){u, m, n, 1, (int)row}, u));
    FLOATS(u, smoothed(n, m, 6, n + more, (n + more) * (m + 1), u, v));
    FLOATS(u, all_of_three(6, n, m, (n + more) * (int)row, (int)row, 1, u, v));
}

static void others(void)
{
    // Columns, every second element, one row again and again, rows that run
    // into each other, and elements from behind.
    FLOATS(u, scaled(view(u, 20, 30, 1, 20), view(v, 20, 30, 1, 20)));
    FLOATS(u, scaled(view(u, 20, 30, 30, 1), view(v, 20, 30, 1, 20)));
    FLOATS(u, scaled(view(u, 20, 30, 60, 2), view(v, 20, 30, 60, 2)));
    FLOATS(u, scaled(view(u, 20, 30, 0, 1), view(v, 20, 30, 30, 1)));
    FLOATS(u, scaled(view(u, 20, 30, 29, 1), view(v, 20, 30, 31, 1)));
    FLOATS(u, scaled(view(u + 5000, 20, 30, (size_t)-30, 1),
                     view(v, 20, 30, 30, 1)));
    // No multiple, one that is negative or nothing, and rows that are too
    // short.
    FLOATS(u, smoothed(9, 8, 7, 10, 85, u, v));
    FLOATS(u, smoothed(9, 8, 7, 10, 0, u, v));
    FLOATS(u, smoothed(9, 8, 7, -10, -90, u + 6000, v + 6000));
    FLOATS(u, smoothed(9, 8, 7, 0, 90, u, v));
    FLOATS(u, smoothed(9, 8, 7, 7, 70, u, v));
    FLOATS(u, smoothed(9, 8, 7, 10, 60, u, v));
    FLOATS(u, multiplied(9, 8, 7, v, 1, 9, w, 1, 7, u, 1, 9));
    FLOATS(u, multiplied(9, 8, 7, v, 7, 1, w, 1, 7, u, 8, 1));
    FLOATS(u, both_orders(40, 1, 40, u));
}

int main(int argc, char **argv)
{
    harness_start(argc, argv);
    FLOATS(v, (void)0);
    FLOATS(w, (void)0);
    rows(30, 40, 0);
    rows(9, 41, 3);
    rows(33, 5, 1);
    rows(1, 3, 2);
    FLOATS(u, both_orders(40, 41, 1, u));
    if (argc > 1)
        others();
    return 0;
}
