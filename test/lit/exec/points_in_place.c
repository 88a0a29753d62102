// Points of a thread that update an array in place: the loads of several come before their
// stores, but none before a store of its own point. With loops around on the host neighbours
// in a row are neighbours in a warp, though the loop in the source goes down the columns.
//
// RUN: %gpu_cc %s %harness -o %t.gpu
// RUN: %ref_cc %s %harness -o %t.ref
// RUN: %run_ref %t.ref
// RUN: %run_gpu %t.gpu 2>&1 | %FileCheck %s
// RUN: cmp %t.ref.dump %t.gpu.dump
//
// CHECK: polygpu: scop outer {{.*}} runs=5 declined=0 failed=0
// CHECK: polygpu: kernel {{.*}} launches=5
// CHECK: polygpu: scop twice {{.*}} runs=5 declined=0 failed=0
// CHECK: polygpu: kernel {{.*}} launches=5
// CHECK: polygpu: scop through {{.*}} runs=5 declined=0 failed=0
// CHECK: polygpu: kernel {{.*}} launches=5
// CHECK: polygpu: scop some {{.*}} runs=5 declined=0 failed=0
// CHECK: polygpu: kernel {{.*}} launches=5
// CHECK: polygpu: scop in_steps {{.*}} runs=5 declined=0 failed=0
// CHECK: polygpu: kernel {{.*}} launches=
#include "exec.h"

enum { N = 150, M = 139 };

static float a[N * M], b[N * M];
static double d[N * M];
static float q[N * M], r[N * M];
static int at[N];

NOINLINE static void outer(int n, int m, double (*a)[m], const float *q,
                           const float *r)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            a[i][j] -= (double)q[i] * r[j];
}

/* Reads again what its own point wrote, since b could be the same array. */
NOINLINE static void twice(int n, int m, float (*a)[m], float (*b)[m],
                           const float *q, const float *r)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            a[i][j] += q[i] * r[j];
            b[i][j] = a[i][j] - b[i][j] * q[i];
            a[i][j] = b[i][j] * a[i][j] + r[j];
        }
}

NOINLINE static void through(int n, int m, float (*restrict a)[m],
                             const float *restrict q, const float *restrict r,
                             const int *restrict at)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            a[i][j] += q[at[i]] * r[j];
}

NOINLINE static void some(int n, int m, float (*restrict a)[m],
                          const float *restrict q, const float *restrict r)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            if (q[i] > 0)
                a[i][j] = a[i][j] * q[i] + r[j];
}

/* The columns behind k, from the loop over which a column's distance is k + 1. */
NOINLINE static void in_steps(int n, int m, float (*restrict a)[m],
                              float (*restrict q)[m], float (*restrict r)[m])
{
    for (int k = 0; k < m && k < 7; k++) {
        for (int i = 0; i < n; i++)
            q[i][k] = a[i][k] * r[k][k];
        for (int j = k + 1; j < m; j++)
            for (int i = 0; i < n; i++)
                a[i][j] -= q[i][k] * r[k][j];
    }
}

static void run(int n, int m)
{
    harness_fill(d, (size_t)N * M, sizeof *d);
    outer(n, m, (double(*)[m])d, q, r);
    dump("outer", d, sizeof d);
    harness_fill(a, (size_t)N * M, sizeof *a);
    harness_fill(b, (size_t)N * M, sizeof *b);
    twice(n, m, (float(*)[m])a, (float(*)[m])b, q, r);
    dump("twice", a, sizeof a);
    dump("twice b", b, sizeof b);
    through(n, m, (float(*)[m])a, q, r, at);
    dump("through", a, sizeof a);
    some(n, m, (float(*)[m])a, q, r);
    dump("some", a, sizeof a);
    in_steps(n, m, (float(*)[m])a, (float(*)[m])b, (float(*)[m])r);
    dump("in_steps", a, sizeof a);
}

int main(int argc, char **argv)
{
    harness_start(argc, argv);
    harness_fill(q, (size_t)N * M, sizeof *q);
    harness_fill(r, (size_t)N * M, sizeof *r);
    for (int i = 0; i < N; i++)
        at[i] = (int)((harness_random() + 1.5) / 3 * N) % N;
    run(N, M);
    run(128, 128);
    run(64, 130);
    run(9, 139);
    run(130, 5);
    return harness_end();
}
