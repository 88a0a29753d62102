// Loops for which remainders meet alternatives: isl joins such sets of
// iterations wrongly if nobody looks, { 0, 1 } and { 0, 2, 4 .. } to all. Then
// too much ran where the condition holds, and too little where it does not.
// scripts/mutate leaves this program out (the line with %run_gpu is another than
// usual): it has hundreds of guards, many of which others imply.
//
// RUN: %gpu_cc %s %harness -o %t.gpu
// RUN: %ref_cc %s %harness -o %t.ref
// RUN: %run_ref %t.ref
// RUN: %run_gpu %t.gpu > %t.log 2>&1
// RUN: %FileCheck --input-file=%t.log %s
// RUN: cmp %t.ref.dump %t.gpu.dump
//
// CHECK-DAG: scop even_or_first {{.*}} runs=1 declined=0 failed=0
// CHECK-DAG: kernel even_or_first_{{.*}} launches=1
// CHECK-DAG: scop neither {{.*}} runs=1 declined=0 failed=0
// CHECK-DAG: kernel neither_{{.*}} launches=1
// CHECK-DAG: scop third_or_first {{.*}} runs=1 declined=0 failed=0
// CHECK-DAG: kernel third_or_first_{{.*}} launches=1
// CHECK-DAG: scop skipped {{.*}} runs=1 declined=0 failed=0
// CHECK-DAG: kernel skipped_{{.*}} launches=1
// CHECK-DAG: scop cases {{.*}} runs=1 declined=0 failed=0
// CHECK-DAG: kernel cases_{{.*}} launches=1
// CHECK-DAG: scop masked {{.*}} runs=1 declined=0 failed=0
// CHECK-DAG: kernel masked_{{.*}} launches=1
// CHECK-DAG: scop nested {{.*}} runs=1 declined=0 failed=0
// CHECK-DAG: kernel nested_{{.*}} launches=1
// CHECK-DAG: scop diagonals {{.*}} runs=1 declined=0 failed=0
// CHECK-DAG: kernel diagonals_{{.*}} launches=1
// CHECK-DAG: scop whole {{.*}} runs=1 declined=0 failed=0
// CHECK-DAG: kernel whole_{{.*}} launches=1
#include "exec.h"

enum { N = 71, M = 67 };

static float a[8][N][M];
static float p[2][M];

NOINLINE static void even_or_first(int n, float to[N][M])
{
    for (int i = 0; i < n; i++)
        if (i % 2 == 0 || i < 2)
            for (int j = 0; j < M; j++)
                to[i][j] += 1;
}

NOINLINE static void neither(int n, float to[N][M])
{
    for (int i = 0; i < n; i++)
        if (i % 2 == 0 || i < 2)
            ;
        else
            for (int j = 0; j < M; j++)
                to[i][j] *= 3;
}

NOINLINE static void third_or_first(int n, float to[N][M])
{
    for (int i = 0; i < 6; i++)
        for (int j = 0; j < n; j++)
            if (i % 3 == 0 || i <= 1)
                to[i][j] += i;
}

NOINLINE static void skipped(int n, float to[N][M])
{
    for (int i = 0; i < n; i++) {
        if (i < 2)
            continue;
        if (i % 2 == 0)
            continue;
        for (int j = 0; j < M; j++)
            to[i][j] += 0.5f * j;
    }
}

NOINLINE static void cases(int n, float to[N][M])
{
    for (int i = 0; i < n; i++)
        switch (i) {
        case 0:
        case 1:
        case 2:
        case 5:
            for (int j = 0; j < M; j++)
                to[i][j] += 2;
            break;
        default:
            if (i % 2 == 0)
                for (int j = 0; j < M; j++)
                    to[i][j] *= 2;
            else
                for (int j = 0; j < M; j++)
                    to[i][j] += 3;
        }
}

NOINLINE static void masked(int n, float to[N][M])
{
    for (int i = 0; i < n; i++)
        for (unsigned j = 0; j < M; j++)
            if ((j & 3) == 0 || j <= 3 || i < 2)
                to[i][j] += 7;
}

NOINLINE static void nested(int n, float to[N][M])
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            if (i % 2 == 0 || i < 2) {
                if (j / 3 == 1 || j % 5 == 0 || j > i)
                    to[i][j] += 1;
                else
                    to[i][j] -= 2;
            } else if (j % 3 != 0) {
                to[i][j] *= 5;
            }
        }
}

NOINLINE static void diagonals(int n, float to[N][M])
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < M; j++)
            if (i + j <= 2 || (i + j) % 4 <= 1)
                to[i][j] += i - j;
}

// The condition is one of parameters, and holds for the second call only.
NOINLINE static void whole(int n, int k, float to[M])
{
    if (k % 2 == 0 || k < 2)
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++)
                to[j] += i;
}

int main(int argc, char **argv)
{
    harness_start(argc, argv);
    harness_fill(a, sizeof a / sizeof(float), sizeof(float));
    harness_fill(p, sizeof p / sizeof(float), sizeof(float));
    even_or_first(N, a[0]);
    neither(N, a[1]);
    third_or_first(M, a[2]);
    skipped(N, a[3]);
    cases(N, a[4]);
    masked(N, a[5]);
    nested(M, a[6]);
    diagonals(N, a[7]);
    whole(M, 3, p[0]);
    whole(M, 6, p[1]);
    dump("a", a, sizeof a);
    dump("p", p, sizeof p);
    return harness_end();
}
