// Matrices that are given by value, as structures of two numbers and a pointer:
// the numbers come in one register, and rows have a quotient's size, which Polly
// took for none.  All loops of a nest are offloaded.
//
// RUN: %gpu_cc -gline-tables-only -Rpass=gpu-polyhedral %s %harness -o %t.gpu 2>&1 \
// RUN:   | %FileCheck --check-prefix=REMARK %s
// RUN: %ref_cc %s %harness -o %t.ref
// RUN: %run_ref %t.ref
// RUN: %run_gpu %t.gpu 2>&1 | %FileCheck %s
// RUN: cmp %t.ref.dump %t.gpu.dump
//
// CHECK-DAG: polygpu: scop turn {{.*}} runs=4 declined=0 failed=0
// CHECK-DAG: polygpu: scop count {{.*}} runs=4 declined=0 failed=0
// CHECK-DAG: polygpu: scop ahead {{.*}} runs=4 declined=0 failed=0
#include "exec.h"

typedef struct {
    int rows, cols;
    float _Complex *t;
} matrix;

typedef struct {
    short rows, cols;
    int step;
    double *t;
} grid;

#define M(m, i, j) m.t[(j) + (i) * m.cols]

// REMARK-DAG: structures_by_value.c:[[@LINE+3]]:5: remark: loops offloaded as 1 kernel: turn_[[@LINE+3]]_0 (2 parallel dimensions
NOINLINE static void turn(matrix to, matrix from)
{
    for (int i = 0; i < to.rows; i++)
        for (int j = 0; j < to.cols; j++)
            M(to, i, j) += M(from, j, i);
}

// REMARK-DAG: structures_by_value.c:[[@LINE+4]]:5: remark: loops offloaded as {{.*}} count_[[@LINE+4]]_0
NOINLINE static int count(matrix m)
{
    int n = 0;
    for (int i = 0; i < m.rows; i++)
        for (int j = 0; j < m.cols; j++)
            if (__imag__ M(m, i, j) > __real__ M(m, i, j))
                n += i + 3 * j;
    return n;
}

// REMARK-DAG: structures_by_value.c:[[@LINE+3]]:5: remark: loops offloaded as 1 kernel: ahead_[[@LINE+3]]_0 (2 parallel dimensions
NOINLINE static void ahead(grid g, const double *from)
{
    for (int i = 0; i < g.rows; i++)
        for (int j = 0; j < g.cols; j++)
            g.t[i * g.step + j] = 0.5 - from[j];
}

enum { LARGEST = 41, SIZES = 4 };

static const int sizes[SIZES][2] = {{5, 17}, {LARGEST, 23}, {1, 1}, {23, 40}};

static float _Complex a[LARGEST * LARGEST], b[LARGEST * LARGEST];
static double c[LARGEST * (LARGEST + 3)], d[LARGEST];
static int counts[SIZES];

int main(int argc, char **argv)
{
    harness_start(argc, argv);
    harness_fill(a, 2 * LARGEST * LARGEST, sizeof(float));
    harness_fill(b, 2 * LARGEST * LARGEST, sizeof(float));
    harness_fill(d, LARGEST, sizeof(double));
    for (int s = 0; s < SIZES; s++) {
        int n = sizes[s][0], m = sizes[s][1];
        matrix from = {m, n, a}, to = {n, m, b};
        turn(to, from);
        counts[s] = count(to);
        grid g = {(short)n, (short)m, m + 3, c};
        ahead(g, d);
    }
    dump("b", b, sizeof b);
    dump("c", c, sizeof c);
    dump("counts", counts, sizeof counts);
    return harness_end();
}
