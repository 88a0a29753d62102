// Pointers and strides in structures that only some iterations read: known
// before the loop where both cases of a condition read them, and where other
// members of the same structure are read in any case, if it is in one page.
//
// RUN: %gpu_cc -mfma %s %harness -lm -o %t.gpu
// RUN: %ref_cc %s %harness -lm -o %t.ref
// RUN: %run_ref %t.ref 300
// RUN: %run_gpu %t.gpu 300 2>&1 | %FileCheck %s
// RUN: cmp %t.ref.dump %t.gpu.dump
// RUN: %run_ref %t.ref 300 1
// RUN: %run_auto %t.gpu 300 1 2>&1 | %FileCheck --check-prefix=BORDER %s
// RUN: cmp %t.ref.dump %t.gpu.dump
//
// CHECK-NOT: polygpu: scop unknown
// CHECK-DAG: polygpu: scop rows {{.*}} runs=3 declined=0 failed=0
// CHECK-DAG: polygpu: kernel rows_{{.*}} launches=3
// CHECK-DAG: polygpu: scop sums {{.*}} runs=3 declined=0 failed=0
// CHECK-DAG: polygpu: scop both {{.*}} runs=3 declined=0 failed=0
// CHECK-DAG: polygpu: scop one_case {{.*}} runs=3 declined=0 failed=0
// CHECK-NOT: polygpu: scop unknown
// BORDER: polygpu: scop sums {{.*}} runs=3 declined=1 failed=0
#include "exec.h"

#include <math.h>
#include <stdlib.h>

enum { MOST = 400, PAGE = 4096 };

struct sparse {
    int rows;
    int *begin;
    int *column;
    double *value;
};

struct vector {
    size_t size, stride;
    double *data;
};

static int begin[MOST + 1], column[8 * MOST];
static double value[8 * MOST], x[MOST], y[MOST], z[2 * MOST];

NOINLINE static void rows(const struct sparse *m, const double *x, double *y)
{
    for (int i = 0; i < m->rows; i++) {
        double sum = 0;
        for (int k = m->begin[i]; k < m->begin[i + 1]; k++)
            sum += m->value[k] * x[m->column[k]];
        y[i] = sum;
    }
}

NOINLINE static void sums(const struct sparse *m, const double *x, double *y)
{
    for (int i = 0; i < m->rows; i++) {
        y[i] = 0;
        for (int k = m->begin[i]; k < m->begin[i + 1]; k++)
            y[i] += m->value[k] * x[m->column[k]];
    }
}

NOINLINE static void both(size_t n, const double *x, struct vector *v)
{
    for (size_t i = 0; i < n; i++) {
        if (x[i] <= 0)
            v->data[i * v->stride] = 1;
        else
            v->data[i * v->stride] = 1 / sqrt(x[i]);
    }
}

NOINLINE static void one_case(const double *x, struct vector *v)
{
    for (size_t i = 0; i < v->size; i++)
        if (x[i] > 0)
            v->data[i * v->stride] = x[i];
}

// Nothing says that there is a structure.
NOINLINE static void unknown(size_t n, const double *x, struct vector *v)
{
    for (size_t i = 0; i < n; i++)
        if (x[i] > 200)
            v->data[i * v->stride] = x[i];
}

HOST void run(int n, const struct sparse *m)
{
    _Alignas(64) struct vector v = {n, 2, z};
    _Alignas(64) struct sparse whole = {n, begin, column, value};

    rows(&whole, x, y);
    dump("rows", y, sizeof y);
    sums(m, x, y);
    dump("sums", y, sizeof y);
    both(n, x, &v);
    dump("both", z, sizeof z);
    v.stride = 1;
    one_case(x, &v);
    dump("one_case", z, sizeof z);
    unknown(n, x, 0);
}

int main(int argc, char **argv)
{
    _Alignas(64) struct sparse m = {0, begin, column, value}; /* in one page */
    char *pages = aligned_alloc(PAGE, 2 * PAGE);
    struct sparse *border = (struct sparse *)(pages + PAGE - 16);
    int n;

    harness_start(argc, argv);
    n = harness_size(1);
    for (int i = 0; i < MOST; i++) {
        begin[i + 1] = begin[i] + (int)(fabs(harness_random()) * 1000) % 7;
        x[i] = harness_random();
        y[i] = harness_random();
        z[i] = harness_random();
        z[MOST + i] = harness_random();
    }
    for (int i = 0; i < 8 * MOST; i++) {
        column[i] = (int)(fabs(harness_random()) * 100000) % MOST;
        value[i] = harness_random();
    }
    m.rows = n;
    run(n, &m);
    m.rows = n - 5;
    run(n - 5, &m);
    m.rows = 1;
    run(1, &m);
    // Pointers are behind the border of the page that the size is in.
    if (argc > 2 && argv[2][0] == '1') {
        *border = m;
        border->rows = n;
        sums(border, x, y);
        dump("border", y, sizeof y);
    }
    free(pages);
    return harness_end();
}
