// A loop over a row of a sparse matrix has a remark of its own where the loop
// around it is refused, with what is in the way there.
//
// RUN: %clang_gpu -O3 -mllvm -gpu-offload -mllvm -gpu-targets=emulated \
// RUN:   -Rpass=gpu-polyhedral -Rpass-missed=gpu-polyhedral \
// RUN:   -fno-caret-diagnostics -c %s -o %t.o 2>&1 | %FileCheck %s
#include <stdio.h>

void rows(int n, const float *restrict v, const int *restrict p,
          const int *restrict c, const float *restrict x)
{
    for (int i = 0; i < n; i++) {
        float s = 0;
        // CHECK-NOT: remark:
        // CHECK: :[[# @LINE + 1]]:9: remark: loop not offloaded: the call of 'printf' in line [[# @LINE + 3]] reads
        for (int k = p[i]; k < p[i + 1]; k++)
            s += v[k] * x[c[k]];
        printf("%f\n", s);
    }
}
// CHECK-NOT: remark:
