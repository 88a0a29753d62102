// Rows of matrices that are allocated in turns: each matrix is in the gaps of the
// others. Their ranges overlap, and what is accessed of rows does not, which a run
// looks at: the distance of rows, and which part of it each matrix has.
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
// CHECK-DAG: scop update {{.*}} runs=6 declined=0 failed=0
// CHECK-DAG: kernel update_{{.*}} launches=6
// CHECK-DAG: scop product {{.*}} runs=3 declined=0 failed=0
// CHECK-DAG: kernel product_{{.*}} launches=3
// CHECK-DAG: scop add {{.*}} runs=3 declined=0 failed=0
// CHECK-DAG: scop both {{.*}} runs=3 declined=0 failed=0
// CHECK-DAG: kernel both_{{.*}} launches=3
// CHECK-DAG: scop planes {{.*}} runs=1 declined=0 failed=0
//
// Of nine pairs four are apart: in the gap exactly, in front of the first row, many
// rows behind, and one row by itself beside another. No rows and no columns are
// nothing.
// OTHERS-DAG: update {{.*}} not offloaded: 'l' overlaps 'u'
// OTHERS-DAG: scop update {{.*}} runs=4 declined=5 failed=0
// OTHERS-DAG: both {{.*}} not offloaded: 'u', 'l' overlap each other
// OTHERS-DAG: scop both {{.*}} runs=1 declined=1 failed=0
#include "exec.h"

#include <stdlib.h>

enum { N = 24, M = 20, ALL = 4000 };

static double all[ALL];

NOINLINE static void update(double **l, double **u, int n, int m)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            l[i][j] = l[i][j] * 0.5 + u[i][j];
}

NOINLINE static void product(double **c, double **a, double **b, int n)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            double s = 0;

            for (int k = 0; k < n; k++)
                s += a[i][k] * b[k][j];
            c[i][j] = s;
        }
}

/* One matrix by itself stays on the device, gaps and all. */
NOINLINE static void add(double **a, int n, int m)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            a[i][j] += 1;
}

NOINLINE static void both(double **l, double **u, int n, int m)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            l[i][j] += u[i][j];
            u[i][j] -= 2 * j;
        }
}

NOINLINE static void planes(float ***a, float ***b, int n, int m, int k)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            for (int l = 0; l < k; l++)
                b[i][j][l] += a[i][j][l] * 2;
}

/* Rows from "first" on, each "distance" elements behind the one before. */
HOST double **rows(long first, long distance)
{
    double **a = malloc(N * sizeof *a);

    for (int i = 0; i < N; i++)
        a[i] = all + first + i * distance;
    return a;
}

static void whole(long gap)
{
    double **a = rows(0, 3 * (M + gap)), **b = rows(M + gap, 3 * (M + gap));
    double **c = rows(2 * (M + gap), 3 * (M + gap));

    update(a, b, N, M);
    dump("update", all, sizeof all);
    update(c, a, N, M - 3);
    product(c, a, b, M);
    dump("product", all, sizeof all);
    add(a, N, M);
    both(a, b, N, M);
    b[3][4] += a[2][1];
    dump("both", all, sizeof all);
}

static void volumes(int n, int m, int k)
{
    float *p = malloc((size_t)(2 * n * m * k) * sizeof *p);
    float ***a = malloc((size_t)n * sizeof *a), ***b = malloc((size_t)n * sizeof *b);
    float **ra = malloc((size_t)(n * m) * sizeof *ra);
    float **rb = malloc((size_t)(n * m) * sizeof *rb);

    harness_fill(p, (size_t)(2 * n * m * k), sizeof *p);
    for (int i = 0; i < n; i++) {
        a[i] = ra + i * m;
        b[i] = rb + i * m;
        for (int j = 0; j < m; j++) {
            a[i][j] = p + 2 * (i * m + j) * k;
            b[i][j] = a[i][j] + k;
        }
    }
    planes(a, b, n, m, k);
    harness_dump("planes", p, (size_t)(2 * n * m * k), sizeof *p);
}

static void otherwise(void)
{
    enum { FAR = 60 };
    double **a = rows(1000, FAR);
    // In the gap, one too near in front and behind, at the same place, one row in
    // front but for an element, in front of the first one, rows behind, closer rows.
    const long first[][2] = {{1020, FAR}, {1019, FAR},      {1041, FAR},
                             {1000, FAR}, {1000 - 61, FAR}, {1000 - 40, FAR},
                             {1000 + 5 * FAR + 30, FAR},    {1020, FAR / 2}};
    double **one = rows(1030, 10);

    for (size_t k = 0; k < sizeof first / sizeof *first; k++) {
        update(a, rows(first[k][0], first[k][1]), N, M);
        dump("update", all, sizeof all);
    }
    update(a, one, 1, M);
    update(a, one, 0, M);
    update(a, one, N, 0);
    dump("one", all, sizeof all);
    both(a, rows(1020, FAR), N, M);
    both(a, rows(1010, FAR), N, M);
    dump("both", all, sizeof all);
}

int main(int argc, char **argv)
{
    harness_start(argc, argv);
    harness_fill(all, ALL, sizeof *all);
    if (argc > 1) {
        otherwise();
        return harness_end();
    }
    whole(0);
    whole(1);
    whole(13);
    volumes(5, 6, 7);
    return harness_end();
}
