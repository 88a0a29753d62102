// Rows of sparse matrices whose sum is an element, updated in memory: kernels
// hand it on, the loops of the host update it where it is, which counts where
// arrays overlap.
//
// RUN: %gpu_cc -mfma %s %harness -o %t.gpu
// RUN: %ref_cc %s %harness -o %t.ref
// RUN: %run_ref %t.ref
// RUN: %run_auto %t.gpu 2>&1 | %FileCheck %s
// RUN: cmp %t.ref.dump %t.gpu.dump
// RUN: env POLYGPU=off POLYGPU_DUMP=%t.gpu.dump %t.gpu
// RUN: cmp %t.ref.dump %t.gpu.dump
// RUN: env POLYGPU=auto POLYGPU_DEVICE=emulated POLYGPU_COST=off \
// RUN:     POLYGPU_FAULT=launch:1+ POLYGPU_DUMP=%t.gpu.dump %t.gpu
// RUN: cmp %t.ref.dump %t.gpu.dump
//
// CHECK-DAG: polygpu: scop plain {{.*}} runs=2 declined=2 failed=0
// CHECK-DAG: polygpu: kernel plain_{{.*}} launches=2
// CHECK-DAG: polygpu: scop zeroed {{.*}} runs=2 declined=2 failed=0
// CHECK-DAG: polygpu: kernel zeroed_{{.*}} launches=2
// CHECK-DAG: polygpu: scop residual {{.*}} runs=1 declined=0 failed=0
// CHECK-DAG: polygpu: kernel residual_{{.*}} launches=1
// CHECK-DAG: polygpu: scop largest {{.*}} runs=1 declined=0 failed=0
// CHECK-DAG: polygpu: scop whole {{.*}} runs=1 declined=0 failed=0
// CHECK-DAG: polygpu: scop some_rows {{.*}} runs=1 declined=0 failed=0
// CHECK-DAG: polygpu: scop steps {{.*}} runs=5 declined=0 failed=0
#include "exec.h"

enum { N = 120, MOST = 9 };

static double x[N], y[N], z[N], v[N * MOST];
static int ptr[N + 1], col[N * MOST];
static unsigned count[N], w[N * MOST];

NOINLINE static void plain(int n, double *y, const double *x, const double *v,
                           const int *ptr, const int *col)
{
    for (int i = 0; i < n; i++)
        for (int k = ptr[i]; k < ptr[i + 1]; k++)
            y[i] += v[k] * x[col[k]];
}

NOINLINE static void zeroed(int n, double *y, const double *x, const double *v,
                            const int *ptr, const int *col)
{
    for (int i = 0; i < n; i++) {
        y[i] = 0;
        for (int k = ptr[i]; k < ptr[i + 1]; k++)
            y[i] += v[k] * x[col[k]];
    }
}

NOINLINE static void residual(int n)
{
    for (int i = 0; i < n; i++) {
        y[i] = z[i];
        for (int k = ptr[i]; k < ptr[i + 1]; k++)
            y[i] -= v[k] * x[col[k]];
        y[i] *= 2;
    }
}

NOINLINE static void largest(int n)
{
    for (int i = 0; i < n; i++)
        for (int k = ptr[i]; k < ptr[i + 1]; k++)
            y[i] = y[i] > x[col[k]] ? y[i] : x[col[k]];
}

NOINLINE static void whole(int n)
{
    for (int i = 0; i < n; i++)
        for (int k = ptr[i]; k < ptr[i + 1]; k++)
            count[i] = count[i] * 3 + w[k];
}

NOINLINE static void some_rows(int n)
{
    for (int i = 0; i < n; i++)
        if (z[i] > 0)
            for (int k = ptr[i]; k < ptr[i + 1]; k++)
                y[i] += v[k] * x[col[k]];
}

NOINLINE static void steps(int t, int n)
{
    for (int s = 0; s < t; s++) {
        for (int i = 0; i < n; i++)
            for (int k = ptr[i]; k < ptr[i + 1]; k++)
                y[i] += v[k] * x[col[k]];
        for (int i = 0; i < n; i++)
            x[i] = y[i] * 0.25;
    }
}

static void start(void)
{
    harness_fill(x, N, sizeof *x);
    harness_fill(y, N, sizeof *y);
    harness_fill(z, N, sizeof *z);
    harness_fill(v, (size_t)N * MOST, sizeof *v);
    random_bits(w, sizeof w);
    random_bits(count, sizeof count);
    for (int i = 0; i < N; i++)
        ptr[i + 1] = ptr[i] + (int)(w[i] % MOST);
    for (int k = 0; k < N * MOST; k++)
        col[k] = (int)(w[k] / MOST % N);
}

static void show(void)
{
    dump("x", x, sizeof x);
    dump("y", y, sizeof y);
    dump("v", v, sizeof v);
    dump("count", count, sizeof count);
}

#define RUN(call)                                                              \
    do {                                                                       \
        start();                                                               \
        call;                                                                  \
        show();                                                                \
    } while (0)

int main(int argc, char **argv)
{
    harness_start(argc, argv);
    RUN(plain(N, y, x, v, ptr, col));
    RUN(plain(1, y, x, v, ptr, col));
    RUN(plain(N, x, x, v, ptr, col));
    RUN(plain(N, v + 5, x, v, ptr, col));
    RUN(zeroed(N, y, x, v, ptr, col));
    RUN(zeroed(3, y, x, v, ptr, col));
    RUN(zeroed(N - 1, x + 1, x, v, ptr, col));
    RUN(zeroed(N, v + 2, v + 1, v, ptr, col));
    RUN(residual(N));
    RUN(largest(N));
    RUN(whole(N));
    RUN(some_rows(N));
    RUN(steps(5, N));
    return harness_end();
}
