// Elements whose index is data: gathers and look-up tables.  All that indices
// may lead to is on the device: the variable where it can be seen, else what is
// between the smallest and the largest index.
//
// RUN: %gpu_cc -mfma %s %harness -o %t.gpu
// RUN: %ref_cc %s %harness -o %t.ref
// RUN: %run_ref %t.ref
// RUN: %run_gpu %t.gpu 2>&1 | %FileCheck %s
// RUN: cmp %t.ref.dump %t.gpu.dump
// RUN: env POLYGPU=off POLYGPU_DUMP=%t.gpu.dump %t.gpu
// RUN: cmp %t.ref.dump %t.gpu.dump
// RUN: env POLYGPU_RESIDENCY=off %run_gpu %t.gpu 2>&1 | %FileCheck %s
// RUN: cmp %t.ref.dump %t.gpu.dump
// RUN: %run_faults
//
// CHECK-DAG: polygpu: scop gather {{.*}} runs=12 declined=0 failed=0
// CHECK-DAG: polygpu: kernel gather_{{.*}} launches=12
// CHECK-DAG: polygpu: scop in_table {{.*}} runs=1 declined=0 failed=0
// CHECK-DAG: polygpu: kernel in_table_{{.*}} launches=1
// CHECK-DAG: polygpu: scop by_pointer {{.*}} runs=1 declined=0 failed=0
// CHECK-DAG: polygpu: kernel by_pointer_{{.*}} launches=1
// CHECK-DAG: polygpu: scop rows {{.*}} runs=1 declined=0 failed=0
// CHECK-DAG: polygpu: kernel rows_{{.*}} launches=1
// CHECK-DAG: polygpu: scop fixed_rows {{.*}} runs=1 declined=0 failed=0
// CHECK-DAG: polygpu: kernel fixed_rows_{{.*}} launches=1
// CHECK-DAG: polygpu: scop chain {{.*}} runs=1 declined=0 failed=0
// CHECK-DAG: polygpu: kernel chain_{{.*}} launches=1
// CHECK-DAG: polygpu: scop widths {{.*}} runs=1 declined=0 failed=0
// CHECK-DAG: polygpu: kernel widths_{{.*}} launches=1
// CHECK-DAG: polygpu: scop arithmetic {{.*}} runs=1 declined=0 failed=0
// CHECK-DAG: polygpu: kernel arithmetic_{{.*}} launches=1
// CHECK-DAG: polygpu: scop fields {{.*}} runs=1 declined=0 failed=0
// CHECK-DAG: polygpu: kernel fields_{{.*}} launches=1
// CHECK-DAG: polygpu: scop corners {{.*}} runs=1 declined=0 failed=0
// CHECK-DAG: polygpu: kernel corners_{{.*}} launches=1
// CHECK-DAG: polygpu: scop computed {{.*}} runs=3 declined=0 failed=0
// CHECK-DAG: polygpu: kernel computed_{{.*}} launches=3
// CHECK-DAG: polygpu: scop steps {{.*}} runs=5 declined=0 failed=0
// CHECK-DAG: polygpu: scop steps {{.*}} runs=5 declined=0 failed=0
// CHECK-DAG: polygpu: kernel steps_{{.*}} launches=5
// CHECK-DAG: polygpu: kernel steps_{{.*}} launches=5
#include "exec.h"

#include <stdlib.h>

enum { N = 1500, M = 23 };

static float x[2 * N], y[N];
static double dx[N], dy[N];
static int idx[N], other[N];
static unsigned char bytes[N];
static float table[256], matrix[N][M], result[N][M];

struct body {
    double mass;
    float at[3];
    int kind;
};
static struct body bodies[N];

// From the middle of an array, to both sides.
APART void gather(int n, const float *from, const int *places, float *to)
{
    for (int i = 0; i < n; i++)
        to[i] = 2 * from[places[i]] + 1;
}

APART void in_table(int n)
{
    for (int i = 0; i < n; i++)
        y[i] = table[bytes[i]];
}

APART void by_pointer(int n, const double *values, const unsigned char *b,
                      double *to)
{
    for (int i = 0; i < n; i++)
        to[i] += values[b[2 * i]];
}

APART void rows(int n, int m, const float *from, const int *places, float *to)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            to[i * m + j] += from[places[i] * m + j];
}

APART void fixed_rows(int n)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < M; j++)
            result[i][j] = matrix[idx[i]][M - 1 - j];
}

APART void chain(int n, const double *from, const long *p, const unsigned *q,
                 double *to)
{
    for (int i = 0; i < n; i++)
        to[i] = from[p[q[i]]] + from[p[i]];
}

APART void widths(int n, const float *from, const short *s,
                  const unsigned short *u, const signed char *c,
                  const size_t *z, float *to)
{
    for (int i = 0; i < n; i++)
        to[i] = from[s[i]] + from[u[i]] - from[c[i]] * from[z[i]];
}

APART void arithmetic(int n, int k, const float *from, const int *p,
                      const unsigned *u, float *to)
{
    for (int i = 0; i < n; i++)
        to[i] = from[3 * p[i] - k] + from[(u[i] >> 3) % 100] +
                from[p[i] > 10 ? p[i] - 10 : p[i]] + from[(p[i] + i) / 2];
}

APART void fields(int n, const struct body *b, const int *places, double *to)
{
    for (int i = 0; i < n; i++)
        to[i] = b[places[i]].mass * b[places[i]].at[1] + b[places[i]].kind;
}

// As of a mesh.
APART void corners(int n, const double *of_node, const int *nodes, double *to)
{
    for (int e = 0; e < n; e++) {
        double sum = 0;
        for (int c = 0; c < 4; c++)
            sum += of_node[nodes[4 * e + c]];
        to[e] = sum / 4;
    }
}

// Indices that are on the device only.
NOINLINE static void computed(int n, int k, const float *from, int *p,
                              float *to)
{
    for (int i = 0; i < n; i++)
        p[i] = (i * k) % 1000;
    if (harness_random() < 2)
        k++;
    for (int i = 0; i < n; i++)
        to[i] = from[p[i]] + k;
}

// The array that is read is written between.
APART void steps(int t, int n, const int *p, float *a, float *b)
{
    for (int s = 0; s < t; s++) {
        for (int i = 0; i < n; i++)
            b[i] = a[p[i]] + 1;
        for (int i = 0; i < n; i++)
            a[i] = 0.5f * b[i];
    }
}

static int place(int n)
{
    return (int)((harness_random() + 1.5) / 3 * n) % n;
}

static void start(void)
{
    for (int i = 0; i < 2 * N; i++)
        x[i] = (float)harness_random();
    for (int i = 0; i < N; i++) {
        idx[i] = place(N);
        dx[i] = harness_random();
        bodies[i].mass = harness_random();
        bodies[i].at[1] = (float)harness_random();
        bodies[i].kind = place(10);
        for (int j = 0; j < M; j++)
            matrix[i][j] = (float)harness_random();
    }
    for (int i = 0; i < 256; i++)
        table[i] = (float)harness_random();
    random_bits(bytes, sizeof bytes);
    poison(y, sizeof y);
    poison(dy, sizeof dy);
    poison(result, sizeof result);
}

static void all_gathers(void)
{
    static const int sizes[] = {1, 2, 31, N};

    for (int s = 0; s < 4; s++) {
        int n = sizes[s];
        for (int i = 0; i < n; i++)
            other[i] = place(n) - n / 3;
        gather(n, x + n / 3, other, y); // random, with duplicates
        dump("y", y, sizeof y);
        for (int i = 0; i < n; i++)
            other[i] = -i;
        gather(n, x + n, other, y); // backwards
        dump("y", y, sizeof y);
        for (int i = 0; i < n; i++)
            other[i] = 7;
        gather(n, x, other, y); // one
        dump("y", y, sizeof y);
        gather(0, NULL, NULL, NULL);
    }
}

static void other_widths(void)
{
    static short s[N];
    static unsigned short u[N];
    static signed char c[N];
    static size_t z[N];
    static unsigned v[N];

    for (int i = 0; i < N; i++) {
        s[i] = (short)(place(1000) - 500);
        u[i] = (unsigned short)place(N);
        c[i] = (signed char)(place(256) - 128);
        z[i] = (size_t)place(N);
        other[i] = place(N / 3);
        v[i] = (unsigned)place(1 << 30) * 4u;
    }
    widths(N, x + N / 2, s, u, c, z, y);
    dump("y", y, sizeof y);
    arithmetic(N, 17, x + 100, other, v, y);
    dump("y", y, sizeof y);
}

static void links(void)
{
    static long p[N];
    static unsigned q[N];

    for (int i = 0; i < N; i++) {
        p[i] = place(N) - 5;
        q[i] = (unsigned)place(N);
    }
    chain(N - 5, dx + 5, p, q, dy);
    dump("dy", dy, sizeof dy);
}

int main(int argc, char **argv)
{
    float *heap = malloc(N * M * sizeof *heap);
    double *values;

    harness_start(argc, argv);
    start();
    all_gathers();
    in_table(N);
    dump("y", y, sizeof y);
    values = malloc(256 * sizeof *values);
    for (int i = 0; i < 256; i++)
        values[i] = harness_random();
    for (int i = 0; i < N; i++)
        dy[i] = i;
    by_pointer(N / 2, values, bytes, dy);
    dump("dy", dy, sizeof dy);
    for (int i = 0; i < N * M; i++)
        heap[i] = (float)i;
    rows(N, M, &matrix[0][0], idx, heap);
    dump("heap", heap, N * M * sizeof *heap);
    fixed_rows(N);
    dump("result", result, sizeof result);
    links();
    other_widths();
    fields(N, bodies, idx, dy);
    dump("dy", dy, sizeof dy);
    corners(N / 4, dx, idx, dy);
    dump("dy", dy, sizeof dy);
    for (int k = 3; k < 6; k++) {
        computed(N - k, k, x, other, y);
        dump("y", y, sizeof y);
        dump("other", other, sizeof other);
    }
    for (int i = 0; i < N; i++)
        y[i] = (float)i;
    steps(5, N, idx, x, y);
    dump("x", x, sizeof x);
    return harness_end();
}
