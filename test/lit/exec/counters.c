// Counters of other types, steps and directions.
//
// RUN: %gpu_cc %s %harness -o %t.gpu
// RUN: %ref_cc %s %harness -o %t.ref
// RUN: %run_ref %t.ref
// RUN: %run_gpu %t.gpu 2>&1 | %FileCheck %s
// RUN: cmp %t.ref.dump %t.gpu.dump
//
// CHECK: polygpu: scop with_unsigned {{.*}} runs=1 declined=0 failed=0
// CHECK: polygpu: kernel {{.*}} launches=1
// CHECK: polygpu: scop with_size {{.*}} runs=1 declined=0 failed=0
// CHECK: polygpu: kernel {{.*}} launches=1
// CHECK: polygpu: scop by_two {{.*}} runs=1 declined=0 failed=0
// CHECK: polygpu: kernel {{.*}} launches=1
// CHECK: polygpu: scop downwards {{.*}} runs=1 declined=0 failed=0
// CHECK: polygpu: kernel {{.*}} launches=1
// CHECK: polygpu: scop from_five {{.*}} runs=1 declined=0 failed=0
// CHECK: polygpu: kernel {{.*}} launches=1
// CHECK: polygpu: scop triangle {{.*}} runs=1 declined=0 failed=0
// CHECK: polygpu: kernel {{.*}} launches=1
// CHECK: polygpu: scop smaller {{.*}} runs=3 declined=0 failed=0
// CHECK: polygpu: kernel {{.*}} launches=3
// CHECK: polygpu: scop band {{.*}} declined=0 failed=0
// CHECK: polygpu: kernel {{.*}} launches={{[1-9]}}
#include "exec.h"

enum { N = 47 };

static int in[N][N], out[8][N][N];

NOINLINE static void with_unsigned(unsigned n)
{
    for (unsigned i = 0; i < n; i++)
        out[0][1][i] = in[2][i] + 1;
}

NOINLINE static void with_size(size_t n, size_t m)
{
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < m; j++)
            out[1][i][j] = in[j][i] - 1;
}

NOINLINE static void by_two(int n)
{
    for (int i = 0; i < n; i += 2)
        for (int j = 1; j < n; j += 3)
            out[2][i][j] = in[i][j] * 2;
}

NOINLINE static void downwards(int n)
{
    for (int i = n - 1; i >= 0; i--)
        for (int j = n; j > 1; j -= 2)
            out[3][i][j - 1] = in[i][j - 1] * 3;
}

NOINLINE static void from_five(int n)
{
    for (int i = 5; i <= n - 3; i++)
        out[4][i][6] = in[i][5] * 4;
}

NOINLINE static void triangle(int n)
{
    for (int i = 0; i < n; i++)
        for (int j = i + 1; j < n; j++)
            out[5][i][j] = in[j][i] * 5;
}

NOINLINE static void smaller(int n, int m)
{
    int bound = n < m ? n : m;

    for (int i = 0; i < bound; i++)
        for (int j = 0; j < (i < m - i ? i : m - i); j++)
            out[6][i][j] = in[i][j] * 6;
}

/* The outer loop may stay on the host: the lower bound is a maximum. */
NOINLINE static void band(int n)
{
    for (int i = 0; i < n; i++)
        for (int j = i > 2 ? i - 2 : 0; j < (i + 3 < n ? i + 3 : n); j++)
            out[7][i][j] = in[i][j] * 7;
}

int main(int argc, char **argv)
{
    harness_start(argc, argv);
    for (int i = 0; i < N * N; i++)
        in[0][i] = (int)(harness_random() * 1000);
    poison(out, sizeof out);
    with_unsigned(N - 1);
    with_size(N - 4, N - 1);
    by_two(N);
    downwards(N);
    from_five(N);
    triangle(N - 1);
    smaller(N, N - 10);
    smaller(N - 20, N);
    smaller(N - 7, N + 13);
    band(N);
    dump("out", out, sizeof out);
    return harness_end();
}
