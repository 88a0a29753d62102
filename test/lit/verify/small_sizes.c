// The check of indices at the largest sizes knows that loops behind a condition
// on their sizes do not run with these.
//
// RUN: %clang_gpu -O3 -mllvm -gpu-fusion=min -Rpass=gpu-polyhedral \
// RUN:   -Rpass-missed=gpu-polyhedral -c %s -o %t.o 2>&1 | %FileCheck %s
// CHECK: small_sizes.c:[[@LINE+6]]:{{[0-9]+}}: remark: loops offloaded as 3 kernels

unsigned char even[400];

void small_sizes(int n) {
  if (n < 147)
    for (int i = 0; i < n; i++) {
      even[1] = 1;
      even[i + i] = 1;
    }
}
