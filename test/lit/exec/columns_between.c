// Columns of one matrix, and blocks of it side by side, by pointers of their own: their
// ranges overlap, and what is accessed does not, which a run looks at. So it is with the
// real and the imaginary parts of complex numbers.
//
// RUN: %gpu_cc -mfma %s %harness -o %t.gpu
// RUN: %ref_cc %s %harness -o %t.ref
// RUN: %run_ref %t.ref
// RUN: %run_gpu %t.gpu 2>&1 | %FileCheck %s
// RUN: cmp %t.ref.dump %t.gpu.dump
// RUN: env POLYGPU_SEED=7 POLYGPU_DUMP=%t.ref.dump %t.ref others
// RUN: env POLYGPU_SEED=7 POLYGPU_DUMP=%t.gpu.dump POLYGPU_COST=off \
// RUN:     POLYGPU_PROFILE=lines POLYGPU_DEBUG=1 POLYGPU_DEVICE=emulated \
// RUN:     %t.gpu others 2>&1 | %FileCheck %s --check-prefix=OTHERS
// RUN: cmp %t.ref.dump %t.gpu.dump
//
// CHECK-DAG: scop axpy {{.*}} runs=4 declined=0 failed=0
// CHECK-DAG: kernel axpy_{{.*}} launches=4
// CHECK-DAG: scop rotate {{.*}} runs=2 declined=0 failed=0
// CHECK-DAG: scop blocks {{.*}} runs=3 declined=0 failed=0
// CHECK-DAG: scop halves {{.*}} runs=2 declined=0 failed=0
// CHECK-DAG: scop fields {{.*}} runs=1 declined=0 failed=0
//
// The same column from another row on, or one of another matrix, or two blocks with a
// column in common, overlap. A column of one element has others beside it at any distance.
// OTHERS-DAG: axpy {{.*}} not offloaded: 'y' overlaps 'x'
// OTHERS-DAG: scop axpy {{.*}} runs=2 declined=3 failed=0
// OTHERS-DAG: blocks {{.*}} not offloaded: 'b' overlaps 'a'
// OTHERS-DAG: scop blocks {{.*}} runs=1 declined=3 failed=0
// OTHERS-DAG: scop halves {{.*}} runs=1 declined=1 failed=0
#include "exec.h"

enum { ROWS = 30, COLUMNS = 21, ALL = ROWS * COLUMNS };

static double all[ALL];

struct particle {
    float charge;
    int cell;
    double mass;
};

static struct particle particles[ROWS];

NOINLINE static void axpy(int n, double alpha, const double *x, int incx, double *y, int incy)
{
    for (int i = 0; i < n; i++)
        y[i * incy] += alpha * x[i * incx];
}

NOINLINE static void rotate(size_t n, double *x, size_t sx, double *y, size_t sy, double c,
                            double s)
{
    for (size_t i = 0; i < n; i++) {
        double a = x[i * sx], b = y[i * sy];

        x[i * sx] = c * a + s * b;
        y[i * sy] = c * b - s * a;
    }
}

NOINLINE static void blocks(int n, int m, int columns, const double *a, double *b)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            b[i * columns + j] -= 2 * a[i * columns + j];
}

/* Each second number. */
NOINLINE static void halves(int n, const double *real, double *imaginary)
{
    for (int i = 0; i < n; i++)
        imaginary[2 * i] = real[2 * i] * 0.5 + imaginary[2 * i];
}

NOINLINE static void fields(int n, const float *charge, double *mass)
{
    for (int i = 0; i < n; i++)
        mass[2 * i] += charge[4 * i];
}

static void between(void)
{
    axpy(ROWS, 0.5, all + 3, COLUMNS, all + 17, COLUMNS);
    dump("right", all, sizeof all);
    axpy(ROWS, 0.25, all + 20, COLUMNS, all, COLUMNS);
    axpy(ROWS - 4, 2, all + 4 * COLUMNS + 2, COLUMNS, all + 3, COLUMNS);
    axpy(ROWS - 4, 2, all + 2, COLUMNS, all + 4 * COLUMNS + 1, COLUMNS);
    dump("left", all, sizeof all);
    rotate(ROWS, all + 5, COLUMNS, all + 4, COLUMNS, 0.6, 0.8);
    rotate(ROWS - 1, all + COLUMNS, COLUMNS, all + 20, COLUMNS, 0.6, 0.8);
    dump("rotate", all, sizeof all);
    blocks(ROWS, 10, COLUMNS, all, all + 11);
    blocks(ROWS - 1, 10, COLUMNS, all + 10 + COLUMNS, all);
    blocks(ROWS - 2, 10, COLUMNS, all + 7, all + 17);
    dump("blocks", all, sizeof all);
    halves(ALL / 2, all, all + 1);
    halves(ALL / 4, all + ALL / 2 + 2, all + 3);
    dump("halves", all, sizeof all);
    fields(ROWS, &particles[0].charge, &particles[0].mass);
    dump("fields", particles, sizeof particles);
}

static void otherwise(void)
{
    axpy(ROWS - 1, 0.5, all + 3, COLUMNS, all + 3 + COLUMNS, COLUMNS);
    axpy(ROWS - 3, 0.5, all + 3 + 3 * COLUMNS, COLUMNS, all + 3, COLUMNS);
    axpy(ROWS / 2, 0.5, all + 3, 2 * COLUMNS, all + 4, COLUMNS);
    axpy(ROWS / 2, 0.5, all + 3, 4, all + 4 + ALL / 2, COLUMNS);
    axpy(1, 0.5, all + 3, 1, all + 4, 1);
    dump("axpy", all, sizeof all);
    blocks(ROWS, 10, COLUMNS, all, all + 9);
    blocks(ROWS - 1, 10, COLUMNS, all + 12, all);
    blocks(ROWS - 2, 11, COLUMNS, all + 11, all);
    blocks(ROWS, 5, COLUMNS, all + 6, all + 11);
    dump("blocks", all, sizeof all);
    halves(ALL / 4, all + 2, all + 10);
    halves(ALL / 4, all + 11, all + 2);
    dump("halves", all, sizeof all);
}

int main(int argc, char **argv)
{
    harness_start(argc, argv);
    harness_fill(all, ALL, sizeof *all);
    for (int i = 0; i < ROWS; i++)
        particles[i] = (struct particle){(float)i / 4, i, 3 * i};
    if (argc > 1)
        otherwise();
    else
        between();
    return harness_end();
}
