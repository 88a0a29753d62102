// A store that no iteration reaches, which is found when the loops have been
// analysed: a root that is computed for it is all that is left of them.  That is
// no error of the compiler.  The near twin stores in every other iteration.
//
// RUN: %clang_gpu -O3 -mllvm -gpu-offload -mllvm -gpu-targets=emulated \
// RUN:   -Rpass=gpu-polyhedral -Rpass-missed=gpu-polyhedral -c %s -o %t.o 2>&1 \
// RUN:   | %FileCheck %s
#include <math.h>

void never(int n, float (*restrict b)[40], const float *restrict a)
{
    // CHECK: no_effect.c:[[@LINE+3]]:{{.*}}remark: loop not offloaded: the loops have no effect; remove them
    for (int t = 0; t < 2; t++)
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++) {
                float root = sqrtf(a[i]);

                if (t % 2 > 1)
                    b[i][j] = root;
            }
}

void sometimes(int n, float (*restrict b)[40], const float *restrict a)
{
    // CHECK: no_effect.c:[[@LINE+1]]:{{.*}}remark: loops offloaded as {{.*}} sometimes_
    for (int t = 0; t < 2; t++)
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++) {
                float root = sqrtf(a[i]);

                if (t % 2 > 0)
                    b[i][j] = root;
            }
}
