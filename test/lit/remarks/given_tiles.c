// Tiles of several steps that the user gives and that cannot be: the loops are
// offloaded without, and a remark says why.
//
// RUN: %clang_gpu -O3 -mllvm -gpu-offload -mllvm -gpu-arch=sm_90 -c %s -o %t.o \
// RUN:   -mllvm '-gpu-sizes={ kernel[0] -> stream[2,64,200,200] }' \
// RUN:   -Rpass=gpu-polyhedral -Rpass-missed=gpu-polyhedral 2>&1 \
// RUN:   | %FileCheck --check-prefixes=LARGE,BOTH %s
// RUN: %clang_gpu -O3 -mllvm -gpu-offload -mllvm -gpu-arch=sm_90 -c %s -o %t.o \
// RUN:   -mllvm '-gpu-sizes={ kernel[0] -> time[2,8,16] }' \
// RUN:   -Rpass=gpu-polyhedral -Rpass-missed=gpu-polyhedral 2>&1 \
// RUN:   | %FileCheck --check-prefixes=CUBES,BOTH %s
// RUN: %clang_gpu -O3 -mllvm -gpu-offload -mllvm -gpu-arch=sm_90 -c %s -o %t.o \
// RUN:   -mllvm '-gpu-sizes={ kernel[0] -> stream[2,8,16] }' \
// RUN:   -Rpass=gpu-polyhedral -Rpass-missed=gpu-polyhedral 2>&1 \
// RUN:   | %FileCheck --check-prefixes=CUBES,BOTH %s
// RUN: %clang_gpu -O3 -mllvm -gpu-offload -mllvm -gpu-arch=sm_90 -c %s -o %t.o \
// RUN:   -mllvm '-gpu-sizes={ kernel[0] -> stream[1,64,16,16] }' \
// RUN:   -Rpass=gpu-polyhedral -Rpass-missed=gpu-polyhedral 2>&1 \
// RUN:   | %FileCheck --check-prefixes=ONE,BOTH %s
// RUN: %clang_gpu -O3 -mllvm -gpu-offload -mllvm -gpu-arch=sm_90 -c %s -o %t.o \
// RUN:   -mllvm '-gpu-sizes={ kernel[0] -> stream[2,64,8,16] }' \
// RUN:   -Rpass=gpu-polyhedral -Rpass-missed=gpu-polyhedral 2>&1 \
// RUN:   | %FileCheck --check-prefix=TAKEN %s
//
// LARGE: given_tiles.c:[[#@LINE+34]]:5: remark: sizes that -gpu-sizes gives are
// LARGE-SAME: not taken: the tiles that were given need [[#]] bytes of shared
// LARGE-SAME: memory; [[#]] are there for a block (sm_90)
// CUBES: remark: sizes that -gpu-sizes gives are not taken: the tiles that were
// CUBES-SAME: given have 3 sizes; they take one for steps and one for each of 3
// CUBES-SAME: dimensions
// ONE: not taken: the tiles that were given have one step: no tiles of several
// BOTH: given_tiles.c:[[#@LINE+27]]:5: remark: loops offloaded as 2 kernels
// TAKEN-NOT: not taken
//
// Too few, where others are chosen:
//
// RUN: %clang_gpu -O3 -mllvm -gpu-offload -DPLANE -c %s -o %t.o \
// RUN:   -mllvm '-gpu-sizes={ kernel[0] -> time[3,24] }' \
// RUN:   -Rpass=gpu-polyhedral -Rpass-missed=gpu-polyhedral 2>&1 \
// RUN:   | %FileCheck --check-prefix=FEW %s
// FEW: remark: sizes that -gpu-sizes gives are not taken: the tiles that were
// FEW-SAME: given have 2 sizes; they take one for steps and one for each of 2
// FEW: loops offloaded as 3 kernels
#ifdef PLANE
void plate(int steps, int n, float a[n][n], float b[n][n])
{
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++)
                b[i][j] = a[i - 1][j] + a[i + 1][j] + a[i][j - 1] - a[i][j + 1];
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++)
                a[i][j] = b[i - 1][j] + b[i + 1][j] + b[i][j - 1] - b[i][j + 1];
    }
}
#else
void heat(int steps, int n, float a[n][n][n], float b[n][n][n])
{
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++)
                for (int k = 1; k < n - 1; k++)
                    b[i][j][k] = a[i - 1][j][k] + a[i + 1][j][k] +
                                 a[i][j][k - 1] - a[i][j + 1][k];
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < n - 1; j++)
                for (int k = 1; k < n - 1; k++)
                    a[i][j][k] = b[i - 1][j][k] + b[i + 1][j][k] +
                                 b[i][j][k - 1] - b[i][j + 1][k];
    }
}
#endif
