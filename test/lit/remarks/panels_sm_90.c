// Steps of Floyd and Warshall's algorithm stay in tiles where ptxas says that registers
// do for one block of a multiprocessor only: kernels become smaller, not eight launches
// for each step.
//
// RUN: %clang_gpu -O3 -mllvm -gpu-offload -mllvm -gpu-arch=sm_90 \
// RUN:   -Rpass=gpu-polyhedral -c %s -o %t.o 2>&1 | %FileCheck %s
//
// CHECK: panels_sm_90.c:[[@LINE+3]]:5: remark: loops offloaded as 6 kernels: paths_
void paths(int n, int (*restrict p)[n])
{
    for (int k = 0; k < n; k++)
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++)
                p[i][j] = p[i][j] < p[i][k] + p[k][j] ? p[i][j]
                                                      : p[i][k] + p[k][j];
}
