// Two blocks of 256 threads with 8 x 8 sums of double do not fit onto a
// multiprocessor, whatever the file says of its registers: where ptxas says so,
// blocks get half as many threads, since three of those might. Sizes of the
// user's stay as they are.
//
// REQUIRES: ptxas
// RUN: printf "registers = 16777216\n" > %t.machine
// RUN: %clang_gpu -O3 -mllvm -gpu-offload -mllvm -gpu-machine=%t.machine \
// RUN:   -Rpass-analysis=gpu-polyhedral -c %s -o %t.o 2>&1 | \
// RUN:   %FileCheck --check-prefix=WIDE %s
// RUN: %clang_gpu -O3 -mllvm -gpu-offload -mllvm -gpu-machine=%t.machine \
// RUN:   -mllvm -gpu-arch=sm_90 -Rpass-analysis=gpu-polyhedral -c %s -o %t.o 2>&1 | \
// RUN:   %FileCheck %s
// RUN: %if all %{ %clang_gpu -O3 -mllvm -gpu-offload -mllvm -gpu-machine=%t.machine \
// RUN:   -mllvm -gpu-arch=sm_90 -Rpass-analysis=gpu-polyhedral -c %s -o %t.o \
// RUN:   -mllvm '-gpu-sizes={ kernel[i] -> stages[2] }' 2>&1 | \
// RUN:   %FileCheck --check-prefix=WIDE %s %}
//
// WIDE: block 16x16x1, tile {{.*}} (2 stages
// CHECK-NOT: block 16x16x1
// CHECK: block 16x8x1, tile 64 x 128, steps of 8, a thread has 8 x 8;
// CHECK-NOT: block 16x16x1
void product(int n, double a[restrict n][n], double b[restrict n][n],
             double c[restrict n][n])
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            for (int k = 0; k < n; k++)
                c[i][j] += a[i][k] * b[k][j];
}
