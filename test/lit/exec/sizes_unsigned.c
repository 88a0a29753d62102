// Inner points of a matrix whose sizes are unsigned and read again in each
// iteration: 1 < n - 1 is one comparison of a sum that wraps around.
//
// RUN: %gpu_cc -mfma %s %harness -o %t.gpu
// RUN: %ref_cc %s %harness -o %t.ref
// RUN: %run_ref %t.ref 31
// RUN: %run_gpu %t.gpu 31 2>&1 | %FileCheck %s
// RUN: cmp %t.ref.dump %t.gpu.dump
//
// CHECK-DAG: polygpu: scop inner {{.*}} runs={{[1-9].*}} declined=0 failed=0
// CHECK-DAG: polygpu: kernel inner_{{.*}} launches=2
// CHECK-DAG: polygpu: scop below {{.*}} runs={{[1-9].*}} declined=0 failed=0
// CHECK-DAG: polygpu: kernel below_{{.*}} launches=3
// CHECK-DAG: polygpu: scop narrow {{.*}} runs={{[1-9].*}} declined=0 failed=0
// CHECK-DAG: polygpu: kernel narrow_{{.*}} launches=2
#include "exec.h"

enum { MOST = 40 };

struct matrix {
    size_t rows, columns;
    float *data;
};

static float a[MOST * MOST], b[MOST * MOST];

NOINLINE static void inner(const struct matrix *a, struct matrix *b)
{
    for (size_t i = 1; i < a->rows - 1; i++)
        for (size_t j = 1; j < a->columns - 1; j++)
            b->data[i * b->columns + j] = a->data[(i - 1) * a->columns + j] +
                                          a->data[(i + 1) * a->columns + j] -
                                          2 * a->data[i * a->columns + j - 1];
}

NOINLINE static void below(size_t rows, const size_t *columns, const float *a,
                           float *b)
{
    for (size_t i = 1; i < rows; i++)
        for (size_t j = 1; j < *columns - 1; j++)
            b[i * *columns + j] = a[(i - 1) * *columns + j];
}

NOINLINE static void narrow(size_t rows, const size_t *columns, const float *a,
                            float *b)
{
    for (size_t i = 0; i < rows; i++)
        for (size_t j = 2; j < *columns - 3; j++)
            b[i * *columns + j] = 3 * a[i * *columns + j];
}

HOST void run(size_t rows, size_t columns)
{
    struct matrix from = {rows, columns, a}, to = {rows, columns, b};

    if (rows > 0)
        inner(&from, &to);
    dump("inner", b, sizeof b);
    below(rows, &columns, a, b);
    dump("below", b, sizeof b);
    if (columns > 2)
        narrow(rows, &columns, a, b);
    dump("narrow", b, sizeof b);
}

int main(int argc, char **argv)
{
    int n;

    harness_start(argc, argv);
    n = harness_size(1);
    harness_fill(a, MOST * MOST, sizeof *a);
    harness_fill(b, MOST * MOST, sizeof *b);
    run(n, n + 5);
    run(n - 9, 7);
    run(2, 3);
    run(1, 1);
    run(5, 2);
    run(0, 4);
    return harness_end();
}
