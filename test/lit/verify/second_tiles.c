// Blocks that have a second tile, behind as many as the grid may have by the
// user's choice, are executed in part.
//
// REQUIRES: mutate
// RUN: %clang -O1 -Xclang -disable-llvm-passes -gline-tables-only -S \
// RUN:   -emit-llvm %s -o %t.ll
// RUN: %opt -passes=gpu-polyhedral -gpu-targets=emulated -disable-output \
// RUN:   "-gpu-sizes={ kernel[i] -> grid[32768,32768] }" \
// RUN:   -pass-remarks-analysis=gpu-polyhedral %t.ll 2>&1 | %FileCheck %s
// RUN: %python %S/every_plant.py %plugin %t.ll \
// RUN:   "kernels that were made for these loops would not do" \
// RUN:   domain,access,filter,sync,move %if all %{66%} %else %{8 --most 1%} \
// RUN:   "-gpu-sizes={ kernel[i] -> grid[32768,32768] }"

/* With 32768 tiles of 64 rows there is no second one in a block. */
// CHECK: tiles.c:[[@LINE+3]]:{{.*}}: 1 of 1 kernels, completely for 8 sizes and in part for 1, {{.*}}; second tiles of blocks for 1 sizes
void transposed(int n, float (*restrict to)[8], float (*restrict a)[4000000])
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < 8; j++)
            to[i][j] += a[j][i];
}

/* Columns of a block's tiles go through the same shared memory one after the
 * other; few points of each are executed. */
// CHECK: tiles.c:[[@LINE+3]]:{{.*}}: 1 of 1 kernels, completely for 7 sizes and in part for 1, {{.*}}; second tiles of blocks for 1 sizes
void turned(int n, float to[n][n], float a[n][n], float b[n][n], float c[n][n])
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            to[i][j] += c[i][j] * a[j][i] - b[j][i];
}
