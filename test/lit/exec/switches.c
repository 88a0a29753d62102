// A switch on i % 4 has a case for each value that is possible; what it would do
// with others is no exit of the loop.  A chain of ifs becomes such a switch, and
// near twins have a default, or values that are not possible.
//
// RUN: %gpu_cc %s %harness -o %t.gpu
// RUN: %ref_cc %s %harness -o %t.ref
// RUN: %run_ref %t.ref
// RUN: %run_gpu %t.gpu 2>&1 | %FileCheck %s
// RUN: cmp %t.ref.dump %t.gpu.dump
//
// CHECK: polygpu: scop of_four {{.*}} runs=1 declined=0 failed=0
// CHECK-NEXT: polygpu: kernel of_four{{.*}} launches=1
// CHECK: polygpu: scop chain {{.*}} runs=1 declined=0 failed=0
// CHECK-NEXT: polygpu: kernel chain{{.*}} launches=1
// CHECK: polygpu: scop of_three {{.*}} runs=1 declined=0 failed=0
// CHECK-NEXT: polygpu: kernel of_three{{.*}} launches=1
// CHECK: polygpu: scop with_default {{.*}} runs=1 declined=0 failed=0
// CHECK-NEXT: polygpu: kernel with_default{{.*}} launches=1
#include "exec.h"

enum { N = 37, M = 21 };

static float a[N][M], b[M];

NOINLINE static void of_four(int n, int m, float (*restrict x)[M],
                             const float *restrict y)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            switch (i % 4) {
            case 0:
                x[i][j] = y[j];
                break;
            case 1:
                x[i][j] = 2 * y[j];
                break;
            case 2:
                x[i][j] = y[j] + 1;
                break;
            case 3:
                x[i][j] += 3;
            }
}

NOINLINE static void chain(int n, int m, float (*restrict x)[M],
                           const float *restrict y)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            if (i % 4 == 0)
                x[i][j] += y[j];
            else if (i % 4 == 1)
                x[i][j] += 2 * y[j];
            else if (i % 4 == 2)
                x[i][j] += y[j] + 1;
            else
                x[i][j] *= 3;
}

NOINLINE static void of_three(int n, int m, float (*restrict x)[M],
                              const float *restrict y)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            switch (i % 3) {
            case 0:
                x[i][j] -= y[j];
                break;
            case 1:
                x[i][j] -= 2 * y[j];
                break;
            case 2:
                x[i][j] *= 5;
            }
}

NOINLINE static void with_default(int n, int m, float (*restrict x)[M],
                                  const float *restrict y)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            switch (i) {
            case 0:
                x[i][j] += y[j] * 2;
                break;
            case 7:
                x[i][j] += y[j] * 3;
                break;
            default:
                x[i][j] += 1;
            }
}

int main(int argc, char **argv)
{
    harness_start(argc, argv);
    harness_fill(a, N * M, sizeof a[0][0]);
    harness_fill(b, M, sizeof *b);
    of_four(N, M, a, b);
    dump("of four", a, sizeof a);
    chain(N, M, a, b);
    dump("chain", a, sizeof a);
    of_three(N, M, a, b);
    dump("of three", a, sizeof a);
    with_default(N, M, a, b);
    dump("with default", a, sizeof a);
    return harness_end();
}
