// Arguments that are tried may make a signed number overflow.  What an address
// is that follows from it is not defined, and the offloaded copy may compute
// another one than the function as it was written, or fault: such a run says
// nothing, and nothing is reported.
//
// RUN: %clang_gpu -O2 -mllvm -gpu-verify=execute -Rpass=gpu-polyhedral \
// RUN:   -Rpass-missed=gpu-polyhedral -Rpass-analysis=gpu-polyhedral \
// RUN:   -c %s -o %t.o 2>&1 | %FileCheck %s
// CHECK-NOT: error of PolyGPU

// CHECK: overflow.c:[[#@LINE+2]]:{{.*}} remark: not executed for comparison: a signed number overflows, or a shift is too wide
void element(int n, int huge, int *restrict d, const int *e) {
  for (int i = 0; i < n; i++)
    d[i] *= 3;
  d[0] += e[(huge + 2147483608) * (n + 3)];
}

// CHECK: overflow.c:[[#@LINE+2]]:{{.*}} remark: not executed for comparison: a signed number overflows, or a shift is too wide
void shifted(int n, int m, int *restrict d) {
  for (int i = 0; i < n; i++)
    d[i] *= 3;
  d[0] += d[1] << (m | 32);
}

// CHECK: overflow.c:[[#@LINE+2]]:{{.*}} remark: not executed for comparison: a signed number overflows, or a shift is too wide
void carried(int n, int m, int *restrict d) {
  for (int i = 0; i < n; i++)
    d[i] *= 3;
  int sum = 1;
  for (int i = 0; i < 4; i++)
    sum = sum * 2147483 + (m | 1) * 2147483;
  d[0] = sum;
}

// Unsigned ones wrap around.
// CHECK: overflow.c:[[#@LINE+2]]:{{.*}} remark: executed as written and offloaded, with equal results: 7
void wrapped(int n, unsigned huge, unsigned *restrict d) {
  for (int i = 0; i < n; i++)
    d[i] *= 3;
  d[0] += (huge + 4294967295u) * (n + 4294967295u);
}
// CHECK-NOT: error of PolyGPU
