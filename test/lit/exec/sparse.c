// Products with sparse matrices in compressed rows: loops that run as often as
// data say are one read of many elements, and sums keep their order.
//
// RUN: %gpu_cc -mfma %s %harness -o %t.gpu
// RUN: %ref_cc %s %harness -o %t.ref
// RUN: %run_ref %t.ref
// RUN: %run_gpu %t.gpu 2>&1 | %FileCheck %s
// RUN: cmp %t.ref.dump %t.gpu.dump
// RUN: env POLYGPU=off POLYGPU_DUMP=%t.gpu.dump %t.gpu
// RUN: cmp %t.ref.dump %t.gpu.dump
// RUN: %run_faults
//
// CHECK-DAG: polygpu: scop times_vector {{.*}} runs=3 declined=0 failed=0
// CHECK-DAG: polygpu: kernel times_vector_{{.*}} launches=3
// CHECK-DAG: polygpu: scop times_matrix {{.*}} runs=3 declined=0 failed=0
// CHECK-DAG: polygpu: kernel times_matrix_{{.*}} launches=3
// CHECK-DAG: polygpu: scop neighbours {{.*}} runs=3 declined=0 failed=0
// CHECK-DAG: polygpu: kernel neighbours_{{.*}} launches=3
// CHECK-DAG: polygpu: scop residual {{.*}} runs=3 declined=0 failed=0
// CHECK-DAG: polygpu: kernel residual_{{.*}} launches=3
// CHECK-DAG: polygpu: scop of_structure {{.*}} runs=3 declined=0 failed=0
// CHECK-DAG: polygpu: kernel of_structure_{{.*}} launches=3
// CHECK-DAG: polygpu: scop power {{.*}}:116 {{.*}} runs=9 declined=0 failed=0
// CHECK-DAG: polygpu: kernel power_116_{{.*}} launches=9
// CHECK-DAG: polygpu: scop parts {{.*}} runs=3 declined=0 failed=0
// CHECK-DAG: polygpu: kernel parts_{{.*}} launches=3
#include "exec.h"

#include <string.h>

enum { N = 300, M = 6, MOST = 9 };

static int row[N + 1], col[N * MOST], exact_col[N * MOST], weight[N], sums[N];
static long long_row[N + 1];
static unsigned unsigned_col[N * MOST];
static double a[N * MOST], x[N], y[N], diagonal[N];
static float af[N * MOST], b[N * M], c[N * M];

struct matrix {
    int n;
    const int *row, *col;
    const double *values;
};

APART void times_vector(int n, const int *row, const int *col, const double *a,
                        const double *x, double *y)
{
    for (int i = 0; i < n; i++) {
        double sum = 0;
        for (int k = row[i]; k < row[i + 1]; k++)
            sum += a[k] * x[col[k]];
        y[i] = sum;
    }
}

APART void times_matrix(int n, int m, const long *row, const unsigned *col,
                        const float *a, const float *b, float *c)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            float sum = c[i * m + j];
            for (long k = row[i]; k < row[i + 1]; k++)
                sum += a[k] * b[col[k] * m + j];
            c[i * m + j] = sum;
        }
}

// With a condition inside, and integers.
APART void neighbours(int n, const int *row, const int *col, const int *w,
                      int *to)
{
    for (int i = 0; i < n; i++) {
        int sum = 7;
        for (int k = row[i]; k < row[i + 1]; k++)
            if (col[k] != i)
                sum += w[col[k]];
        to[i] = sum;
    }
}

// Rows from their beginnings and lengths: what the sum of the largest ones
// leads to is said to be read.
APART void residual(int n, const int *begin, const int *length, const int *col,
                    const double *a, const double *x, const double *d,
                    double *to)
{
    for (int i = 0; i < n; i++) {
        double r = d[i];
        for (int k = 0; k < length[i]; k++)
            r -= a[begin[i] + k] * x[col[begin[i] + k]] * d[i];
        to[i] = r;
    }
}

APART void of_structure(const struct matrix *m, const double *restrict x,
                        double *restrict y)
{
    const int n = m->n, *row = m->row, *col = m->col;
    const double *values = m->values;

    for (int i = 0; i < n; i++) {
        double largest = 0;
        for (int k = row[i]; k < row[i + 1]; k++) {
            double v = values[k] * x[col[k]];
            largest = v > largest ? v : largest;
        }
        y[i] = largest;
    }
}

// Results go back and forth.
APART void power(int n, int t, const int *row, const int *col, const double *a,
                 double *x, double *y)
{
    for (int s = 0; s < t; s++) {
        for (int i = 0; i < n; i++) {
            double sum = 0;
            for (int k = row[i]; k < row[i + 1]; k++)
                sum += a[k] * x[col[k]];
            y[i] = sum;
        }
        for (int i = 0; i < n; i++)
            x[i] = 0.5 * y[i] + 0.25;
    }
}

// Of a part of the rows, of which only some elements are read.
APART void parts(int first, int n, const int *row, const int *col,
                 const double *a, const double *x, double *y)
{
    for (int i = first; i < n; i += 3) {
        double sum = 1;
        for (int k = row[i] + 1; k < row[i + 1] - 1; k += 2)
            sum += a[k] * x[col[k] / 2];
        y[i] = sum;
    }
}

static int place(int n)
{
    return (int)((harness_random() + 1.5) / 3 * n) % n;
}

static void start(int n)
{
    row[0] = 0;
    memset(exact_col, 0, sizeof exact_col);
    for (int i = 0; i < n; i++) // every third one empty
        row[i + 1] = row[i] + (i % 3 == 2 ? 0 : place(MOST));
    for (int i = 0; i <= n; i++)
        long_row[i] = row[i];
    for (int k = 0; k < row[n]; k++) {
        col[k] = place(n);
        exact_col[k] = col[k];
        unsigned_col[k] = (unsigned)col[k];
        a[k] = harness_random();
        af[k] = (float)harness_random();
    }
    // Nothing may follow from what is behind.
    random_bits(col + row[n], sizeof(int) * (N * MOST - row[n]));
    for (int i = 0; i < N; i++) {
        x[i] = harness_random();
        diagonal[i] = harness_random();
        weight[i] = place(100000);
    }
    for (int i = 0; i < N * M; i++) {
        b[i] = (float)harness_random();
        c[i] = (float)harness_random();
    }
    poison(y, sizeof y);
    poison(sums, sizeof sums);
}

int main(int argc, char **argv)
{
    static const int sizes[] = {1, 5, N};
    static int length[N];

    harness_start(argc, argv);
    for (int s = 0; s < 3; s++) {
        int n = sizes[s];
        struct matrix m = {n, row, col, a};

        start(n);
        for (int i = 0; i < n; i++)
            length[i] = row[i + 1] - row[i];
        times_vector(n, row, col, a, x, y);
        dump("y", y, sizeof y);
        times_matrix(n, M, long_row, unsigned_col, af, b, c);
        dump("c", c, sizeof c);
        neighbours(n, row, col, weight, sums);
        dump("sums", sums, sizeof sums);
        residual(n, row, length, exact_col, a, x, diagonal, y);
        dump("y", y, sizeof y);
        of_structure(&m, x, y);
        dump("y", y, sizeof y);
        power(n, 3, row, col, a, x, y);
        dump("x", x, sizeof x);
        parts(0, n, row, col, a, x, y);
        dump("y", y, sizeof y);
        times_vector(0, NULL, NULL, NULL, NULL, NULL);
    }
    return harness_end();
}
