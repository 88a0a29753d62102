// A loop, and behind it a bound in memory that a later loop, which calls functions that
// might write it, reads in each iteration at the same address: the address is computed
// in front of the first loop, and is no result of it.
//
// RUN: %gpu_cc %s %harness -o %t.gpu
// RUN: %ref_cc %s %harness -o %t.ref
// RUN: %run_ref %t.ref
// RUN: %run_gpu %t.gpu 2>&1 | %FileCheck %s
// RUN: cmp %t.ref.dump %t.gpu.dump
// RUN: %run_faults
//
// CHECK-DAG: polygpu: scop product {{.*}}.c:[[@LINE+50]] {{.*}} runs=1 declined=0 failed=0
// CHECK-DAG: polygpu: scop product {{.*}}.c:[[@LINE+57]] {{.*}} runs=1 declined=0 failed=0
#include "exec.h"

enum { N = 75, ROWS = 9 };

struct node {
    int index;
    double value;
};

struct problem {
    int rows, columns;
    struct node *const *x;
};

struct objective {
    const struct problem *problem;
    double *c;
    int *which;
    int rows;
};

static double x[N], y[N], c[ROWS];
static int which[ROWS];
static struct node nodes[ROWS][5], *list[ROWS];

static int columns(const struct objective *o)
{
    return o->problem->columns;
}

static double dot(const double *s, const struct node *x)
{
    double sum = 0;
    for (; x->index != -1; x++)
        sum += s[x->index] + x->value;
    return sum;
}

static void axpy(double by, const struct node *x, double *to)
{
    for (; x->index != -1; x++)
        to[x->index] += by;
}

NOINLINE static void product(struct objective *o, const double *from, double *to)
{
    int n = columns(o);
    struct node *const *x = o->problem->x;
    for (int i = 0; i < n; i++)
        to[i] = 0;
    for (int i = 0; i < o->rows; i++) {
        const struct node *row = x[o->which[i]];
        double sum = dot(from, row);
        sum = o->c[o->which[i]] * sum;
        axpy(sum, row, to);
    }
    for (int i = 0; i < n; i++)
        to[i] = from[i] - 2 * to[i];
}

int main(int argc, char **argv)
{
    harness_start(argc, argv);
    harness_fill(x, N, sizeof(double));
    poison(y, sizeof y);
    harness_fill(c, ROWS, sizeof(double));
    for (int i = 0; i < ROWS; i++) {
        which[i] = i * 2 % ROWS;
        list[i] = nodes[i];
        for (int k = 0; k < 4; k++)
            nodes[i][k] = (struct node){(i * 8 + k) % N, k * 0.5};
        nodes[i][4].index = -1;
    }
    struct problem p = {ROWS, N, list};
    struct objective o = {&p, c, which, ROWS};
    product(&o, x, y);
    dump_double("y", y, N);
    return harness_end();
}
