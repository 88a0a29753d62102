// A grid whose third dimension is a constant, of blocks that have none, is not left
// out of a launch.
//
// RUN: %clang_gpu -O3 -mllvm -gpu-offload -mllvm -gpu-targets=ptx \
// RUN:   -mllvm -gpu-cuda-path= \
// RUN:   -mllvm '-gpu-sizes={ kernel[0] -> tile[4,8,32]; kernel[0] -> block[1,8,32] }' \
// RUN:   -mllvm -gpu-print-kernels=%t.cu -c %s -o %t.o
// RUN: %FileCheck %s < %t.cu
// CHECK: <<<dim3(2, 8, 16), dim3(32, 8, 1)
enum { SIZE = 64 };

void scale(float a[SIZE][SIZE][SIZE], float by)
{
    for (int i = 0; i < SIZE; i++)
        for (int j = 0; j < SIZE; j++)
            for (int k = 0; k < SIZE; k++)
                a[i][j][k] *= by;
}
