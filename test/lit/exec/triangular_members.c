// Pointers and strides in structures that only the inner loops of triangles
// read: they run in some iteration if they do in the first or in the last one,
// and else the structure need not be there.  Where that is not so, the loops
// around stay, and rows are kernels.
//
// RUN: %gpu_cc -mfma %s %harness -lm -o %t.gpu
// RUN: %ref_cc %s %harness -lm -o %t.ref
// RUN: %run_ref %t.ref 70
// RUN: %run_gpu %t.gpu 70 2>&1 | %FileCheck %s
// RUN: cmp %t.ref.dump %t.gpu.dump
// RUN: %run_ref %t.ref 1
// RUN: %run_auto %t.gpu 1 >/dev/null 2>&1
// RUN: cmp %t.ref.dump %t.gpu.dump
//
// CHECK-DAG: polygpu: kernel below_{{.*}} launches=2 
// CHECK-DAG: polygpu: kernel above_{{.*}} launches=2 
// CHECK-DAG: polygpu: kernel symmetric_{{.*}} launches=2 
// CHECK-DAG: polygpu: kernel from_{{.*}} launches=2 
// CHECK-DAG: polygpu: kernel down_{{.*}} launches=2 
// CHECK-DAG: polygpu: kernel planes_{{.*}} launches=2 
// CHECK-DAG: polygpu: kernel middle_{{.*}} launches=10 
// CHECK-DAG: polygpu: kernel one_{{.*}} launches=2 grid=1,1,1 block=256,1,1 
// CHECK-DAG: polygpu: kernel until_{{.*}} launches=6 
#include "exec.h"

#include <stdlib.h>

enum { MOST = 80 };

struct matrix {
    size_t size1, size2, tda;
    double *data;
};

static double a[MOST * MOST], b[MOST * MOST];

NOINLINE static void below(struct matrix *m, size_t n)
{
    for (size_t j = 0; j < n; j++)
        for (size_t k = 0; k < j; k++)
            m->data[j * m->tda + k] = (double)j * 0.5 + (double)k;
}

NOINLINE static void above(struct matrix *m, int n)
{
    for (int j = 0; j < n; j++)
        for (int k = j + 1; k < n; k++)
            m->data[j * m->tda + k] *= 1.5;
}

NOINLINE static void symmetric(const struct matrix *r, struct matrix *m,
                               size_t n)
{
    for (size_t j = 0; j < n; j++)
        for (size_t i = 0; i < j; i++) {
            double x = r->data[j * r->tda + i];

            m->data[j * m->tda + i] = x;
            m->data[i * m->tda + j] = x;
        }
}

NOINLINE static void from(struct matrix *m, int n, int first)
{
    for (int j = 0; j < n; j++)
        if (j > first)
            for (int k = 0; k < n; k++)
                m->data[j * m->tda + k] += 3;
}

NOINLINE static void down(struct matrix *m, int n, int end)
{
    for (int j = n - 1; j >= 0; j--)
        if (j < end)
            for (int k = 0; k < n; k++)
                m->data[j * m->tda + k] -= 0.25;
}

// Of three loops the one in the middle counts for the inner one.
NOINLINE static void planes(struct matrix *m, int planes, int n)
{
    for (int t = 0; t < planes; t++)
        for (int j = 0; j < n; j++)
            for (int k = 0; k < j; k++)
                m->data[(t * 20 + j) * m->tda + k] += t;
}

// Holds in the middle only: neither the first nor the last iteration tells.
NOINLINE static void middle(struct matrix *m, unsigned n, unsigned first)
{
    for (unsigned j = 0; j < n; j++)
        if (j - first < 5)
            for (unsigned k = 0; k < n; k++)
                m->data[j * m->tda + k] += 7;
}

NOINLINE static void one(struct matrix *m, int n, int row)
{
    for (int j = 0; j < n; j++)
        if (j == row)
            for (int k = 0; k < n; k++)
                m->data[j * m->tda + k] *= 9;
}

// Ends before its last iteration: that does not tell either.
NOINLINE static void until(struct matrix *m, const double *x, int n)
{
    for (int j = 0; j < n; j++) {
        if (x[j] > 0)
            break;
        for (int k = 0; k < j; k++)
            m->data[j * m->tda + k] *= 2;
    }
}

HOST void run(int n, struct matrix *m, struct matrix *r)
{
    below(m, n);
    dump("below", a, sizeof a);
    above(m, n);
    dump("above", a, sizeof a);
    symmetric(r, m, n);
    dump("symmetric", a, sizeof a);
    from(m, n, n < 5 ? n : 4);
    dump("from", a, sizeof a);
    down(m, n, n < 5 ? 0 : n - 4);
    dump("down", a, sizeof a);
    planes(m, n < 5 ? 0 : 3, n < 20 ? n : 20);
    dump("planes", a, sizeof a);
    middle(m, n < 5 ? 0 : n, 3);
    dump("middle", a, sizeof a);
    one(m, n < 5 ? 0 : n, 3);
    dump("one", a, sizeof a);
    until(m, n < 5 ? (double[]){1} : b, n);
    dump("until", a, sizeof a);
}

int main(int argc, char **argv)
{
    struct matrix m = {MOST, MOST, MOST, a}, r = {MOST, MOST, MOST, b};
    int n;

    harness_start(argc, argv);
    n = harness_size(1);
    for (int i = 0; i < MOST * MOST; i++) {
        a[i] = harness_random();
        b[i] = harness_random();
    }
    b[0] = b[1] = b[2] = b[3] = -1;
    b[4] = 1;
    run(n, &m, &r);
    run(n / 2, &m, &r);
    // Nothing reads the structures of which there are none.
    run(1, 0, 0);
    return harness_end();
}
