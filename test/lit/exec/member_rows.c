// One member with rows in a structure, which does not begin where rows from the
// structure on would: columns are counted from the member on.
//
// RUN: %gpu_cc -mfma %s %harness -lm -o %t.gpu
// RUN: %ref_cc %s %harness -lm -o %t.ref
// RUN: %run_ref %t.ref 5
// RUN: %run_gpu %t.gpu 5 2>&1 | %FileCheck %s
// RUN: cmp %t.ref.dump %t.gpu.dump
//
// CHECK-DAG: polygpu: kernel clear_{{.*}} launches=1
// CHECK-DAG: polygpu: kernel scale_{{.*}} launches=2
// CHECK-DAG: polygpu: kernel store_{{.*}} launches=2
// CHECK-DAG: polygpu: kernel column_{{.*}} launches=1
// CHECK-DAG: polygpu: kernel cube_{{.*}} launches=1
// CHECK-DAG: polygpu: kernel into_{{.*}} launches=1
#include "exec.h"

struct record {
    int order;
    double data[6][4];
    double tail;
};

struct record3 {
    float front[3];
    float cube[5][6][7];
    float back[2];
};

static struct record a, b;
static struct record3 c;
static double y[6 * 4];

NOINLINE static void clear(struct record *r)
{
    for (int i = 1; i <= 5; i++)
        for (int k = 1; k <= 3; k++)
            r->data[i][k] = i - 0.25 * k;
}

NOINLINE static void scale(struct record *r, int n, double by)
{
    r->order = n;
    for (int i = 0; i <= n; i++)
        for (int k = 0; k < 4; k++)
            r->data[i][k] *= by;
    r->tail += by;
}

// Rows as data may be anywhere in these, also one behind the other.
NOINLINE static void store(struct record *r, const double *from, int n, int m)
{
    for (int i = 0; i < n; i++)
        for (int k = 0; k < m; k++)
            r->data[i][k] = from[i * 4 + k] + r->order;
}

NOINLINE static void column(struct record *r)
{
    for (int i = 0; i < 5; i++)
        r->data[i][2] = r->data[i + 1][3] + 1;
}

NOINLINE static void cube(struct record3 *r)
{
    for (int i = 1; i < 5; i++)
        for (int j = 1; j < 6; j++)
            for (int k = 1; k < 7; k++)
                r->cube[i][j][k] = r->cube[i][j][k] * 2 + (float)(i * j + k);
}

NOINLINE static void into(struct record *r, double *to)
{
    for (int i = 2; i < 6; i++)
        for (int k = 1; k < 4; k++)
            to[i * 4 + k] = r->data[i][k];
}

int main(int argc, char **argv)
{
    int n;

    harness_start(argc, argv);
    n = harness_size(1);
    random_bits(&a.order, sizeof a.order);
    a.order &= 0xff;
    for (int i = 0; i < 6; i++)
        for (int k = 0; k < 4; k++) {
            a.data[i][k] = harness_random();
            b.data[i][k] = harness_random();
        }
    a.tail = b.tail = harness_random();
    for (int i = 0; i < 3; i++)
        c.front[i] = (float)harness_random();
    for (int i = 0; i < 5 * 6 * 7; i++)
        c.cube[i / 42][i / 7 % 6][i % 7] = (float)harness_random();
    c.back[0] = c.back[1] = 3;
    poison(y, sizeof y);
    clear(&a);
    dump("a", &a, sizeof a);
    scale(&a, n, 1.5);
    scale(&b, n - 3, -0.5);
    dump("a", &a, sizeof a);
    dump("b", &b, sizeof b);
    store(&b, &a.data[0][0], n, 3);
    store(&a, &b.data[0][0], n, 4);
    dump("stored", &b, sizeof b);
    dump("stored", &a, sizeof a);
    column(&a);
    dump("column", &a, sizeof a);
    cube(&c);
    dump("c", &c, sizeof c);
    into(&b, y);
    dump("y", y, sizeof y);
    return harness_end();
}
