// Two sums of double for each of 8 x 8 points do not fit into 255 registers,
// whatever the file says that a thread has: a kernel that spills is made again
// with fewer points. Without an architecture nobody asks ptxas.
//
// REQUIRES: ptxas
// RUN: printf "registers = 16777216\nthread_registers = 1024\n" > %t.machine
// RUN: %if all %{ %clang_gpu -O3 -mllvm -gpu-offload -mllvm -gpu-machine=%t.machine \
// RUN:   -Rpass-analysis=gpu-polyhedral -c %s -o %t.o 2>&1 | \
// RUN:   %FileCheck --check-prefix=ALONE %s %}
// RUN: %clang_gpu -O3 -mllvm -gpu-offload -mllvm -gpu-machine=%t.machine \
// RUN:   -mllvm -gpu-arch=sm_90 -Rpass-analysis=gpu-polyhedral -c %s -o %t.o 2>&1 | \
// RUN:   %FileCheck %s
//
// ALONE: a thread has 8 x 8;
// CHECK-NOT: a thread has 8 x 8;
// CHECK: a thread has {{[24]}} x {{[248]}};
void products(int n, double a[restrict n][n], double b[restrict n][n],
              double c[restrict n][n], double d[restrict n][n])
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            c[i][j] = 0;
            d[i][j] = 0;
            for (int k = 0; k < n; k++) {
                c[i][j] += a[i][k] * b[k][j];
                d[i][j] += a[i][k] * a[k][j];
            }
        }
}
