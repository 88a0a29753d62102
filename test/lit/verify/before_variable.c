// Arguments that are tried may lead to memory in front of the program's first
// variable or anywhere else, which is the compiler's own, and other bytes lie
// there in each execution: such a run says nothing, and nothing is reported.
//
// RUN: %clang_gpu -O2 -mllvm -gpu-verify=execute -Rpass=gpu-polyhedral \
// RUN:   -Rpass-missed=gpu-polyhedral -Rpass-analysis=gpu-polyhedral \
// RUN:   -c %s -o %t.o 2>&1 | %FileCheck %s
// CHECK-NOT: error of PolyGPU
// CHECK: before_variable.c:[[#@LINE+7]]:{{.*}} remark: not executed for comparison: it accesses memory
// CHECK: before_variable.c:[[#@LINE+18]]:{{.*}} remark: executed as written and offloaded, with equal results: 7
// CHECK-NOT: error of PolyGPU

double table[24];

void before_variable(long n, int never, double *restrict d) {
  for (long i = 0; i < n; i++)
    d[i] = table[i] * 2;
  for (int k = 0; k < never; k++)
    d[k] = table[k - 24];
}

static const int of[4] = {3, 1, 2, 0};
static const char *const words[2] = {"one", "another"};

// Constants are the program's, and may be read.
void constants(long n, int which, int *restrict d) {
  d[0] = words[which & 1][which & 3];
  for (long i = 1; i < n; i++)
    d[i] = d[i] * 3 + of[which & 3];
}
