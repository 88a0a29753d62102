// Nothing follows from executing inline assembly, in the function or in what it
// calls: what it reads and writes is not known.  Without any text it does
// nothing, and what is not reached does not matter.
//
// RUN: %clang_gpu -O3 -mllvm -gpu-offload -mllvm -gpu-verify=execute \
// RUN:   -Rpass-analysis=gpu-polyhedral -c %s -o %t.o 2>&1 | %FileCheck %s

static __attribute__((noinline)) long next(long x) {
  __asm__ volatile("nop" : "+r"(x));
  return x + 1;
}

long here(float *a, int n) {
  long x = 1;
  // CHECK: assembly.c:[[@LINE+1]]:3: remark: not executed for comparison: it executes inline assembly
  for (int i = 0; i < n; ++i)
    a[i] = a[i] * 2 + n;
  __asm__ volatile("nop" : "+r"(x) : : "memory");
  return x;
}

long below(float *a, int n) {
  // CHECK: assembly.c:[[@LINE+1]]:3: remark: not executed for comparison: it executes inline assembly
  for (int i = 0; i < n; ++i)
    a[i] = a[i] * 3 + n;
  return next(n);
}

void barrier(float *a, int n) {
  // CHECK: assembly.c:[[@LINE+1]]:3: remark: executed as written and offloaded, with equal results: 7 runs
  for (int i = 0; i < n; ++i)
    a[i] = a[i] * 4 + n;
  __asm__ volatile("" : : : "memory");
}

void seldom(float *a, int n) {
  // CHECK: assembly.c:[[@LINE+1]]:3: remark: executed as written and offloaded, with equal results: 7 runs
  for (int i = 0; i < n; ++i)
    a[i] = a[i] * 5 + n;
  if (n == 77777)
    __asm__ volatile("nop");
}
