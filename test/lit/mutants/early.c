// A load that is made before the stores of its own point has an old value.
//
// REQUIRES: mutate
// RUN: %clang_gpu -O3 -mllvm -gpu-targets=emulated-checked %s -o %t
// RUN: env POLYGPU=mandatory POLYGPU_DEVICE=emulated %t | \
// RUN:     %FileCheck %s --check-prefix=RIGHT
// RUN: %clang_gpu -O3 -mllvm -gpu-targets=emulated-checked \
// RUN:     -mllvm -gpu-mutate=early:all %s -o %t
// RUN: env POLYGPU=mandatory POLYGPU_DEVICE=emulated %t | \
// RUN:     %FileCheck %s --check-prefix=EARLY
//
// RIGHT: wrong 0
// EARLY: wrong 8192
#include <stdio.h>

enum { N = 64, M = 128 };

static int a[N][M], b[N][M], q[N], r[M];

__attribute__((noinline, weak)) void update(int n, int m, int (*a)[m],
                                            int (*b)[m])
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            if (q[i] + r[j] > 2)
                a[i][j] += q[i] * r[j];
            b[i][j] += q[i] + r[j];
            if (q[i] - r[j] < 99)
                a[i][j] += 1;
        }
}

int main(void)
{
    int wrong = 0;

    for (int i = 0; i < N; i++)
        q[i] = 3 + i;
    for (int j = 0; j < M; j++)
        r[j] = 5 + j;
    update(N, M, a, b);
    for (int i = 0; i < N; i++)
        for (int j = 0; j < M; j++)
            wrong += a[i][j] != (3 + i) * (5 + j) + 1;
    printf("wrong %d\n", wrong);
    return 0;
}
