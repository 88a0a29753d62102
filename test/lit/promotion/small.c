// Where the sizes of loops are known, a block gets a smaller tile rather than
// leave multiprocessors without one: 16 tiles of 128 x 128 points would be too
// few for 132 of them, 128 of 32 x 64 keep nearly all of them busy. A machine
// with one is content with large tiles. The same for matrix-vector products and
// for stencils.
//
// RUN: printf "multiprocessors = 1\n" > %t.machine
// RUN: %clang_gpu -O3 -mllvm -gpu-offload -mllvm -gpu-arch=sm_90 \
// RUN:   -mllvm -gpu-targets=emulated -Rpass-analysis=gpu-polyhedral -c %s -o %t.o 2>&1 \
// RUN:   | %FileCheck %s
// RUN: %clang_gpu -O3 -mllvm -gpu-offload -mllvm -gpu-arch=sm_90 \
// RUN:   -mllvm -gpu-machine=%t.machine -mllvm -gpu-targets=emulated \
// RUN:   -Rpass-analysis=gpu-polyhedral -c %s -o %t.o 2>&1 \
// RUN:   | %FileCheck --check-prefix=ONE %s
//
// CHECK: tile 32 x 64, {{.*}}; limited by the size of the loops
// CHECK: tile 16, steps of 256, {{.*}}; limited by the size of the loops
// CHECK: tile 16 x 64, {{.*}}; limited by the size of the loops
// ONE: tile 128 x 128,
// ONE-NOT: limited by the size
// ONE: tile 32, steps of 128,
// ONE: tile 32 x 64,
// ONE-NOT: limited by the size
enum { N = 512 };

void product(float a[N][N], float b[N][N], float c[N][N])
{
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            c[i][j] = 0;
            for (int k = 0; k < N; k++)
                c[i][j] += a[i][k] * b[k][j];
        }
}

void rows(float a[N][N], float x[N], float y[N])
{
    for (int i = 0; i < N; i++)
        for (int k = 0; k < N; k++)
            y[i] += a[i][k] * x[k];
}

void sweep(float a[N][N], float b[N][N])
{
    for (int i = 1; i < N - 1; i++)
        for (int j = 1; j < N - 1; j++)
            b[i][j] = a[i - 1][j] + a[i + 1][j] + a[i][j - 1] + a[i][j + 1];
}
