// Rows that are gone through by pointers, from where they begin to their end, in
// loops over rows: the number of iterations is what lies between, wherever the row
// begins.  Pointers that are left behind a row, ends below the beginning, rows
// apart, two pointers at once, time steps, and structures.
//
// RUN: %gpu_cc -mfma %s %harness -o %t.gpu
// RUN: %ref_cc %s %harness -o %t.ref
// RUN: %run_ref %t.ref
// RUN: %run_gpu %t.gpu 2>&1 | %FileCheck %s
// RUN: cmp %t.ref.dump %t.gpu.dump
//
// CHECK-DAG: scop unequal {{.*}} runs=2 declined=0 failed=0
// CHECK-DAG: kernel unequal_{{.*}} launches=2
// CHECK-DAG: scop below {{.*}} runs=2 declined=0 failed=0
// CHECK-DAG: kernel below_{{.*}} launches=2
// CHECK-DAG: scop apart {{.*}} runs=2 declined=0 failed=0
// CHECK-DAG: kernel apart_{{.*}} launches=2
// CHECK-DAG: scop next_row {{.*}} runs=2 declined=0 failed=0
// CHECK-DAG: kernel next_row_{{.*}} launches=2
// CHECK-DAG: scop sums {{.*}} runs=2 declined=0 failed=0
// CHECK-DAG: kernel sums_{{.*}} launches=2
// CHECK-DAG: scop cells {{.*}} runs=2 declined=0 failed=0
// CHECK-DAG: kernel cells_{{.*}} launches=2
// CHECK-DAG: scop product {{.*}} runs=2 declined=0 failed=0
// CHECK-DAG: kernel product_{{.*}} launches=2
#include "exec.h"

enum { ROWS = 37, ROW = 45, ALL = ROWS * ROW };

struct cell {
    double x, y, z;
};

static double a[ALL], b[ALL], y[ROWS];
static struct cell c[ALL / 3];

NOINLINE static void unequal(int n, int m, double *a, double x)
{
    for (int i = 0; i < n; i++) {
        double *p = a + (size_t)i * m, *end = p + m;
        for (; p != end; ++p)
            *p *= x;
    }
}

NOINLINE static void below(long n, long m, double *a, double x)
{
    for (long i = 0; i < n; i++)
        for (double *p = a + i * m, *end = p + m; p < end; p++)
            *p += x;
}

NOINLINE static void apart(long n, long m, double *restrict a,
                           const double *restrict b)
{
    double *row = a;
    for (long i = 0; i < n; i++, row += ROW) {
        const double *q = b;
        for (double *p = row, *end = row + m; p < end; ++p, ++q)
            *p += i * *q;
    }
}

NOINLINE static void next_row(long n, long m, double *a, double x)
{
    for (long i = 0; i < n; i++)
        for (double *p = a + i * m; p != a + (i + 1) * m; p++)
            *p = x - *p;
}

NOINLINE static void sums(long n, long m, double *restrict y,
                          const double *restrict a)
{
    for (long i = 0; i < n; i++) {
        double s = y[i];
        const double *row = a + i * ROW;
        for (const double *p = row; p < row + m; p++)
            s += *p;
        y[i] = s;
    }
}

NOINLINE static void cells(long n, long m, struct cell *c, double x)
{
    for (long i = 0; i < n; i++)
        for (struct cell *p = c + i * m, *end = p + m; p != end; ++p)
            p->y = p->x * x + p->z;
}

NOINLINE static void product(long n, long m, double *restrict y,
                             const double *restrict a,
                             const double *restrict x)
{
    for (long i = 0; i < n; i++) {
        const double *row = a + i * m, *with = x;
        for (const double *end = row + m; row != end; ++row, ++with)
            y[i] += *row * *with;
    }
}

static void run(long n, long m)
{
    harness_fill(a, ALL, sizeof *a);
    harness_fill(b, ALL, sizeof *b);
    harness_fill(y, ROWS, sizeof *y);
    harness_fill(c, sizeof c / sizeof(double), sizeof(double));
    unequal((int)n, (int)m, a, 1.25);
    harness_dump("unequal", a, ALL, sizeof *a);
    below(n, m, a, 0.5);
    harness_dump("below", a, ALL, sizeof *a);
    apart(n, m, a, b);
    harness_dump("apart", a, ALL, sizeof *a);
    next_row(n, m, a, 0.25);
    harness_dump("next_row", a, ALL, sizeof *a);
    sums(n, m, y, a);
    harness_dump("sums", y, ROWS, sizeof *y);
    cells(n / 3, m, c, 0.3);
    harness_dump("cells", c, sizeof c / sizeof(double), sizeof(double));
    product(n, m, y, a, b);
    harness_dump("product", y, ROWS, sizeof *y);
}

int main(int argc, char **argv)
{
    harness_start(argc, argv);
    run(ROWS, ROW);
    run(21, 19);
    // Rows of no element.
    run(ROWS, 0);
    return harness_end();
}
