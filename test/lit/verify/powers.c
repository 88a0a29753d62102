// LLVM makes x * x of powf(x, 2), in the program as in the offloaded copy, and
// libm's power is rounded otherwise for some x: the function as it was written
// was executed with libm's, and said to do something else than its copy.  (The
// names are such for which the numbers that were chosen showed it.)
//
// RUN: %clang_gpu -O3 -mfma -mllvm -gpu-verify=execute -Rpass=gpu-polyhedral \
// RUN:   -Rpass-missed=gpu-polyhedral -Rpass-analysis=gpu-polyhedral \
// RUN:   -c %s -o %t.o 2>&1 | %FileCheck %s --implicit-check-not='not offloaded'
// CHECK: loops offloaded as 2 kernels: aa_
// CHECK: executed as written and offloaded, with equal results
// CHECK: loops offloaded as 2 kernels: cc_
// CHECK: executed as written and offloaded, with equal results
// CHECK: loops offloaded as 1 kernel: inverse_
// CHECK: executed as written and offloaded, with equal results
#include <math.h>

#define UNIT_COLUMNS(NAME)                                                     \
    void NAME(float *x, float *dx, int images, int rows, int columns)          \
    {                                                                          \
        for (int b = 0; b < images; b++)                                       \
            for (int i = 0; i < columns; i++) {                                \
                float sum = 0;                                                 \
                for (int f = 0; f < rows; f++)                                 \
                    sum += powf(x[(b * rows + f) * columns + i], 2);           \
                sum = sqrtf(sum);                                              \
                for (int f = 0; f < rows; f++) {                               \
                    int at = (b * rows + f) * columns + i;                     \
                    x[at] /= sum;                                              \
                    dx[at] = (1 - x[at]) / sum;                                \
                }                                                              \
            }                                                                  \
    }

UNIT_COLUMNS(aa)
UNIT_COLUMNS(cc)

void inverse(int n, const double *restrict x, double *restrict y)
{
    for (int i = 0; i < n; i++)
        y[i] = pow(x[i], -1) + pow(x[i], 2) + pow(x[i], 1) + pow(x[i], 0);
}
