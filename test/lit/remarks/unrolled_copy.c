// That the copy's time loop is unrolled is no business of the user's: LLVM says so only of
// loops of the host.
//
// RUN: %clang_gpu -O2 -mllvm -gpu-offload -Rpass=loop-unroll -Rpass=gpu-polyhedral \
// RUN:   -c %s -o %t.o 2>&1 | %FileCheck %s
//
// CHECK-NOT: unrolled loop by a factor of 2
// CHECK: remark: loops offloaded as
// CHECK-NOT: unrolled loop by a factor of 2
void sweeps(int n, int steps, float *a, float *b) {
  for (int t = 0; t < steps; t++) {
    for (int i = 1; i < n - 1; i++)
      b[i] = a[i - 1] + a[i + 1];
    float *old = a;
    a = b;
    b = old;
  }
}
