// Where the sizes that are tried let a loop have no iteration, a local array is
// read that was not written.  Its bytes are the same in both executions then,
// so that nothing is reported.
//
// RUN: %clang_gpu -O2 -mllvm -gpu-verify=execute -Rpass=gpu-polyhedral \
// RUN:   -Rpass-missed=gpu-polyhedral -Rpass-analysis=gpu-polyhedral \
// RUN:   -c %s -o %t.o 2>&1 | %FileCheck %s
// CHECK-NOT: error of PolyGPU
// CHECK: remark: executed as written and offloaded, with equal results: 7 runs
// CHECK-NOT: error of PolyGPU

void f(int n, float (*restrict to)[12], const float (*from)[9],
       const float *restrict v) {
  float t[5];
  for (int i = 0; i < n; i++) {
    for (int q = 0; q < 5; q++)
      t[q] = v[q * n + q];
    for (int q = 0; q < 5; q++)
      to[q][i] = t[q] + t[4 - q] + v[q * n + q] + from[i][q + 1];
  }
  for (int q = 0; q < 5; q++)
    to[q][1] = t[q] + t[4 - q] + from[2][q];
}
