// What an iteration reads of the one before stays in a register: recurrences
// of one and two steps, along rows and columns, forwards and backwards, through
// a time loop, and under the loop's own condition. Sizes are such that loops
// have no iteration, one, two, and more than a strip; each thread loads what
// comes in from before the loop once, as the profile shows.
//
// RUN: %gpu_cc -mfma %s %harness -o %t.gpu
// RUN: %ref_cc %s %harness -o %t.ref
// RUN: %run_ref %t.ref
// RUN: %run_gpu %t.gpu > %t.profile 2>&1
// RUN: cmp %t.ref.dump %t.gpu.dump
// RUN: %FileCheck %s < %t.profile
// RUN: %gpu_cc -mfma -mllvm -gpu-promotion=off %s %harness -o %t.gpu
// RUN: %run_gpu %t.gpu > %t.profile 2>&1
// RUN: cmp %t.ref.dump %t.gpu.dump
// RUN: %FileCheck %s < %t.profile
// RUN: %FileCheck --check-prefix=OFF %s < %t.profile
//
// CHECK: polygpu: scop filter {{.*}} runs=5 declined=0 failed=0
// CHECK-NEXT: polygpu: kernel filter_{{.*}} launches=5
// CHECK-NEXT: polygpu: scop back {{.*}} runs=4 declined=0 failed=0
// CHECK-NEXT: polygpu: kernel back_{{.*}} launches=4
// CHECK-NEXT: polygpu: scop steps {{.*}} runs=4 declined=0 failed=0
// CHECK-NEXT: polygpu: kernel steps_{{.*}} launches=4
// CHECK-NEXT: polygpu: scop rows {{.*}} runs=3 declined=0 failed=0
// CHECK-NEXT: polygpu: kernel rows_{{.*}} launches=3
// CHECK-NEXT: polygpu: scop columns {{.*}} runs=3 declined=0 failed=0
// CHECK-NEXT: polygpu: kernel columns_{{.*}} launches=3
// CHECK-NEXT: polygpu: scop mixed {{.*}} runs=3 declined=0 failed=0
// CHECK-NEXT: polygpu: kernel mixed_{{.*}} launches=3
// CHECK-NOT: kernel
//
// Loads are those of the other array, and for each thread those from before the
// loop: 41 (1 + 3 + 148) + 41 * 3 * 2, 41 (1 + 2 + 4 + 149) + 41 * 4,
// 41^2 (1 + 2 + 4 + 8) + 41^2 * 4, 41 (1 + 2 + 3 + 5 + 150) as a[0] is known,
// and 2 * 41 (1 + 3 + 148) + 41 * 3 * 3.
// OFF-DAG: accesses rows_{{.*}} global_loads=6478 {{.*}} global_stores=6232
// OFF-DAG: accesses columns_{{.*}} global_loads=6478 {{.*}} global_stores=6232
// OFF-DAG: accesses back_{{.*}} global_loads=6560 {{.*}} global_stores=6396
// OFF-DAG: accesses steps_{{.*}} global_loads=31939 {{.*}} global_stores=25215
// OFF-DAG: accesses filter_{{.*}} global_loads=6601 {{.*}} global_stores=13202
// OFF-DAG: accesses mixed_{{.*}} global_loads=12833 {{.*}} global_stores=12464
#include "exec.h"

enum { N = 41, M = 150, STEPS = 9, SIZES = 6 };

static const int sizes[SIZES] = {0, 1, 2, 3, 5, M};

static double ad[N][M], bd[N][M], cd[M][N], dd[M][N];
static float af[STEPS][N][N], bf[STEPS][N][N];
static unsigned ai[N][M], bi[N][M], ci[N][M];

NOINLINE static void rows(int n, int m, double a[N][m], double b[N][m])
{
    for (int i = 0; i < n; i++)
        for (int t = 2; t < m; t++)
            a[i][t] = 0.5 * a[i][t - 1] + 0.25 * a[i][t - 2] + b[i][t];
}

NOINLINE static void columns(int n, int m, double a[m][n], double b[m][n])
{
    for (int i = 0; i < n; i++)
        for (int t = 2; t < m; t++)
            a[t][i] = 0.5 * a[t - 1][i] - 0.25 * a[t - 2][i] + b[t][i];
}

NOINLINE static void back(int n, int m, double a[m][n], double b[m][n])
{
    for (int i = 0; i < n; i++)
        for (int t = m - 2; t >= 0; t--)
            a[t][i] = 0.75 * a[t + 1][i] + b[t][i];
}

NOINLINE static void steps(int n, int m, float a[m][n][n], float b[m][n][n])
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            for (int t = 1; t < m; t++)
                a[t][i][j] = 0.5f * a[t - 1][i][j] + b[t][i][j];
}

/* A filter: its scalars become elements of a, stored under the condition that
 * there is a next one. */
NOINLINE static void filter(int n, int m, unsigned a[n][m], unsigned b[n][m])
{
    for (int i = 0; i < n; i++) {
        unsigned x1 = 0, y1 = 0, y2 = 0;

        for (int t = 0; t < m; t++) {
            a[i][t] = b[i][t] + 3 * x1 + 5 * y1 + 7 * y2;
            x1 = b[i][t];
            y2 = y1;
            y1 = a[i][t];
        }
    }
}

/* Two arrays that take each other's values, one of them two steps later. */
NOINLINE static void mixed(int n, int m, unsigned a[n][m], unsigned b[n][m])
{
    for (int i = 0; i < n; i++)
        for (int t = 2; t < m; t++) {
            a[i][t] = a[i][t] + 5 * b[i][t - 2] - b[i][t - 1];
            b[i][t] = b[i][t] + 3 * a[i][t - 1];
        }
}

static void fill_int(unsigned *p, int n)
{
    for (int i = 0; i < n; i++)
        p[i] = (unsigned)(harness_random() * 1000);
}

int main(int argc, char **argv)
{
    harness_start(argc, argv);
    harness_fill(ad, N * M, sizeof(double));
    harness_fill(bd, N * M, sizeof(double));
    harness_fill(cd, N * M, sizeof(double));
    harness_fill(dd, N * M, sizeof(double));
    harness_fill(af, STEPS * N * N, sizeof(float));
    harness_fill(bf, STEPS * N * N, sizeof(float));
    fill_int(ai[0], N * M);
    fill_int(bi[0], N * M);
    fill_int(ci[0], N * M);
    for (int k = 0; k < SIZES; k++) {
        int m = sizes[k];

        rows(N, m, (void *)ad, (void *)bd);
        columns(N, m, (void *)cd, (void *)dd);
        back(N, m, (void *)dd, (void *)cd);
        steps(N, m < STEPS ? m : STEPS, (void *)af, (void *)bf);
        filter(N, m, (void *)ai, (void *)bi);
        mixed(N, m, (void *)bi, (void *)ci);
        dump("ad", ad, sizeof ad);
        dump("cd", cd, sizeof cd);
        dump("dd", dd, sizeof dd);
        dump("af", af, sizeof af);
        dump("ai", ai, sizeof ai);
        dump("bi", bi, sizeof bi);
        dump("ci", ci, sizeof ci);
    }
    return harness_end();
}
