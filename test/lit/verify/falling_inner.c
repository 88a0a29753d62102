// Of large launches the checks look at a few iterations of long loops.  The
// first kernel's loop over elements 3 * i + j has one over i in it, so j is the
// outer iterator less 3 times the inner one: no outer iteration may be left out
// because of the values of j that are looked at.  A block seemed to lack an
// instance.
//
// RUN: %clang_gpu -O3 -mllvm -gpu-promotion=off -Rpass=gpu-polyhedral \
// RUN:   -Rpass-missed=gpu-polyhedral -Rpass-analysis=gpu-polyhedral \
// RUN:   -mllvm '-gpu-sizes={ kernel[i] -> tile[1000000]; kernel[i] -> block[5] }' \
// RUN:   -c %s -o %t.o 2>&1 | %FileCheck %s --implicit-check-not='not offloaded'
// CHECK: mapping executed in small: 2 of 2 kernels
// CHECK: loops offloaded as 2 kernels
void falling_inner(int n, int m, double *coarse, const double *fine,
                   double *result)
{
    for (int i = 0; i < n / 2; i++)
        for (int j = 0; j < m / 2; j++)
            coarse[i * 3 + j] = fine[i * 8 + j * 2] * 0.5;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            result[i * m + j] = coarse[i / 2 * 3 + j / 2];
}
