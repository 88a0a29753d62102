// A time loop that exchanges arrays is unrolled in the copy. Its loops have other
// iterations than the function's, so that none of them is left early. The loop over i of
// the step that is left, which stays on the CPU, was left early alone.
//
// RUN: %clang_gpu -O3 -mllvm -gpu-offload -mllvm -gpu-verify=execute \
// RUN:   -Rpass-missed=gpu-polyhedral -Rpass-analysis=gpu-polyhedral -c %s -o %t.o 2>&1 \
// RUN:   | %FileCheck --implicit-check-not='does not do' %s
#include <stddef.h>

#define F(NAME)                                                                \
  void NAME(size_t n, size_t m, size_t k, unsigned u[5][n][6],                 \
            unsigned *restrict d) {                                            \
    for (size_t t = 1; t < k; t++) {                                           \
      for (size_t i = 2; i < n - 2; i++)                                       \
        for (size_t j = 2; j < m - 2; j++)                                     \
          u[(t + 1) % 2][i][j] =                                               \
              17 * (u[t % 2][i + 2][j] + u[t % 2][i - 2][j] +                  \
                    u[t % 2][i][j + 2] + u[t % 2][i][j - 2]) +                 \
              u[t % 2][i][j];                                                  \
      for (size_t i = 0; i < n; i++)                                           \
        d[i] = 17 + u[t % 2][i][2];                                            \
    }                                                                          \
  }

// The name decides what is tried.
// CHECK: unrolled.c:[[@LINE+1]]:1: remark: executed as written and offloaded, with equal results
F(f0_1)
// CHECK: unrolled.c:[[@LINE+1]]:1: remark: executed as written and offloaded, with equal results
F(f0_4)
// CHECK: unrolled.c:[[@LINE+1]]:1: remark: executed as written and offloaded, with equal results
F(f0_6)
