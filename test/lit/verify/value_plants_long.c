// Loops of large constant sizes are executed in a few iterations, and each
// error in the SCoP as it is handed over is seen there as well.
//
// REQUIRES: mutate
// RUN: %clang -O1 -Xclang -disable-llvm-passes -gline-tables-only -S \
// RUN:   -emit-llvm %s -o %t.ll
// RUN: %opt -passes=gpu-polyhedral -gpu-targets=emulated -disable-output \
// RUN:   -pass-remarks-analysis=gpu-polyhedral %t.ll 2>&1 | %FileCheck %s
// RUN: %python %S/every_plant.py %plugin %t.ll \
// RUN:   "model of these loops differs" element,lost,operation,stale \
// RUN:   %if all %{44%} %else %{27 --most 2%} \
// RUN:   --harmless triangle:lost:1,carried:lost:2
// Without its only store a nest has nothing that could run in parallel.

enum { N = 4000 };
static float A[N][N], B[N][N], C[N][N];

/* The sum goes from iteration to iteration over those that are left out. */
// CHECK: long.c:[[@LINE+3]]:{{.*}} equal in 1 runs (in part) of 3 of 3 statements
void product(void)
{
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            float sum = 0;
            for (int k = 0; k < N; k++)
                sum += A[i][k] * B[k][j];
            C[i][j] = 2 * sum;
        }
}

// CHECK: long.c:[[@LINE+3]]:{{.*}} equal in 1 runs (in part) of 1 of 1 statements
void triangle(void)
{
    for (int i = 0; i < N; i++)
        for (int j = 0; j <= i; j++)
            A[i][j] += B[j][i];
}

// CHECK: long.c:[[@LINE+3]]:{{.*}} equal in 1 runs (in part) of 2 of 2 statements
void stencil(void)
{
    for (int t = 0; t < 100; t++) {
        for (int i = 1; i < N - 1; i++)
            for (int j = 1; j < N - 1; j++)
                B[i][j] = A[i - 1][j] + A[i + 1][j] + A[i][j - 1] + A[i][j + 1];
        for (int i = 1; i < N - 1; i++)
            for (int j = 1; j < N - 1; j++)
                A[i][j] = B[i][j] / 4;
    }
}

/* What is read was written in the iteration before: also behind iterations that
 * are left out it is what the element has, and not the value that was written
 * last. */
// CHECK: long.c:[[@LINE+4]]:{{.*}} equal in 1 runs (in part) of 3 of 3 statements
float carried(const float *restrict from, float (*restrict to)[N])
{
    float last = 1;
    for (int i = 0; i < N; i++) {
        for (int j = 0; j < N; j++)
            to[i][j] = from[j] - last;
        last = from[i];
    }
    return last;
}

/* Scalars are kept in the next elements, some of which only iterations write
 * that are left out; one gets what another one had. */
// CHECK: long.c:[[@LINE+3]]:{{.*}} equal in 1 runs (in part) of 2 of 2 statements
void filter(unsigned (*a)[N], unsigned (*b)[N])
{
    for (int i = 0; i < 20; i++) {
        unsigned x1 = 0, y1 = 0, y2 = 0;
        for (int t = 0; t < N; t++) {
            a[i][t] = b[i][t] + 3 * x1 + 5 * y1 + 7 * y2;
            x1 = b[i][t];
            y2 = y1;
            y1 = a[i][t];
        }
    }
}
