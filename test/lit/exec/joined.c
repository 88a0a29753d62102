// Parallel loops that do not depend on each other, read the same array and are of
// about the same lengths are one kernel: what one reads is there for the next, and
// there is one launch.  Near twins are not: with nothing that both read, with
// lengths that have nothing to do with each other, with one that needs the other.
//
// RUN: %gpu_cc %s %harness -o %t.gpu
// RUN: %ref_cc %s %harness -o %t.ref
// RUN: %run_ref %t.ref 0 0
// RUN: %run_gpu %t.gpu 0 0 2>&1 | %FileCheck --check-prefix=NONE %s
// RUN: cmp %t.ref.dump %t.gpu.dump
// RUN: %run_ref %t.ref 1 3
// RUN: %run_gpu %t.gpu 1 3
// RUN: cmp %t.ref.dump %t.gpu.dump
// RUN: %run_ref %t.ref 77 45
// RUN: %run_gpu %t.gpu 77 45 2>&1 | %FileCheck %s
// RUN: cmp %t.ref.dump %t.gpu.dump
//
// NONE-NOT: launches={{[1-9]}}
// CHECK: kernel colours_{{[0-9]+}}_0 {{.*}} launches=1
// CHECK-NOT: kernel colours
// CHECK: kernel others_{{[0-9]+}}_0 {{.*}} launches=1
// CHECK: kernel others_{{[0-9]+}}_1 {{.*}} launches=1
// CHECK: kernel lengths_{{[0-9]+}}_0 {{.*}} launches=1
// CHECK: kernel lengths_{{[0-9]+}}_1 {{.*}} launches=1
// CHECK: kernel needed_{{[0-9]+}}_0 {{.*}} launches=1
// CHECK: kernel needed_{{[0-9]+}}_1 {{.*}} launches=1
#include "exec.h"

#include <stdlib.h>

enum { N = 80, M = 50 };

static float in[N * M], more[N * M], a[N * M], b[N * M];

// Four kinds of points in steps of two, as of a sensor's colours.
NOINLINE static void colours(int n, int m, float in[restrict n][m],
                             float a[restrict n][m], float b[restrict n][m])
{
    for (int i = 1; i < n - 1; i += 2)
        for (int j = 1; j < m - 1; j += 2)
            a[i][j] = in[i][j - 1] + in[i][j + 1];
    for (int i = 2; i < n - 1; i += 2)
        for (int j = 1; j < m - 1; j += 2) {
            a[i][j] = in[i - 1][j] - in[i + 1][j];
            b[i][j] = in[i][j];
        }
    for (int i = 1; i < n; i += 2)
        for (int j = 2; j < m - 1; j += 2)
            b[i][j] = in[i - 1][j - 1] * in[i][j + 1];
}

NOINLINE static void others(int n, int m, float in[restrict n][m],
                            float more[restrict n][m], float a[restrict n][m],
                            float b[restrict n][m])
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            a[i][j] = in[i][j] + 1;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            b[i][j] = more[i][j] + 2;
}

NOINLINE static void lengths(int n, int m, float *restrict in,
                             float *restrict a, float *restrict b)
{
    for (int i = 0; i < n; i++)
        a[i] = in[i] + 1;
    for (int i = 0; i < m; i++)
        b[i] = in[i] + 2;
}

NOINLINE static void needed(int n, int m, float in[restrict n][m],
                            float a[restrict n][m], float b[restrict n][m])
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            a[i][j] = in[i][j] + 1;
    for (int i = 0; i < n; i++)
        for (int j = 1; j < m - 1; j++)
            b[i][j] = in[i][j] + a[i][j - 1] + a[i][j + 1];
}

HOST void outputs(void)
{
    poison(a, sizeof a);
    poison(b, sizeof b);
}

HOST void results(const char *name)
{
    dump(name, a, sizeof a);
    dump(name, b, sizeof b);
}

int main(int argc, char **argv)
{
    int n, m;

    harness_start(argc, argv);
    n = atoi(argv[1]);
    m = atoi(argv[2]);
    harness_fill(in, N * M, sizeof *in);
    harness_fill(more, N * M, sizeof *more);
    outputs();
    colours(n, m, (void *)in, (void *)a, (void *)b);
    results("colours");
    outputs();
    others(n, m, (void *)in, (void *)more, (void *)a, (void *)b);
    results("others");
    outputs();
    lengths(n, m, in, a, b);
    results("lengths");
    outputs();
    needed(n, m, (void *)in, (void *)a, (void *)b);
    results("needed");
    return harness_end();
}
