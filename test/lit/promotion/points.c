// Loops over the points of a thread are not isl's (generate/collapse.c): each has
// all of its iterations, and conditions on single points are tested inside, in
// partial tiles only, those on rows once for all columns.
//
// RUN: %clang_gpu -O3 -w -mllvm -gpu-offload -mllvm -gpu-arch=sm_80 \
// RUN:   -mllvm '-gpu-sizes={ kernel[i] -> tile[64,64,16]; kernel[i] -> block[16,16] }' \
// RUN:   -mllvm -gpu-print-kernels -c %s -o %t.o 2>&1 | %FileCheck %s
//
// CHECK: __global__ void lower
// CHECK-NOT: u{{[0-9]}}
// CHECK: if (b1 >= b0 + 1 && n >= 64 * b1 + 64) {
// CHECK-NEXT: // unroll
// CHECK-NEXT: for (int [[QI:u[0-9]]] = 0; [[QI]] <= 1; [[QI]] += 1)
// CHECK-NEXT: for (int [[QJ:u[0-9]]] = 0; [[QJ]] <= 1; [[QJ]] += 1)
// CHECK-NEXT: for (int [[VI:u[0-9]]] = 0; [[VI]] <= 1; [[VI]] += 1)
// CHECK-NEXT: for (int [[VJ:u[0-9]]] = 0; [[VJ]] <= 1; [[VJ]] += 1)
// CHECK-NEXT: register{{.*}} = c[2 * t1 + 64 * b1 + 32 * [[QI]] + [[VI]]][2 * t0 + 64 * b0 + 32 * [[QJ]] + [[VJ]]];
// CHECK-NEXT: } else {
// CHECK-NEXT: // unroll
// CHECK-NEXT: for (int [[QI]] = 0; [[QI]] <= 1; [[QI]] += 1)
// CHECK-NEXT: for (int [[VI]] = 0; [[VI]] <= 1; [[VI]] += 1)
// CHECK-NEXT: if (n >= 2 * t1 + 64 * b1 + 32 * [[QI]] + [[VI]] + 1)
// CHECK-NEXT: for (int [[QJ]] = 0; [[QJ]] <= 1; [[QJ]] += 1)
// CHECK-NEXT: for (int [[VJ]] = 0; [[VJ]] <= 1; [[VJ]] += 1)
// CHECK-NEXT: if (2 * t1 + 64 * b1 + 32 * [[QI]] + [[VI]] >= 2 * t0 + 64 * b0 + 32 * [[QJ]] + [[VJ]])
// CHECK-NEXT: register{{.*}} = c[
void lower(int n, double a[restrict n][n], double b[restrict n][n],
           double c[restrict n][n])
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j <= i; j++)
            for (int k = 0; k < n; k++)
                c[i][j] += a[i][k] * b[k][j];
}
