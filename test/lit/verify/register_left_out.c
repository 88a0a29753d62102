// A register that is set in an iteration which is left out is not stored, and
// nothing is refused for it (found by scripts/coverage --fuzz).
//
// RUN: %clang_gpu -O3 -w -mllvm -gpu-offload -mllvm -gpu-targets=emulated \
// RUN:   -Rpass=gpu-polyhedral -Rpass-missed=gpu-polyhedral -c %s -o %t.o 2>&1 \
// RUN:   | %FileCheck %s
// CHECK-NOT: please report
// CHECK: loops offloaded as 2 kernels
// CHECK-NOT: please report

#include <stddef.h>
#include <math.h>


__attribute__((noinline))
void f0(int n0, int n2, _Float16 *restrict e1, double *u2)
{
    int s3 = (~((unsigned)n2));
    { int i4;
    for (i4 = 0; i4 < n0; i4++) {
        _Float16 s5 = (u2[i4] * u2[i4] + u2[i4]);
        for (int j6 = 0; j6 < ((i4 + 1) < n0 ? (i4 + 1) : n0); j6++) {
            s5 += ((u2[j6] * u2[j6] - u2[((j6 + 2) - 1)]) * ((_Float16)j6 * (_Float16)j6) + ((float)s3 * 9.313225746154785e-10f - u2[i4]));
        }
        if ((((i4 & 1) <= 1) || ((i4 % 2) == 0))) {
            e1[i4] = s5;
        }
    }
        e1[i4] = (0.0f * u2[i4]);
    }
    double s7 = ((u2[2] - 1.25) / ((double)s3 * 9.313225746154785e-10 * (double)s3 * 9.313225746154785e-10));
    e1[0] = (float)s3 * 9.313225746154785e-10f;
}

__attribute__((noinline))
void f1(long n0, long n1, long n2, const _Float16 *restrict x8, _Float16 h9[n0][n2], _Float16 *b12)
{
    for (int t13 = 0; t13 < 3; t13++) {
        for (long i14 = 0; i14 < n2; i14++) {
            for (long j15 = (n1 - 1); j15 >= 0; j15--) {
                _Float16 s16 = (-((h9[t13][i14] - h9[t13][i14])));
                b12[((t13 * n0) + j15)] += (s16 * x8[t13]);
                if (((t13 >= t13) && (((i14 % 4) < 2) || (i14 < j15)))) {
                    b12[((t13 * n0) + t13)] += (s16 * 0.1f);
                }
            }
        }
    }
}
