// What is too large to be executed in small is executed in part: of loops with
// large constant sizes a few blocks, and of the loops in these a few iterations;
// and copies between host and device of a few elements.
//
// REQUIRES: mutate
// RUN: %clang -O1 -Xclang -disable-llvm-passes -gline-tables-only -S \
// RUN:   -emit-llvm %s -o %t.ll
// RUN: %opt -passes=gpu-polyhedral -gpu-targets=emulated -disable-output \
// RUN:   -pass-remarks-analysis=gpu-polyhedral %t.ll 2>&1 | %FileCheck %s
//
// Of product, with tiles of 128 x 128, there are no steps for all points of a
// tile in more than one step of k: of few points more of these are executed, since
// else nothing shows that the barrier between two of them is missing.
//
// RUN: %python %S/every_plant.py %plugin %t.ll \
// RUN:   "kernels that were made for these loops would not do" \
// RUN:   domain,access,filter,sync,exchange,move \
// RUN:   %if all %{163%} %else %{21 --most 1%}

enum { N = 4000 };
static float A[N][N], B[N][N], C[N][N];

// CHECK: large.c:[[@LINE+3]]:{{.*}}: 1 of 1 kernels, {{.*}} in part for 1, 5 of 1024 blocks, {{.*}}; copies of 216 elements
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

// CHECK: large.c:[[@LINE+3]]:{{.*}}: 1 of 1 kernels, {{.*}} in part for 1, 6 of 3969 blocks, {{.*}}; copies of 144 elements
void triangle(void)
{
    for (int i = 0; i < N; i++)
        for (int j = 0; j <= i; j++)
            A[i][j] += B[j][i];
}

// CHECK: large.c:[[@LINE+4]]:{{.*}}: 2 of 2 kernels, {{.*}} in part for 1, {{.*}}; copies of 144 elements
/* What is far away keeps it out of overlapping tiles. */
void stencil(void)
{
    for (int t = 0; t < 100; t++) {
        for (int i = 1; i < N - 1; i++)
            for (int j = 1; j < N - 1; j++)
                B[i][j] = A[i - 1][j] + A[i + 1][j] + A[i][j - 1] + A[N - i][j + 1];
        for (int i = 1; i < N - 1; i++)
            for (int j = 1; j < N - 1; j++)
                A[i][j] = B[i][j] / 4;
    }
}

// CHECK: large.c:[[@LINE+3]]:{{.*}}: 1 of 1 kernels, {{.*}} in part for 1, 5 of 125 blocks, {{.*}}; copies of 96 elements
void vector(float *restrict x, const float *restrict y)
{
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            x[i] += A[j][i] * y[j];
}
