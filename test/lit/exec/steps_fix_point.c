// Products of small matrices that lie in one row of numbers.  The loop over k
// counts by such a number, which fixes i where a row is longer than k runs: of
// "triangle" it is known all the same which of its registers a thread uses,
// since the loops over its points are not isl's (generate/collapse.c).  The
// blocks of "numbers" are as long as its short loops, and have no tiles to
// begin with.
//
// RUN: %gpu_cc %s %harness -o %t.gpu -Rpass-analysis=gpu-polyhedral 2>&1 | \
// RUN:     %FileCheck %s --check-prefix=BUFFERS
// RUN: %ref_cc %s %harness -o %t.ref
// RUN: %run_ref %t.ref
// RUN: %run_gpu %t.gpu 2>&1 | %FileCheck %s
// RUN: cmp %t.ref.dump %t.gpu.dump
//
// BUFFERS: kernel numbers_{{[0-9_]+}}: {{.*}}no buffers: no tile would use an element of an array more than once
// BUFFERS: kernel triangle_{{[0-9_]+}}: {{.*}} in registers
// BUFFERS: kernel rows_{{[0-9_]+}}: {{.*}} in registers
//
// CHECK: polygpu: scop numbers {{.*}} runs=1 declined=0 failed=0
// CHECK: polygpu: kernel {{.*}} launches=1
// CHECK: polygpu: scop triangle {{.*}} runs=1 declined=0 failed=0
// CHECK: polygpu: kernel {{.*}} launches=1
// CHECK: polygpu: scop rows {{.*}} runs=1 declined=0 failed=0
// CHECK: polygpu: kernel {{.*}} launches=1
#include "exec.h"

enum { MATRICES = 37, N = 3, ROW = 4, MATRIX = 24 };

static float a[MATRICES * MATRIX], b[MATRICES * MATRIX];
static float x[MATRICES][N][ROW], y[MATRICES][N][ROW];
static float sums[2][MATRICES][N][N];
static long long p[N][N], q[N][N], triangles[N * N];

NOINLINE static void numbers(int n, float c[][N][N], const float *restrict u,
                             const float *restrict v)
{
    for (int m = 0; m < n; m++)
        for (int i = 0; i < N; i++)
            for (int j = 0; j < N; j++)
                for (int k = 0; k < N; k++)
                    c[m][i][j] += u[m * MATRIX + i * ROW + k] *
                                  v[m * MATRIX + k * ROW + j];
}

NOINLINE static void triangle(int n, long long *restrict c, long long (*u)[N],
                              long long (*v)[N])
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            for (int k = 0; k < i; k++) {
                c[i * n + j] += 15 * u[i][k] * v[j][j];
                c[i * n + j] += u[k][j] * v[i][k];
            }
            c[i * n + j] -= 17 * u[i][j];
        }
}

NOINLINE static void rows(int n, float c[][N][N], float (*restrict u)[N][ROW],
                          float (*restrict v)[N][ROW])
{
    for (int m = 0; m < n; m++)
        for (int i = 0; i < N; i++)
            for (int j = 0; j < N; j++)
                for (int k = 0; k < N; k++)
                    c[m][i][j] += u[m][i][k] * v[m][k][j];
}

int main(int argc, char **argv)
{
    harness_start(argc, argv);
    harness_fill(a, MATRICES * MATRIX, sizeof(float));
    harness_fill(b, MATRICES * MATRIX, sizeof(float));
    harness_fill(x, MATRICES * N * ROW, sizeof(float));
    harness_fill(y, MATRICES * N * ROW, sizeof(float));
    harness_fill(sums, sizeof sums / sizeof(float), sizeof(float));
    for (int i = 0; i < N * N; i++) {
        p[0][i] = (long long)(1000 * harness_random());
        q[0][i] = (long long)(1000 * harness_random());
        triangles[i] = (long long)(1000 * harness_random());
    }
    numbers(MATRICES, sums[0], a, b);
    triangle(N, triangles, p, q);
    rows(MATRICES, sums[1], x, y);
    dump("sums", sums, sizeof sums);
    dump("triangles", triangles, sizeof triangles);
    return harness_end();
}
