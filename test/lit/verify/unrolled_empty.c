// isl lets the loop over a thread's rows go on to a fourth iteration for sizes
// with which the loop over its columns is empty.  The code has three: nothing
// is lost, and the check of the mapping took it for an error.
//
// RUN: %clang_gpu -O3 -mfma -mllvm -gpu-verify=execute -Rpass=gpu-polyhedral \
// RUN:   -Rpass-missed=gpu-polyhedral -Rpass-analysis=gpu-polyhedral \
// RUN:   -mllvm '-gpu-sizes={ kernel[i] -> tile[6,6,1]; kernel[i] -> block[2,2]; kernel[i] -> grid[2] }' \
// RUN:   -c %s -o %t.o 2>&1 | %FileCheck %s --implicit-check-not='not offloaded'
// CHECK: mapping executed in small: 1 of 1 kernels
// CHECK: loops offloaded as 1 kernel: unrolled_empty_
// CHECK: kernel unrolled_empty_{{.*}} a thread has 3 x 3
#include <stddef.h>

extern _Float16 diagonal[24][25];

void unrolled_empty(size_t m, size_t n, size_t steps, _Float16 (*a)[22],
                    float *restrict b)
{
    for (size_t t = 0; t <= steps; t++)
        for (signed char i = n - 11; i < 12; i++)
            for (size_t j = 5; j < n; j++)
                a[i][j] *= -(b[i * (m + 3) + j] - diagonal[t][t]);
}
