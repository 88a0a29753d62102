// Sizes that are tried may lead past the end of a local array, where the
// program has no meaning and its two executions find different bytes of the
// stack: such a run says nothing, and nothing is reported.
//
// RUN: %clang_gpu -O2 -mllvm -gpu-verify=execute -Rpass=gpu-polyhedral \
// RUN:   -Rpass-missed=gpu-polyhedral -Rpass-analysis=gpu-polyhedral \
// RUN:   -c %s -o %t.o 2>&1 | %FileCheck %s
// CHECK-NOT: error of PolyGPU
// CHECK-COUNT-2: remark: executed as written and offloaded, with equal results: 7
// CHECK: past_local_array.c:39:{{.*}} remark: not executed for comparison: it accesses memory
// CHECK: past_local_array.c:49:{{.*}} remark: not executed for comparison: it accesses memory
// CHECK: past_local_array.c:58:{{.*}} remark: not executed for comparison: it accesses memory
// CHECK: remark: executed as written and offloaded, with equal results: 7
// CHECK-NOT: error of PolyGPU

void rows(long n, long m, unsigned long *restrict to, const float *from) {
  short t[9][9];
  for (int i = 0; i < 9; i++)
    for (int j = 0; j < 9; j++)
      t[i][j] = i + 2 * j - 5;
  for (long i = 0; i < n; i++)
    for (long j = 0; j < m; j++)
      to[i] = (t[i][j] < 1) + (from[j] > 0.5f);
}

struct table {
  short t[9];
};

// An argument that the caller copies to the stack is no such place.
void of_argument(struct table by_value, long n, int *restrict to) {
  for (long i = 0; i < n; i++)
    to[i] = by_value.t[i % 9] + 1;
}

// Behind the array lie other variables, whose bytes are no better.
unsigned beside(int t, unsigned *restrict to) {
  unsigned own[12];
  for (int i = 0; i < 12; i++)
    own[i] = i ^ t;
  for (int i = 0; i < 12; i++)
    to[i] = own[11 - i];
  return own[12 + (t & 15)];
}

// The same of what alloca() gives, of a constant size and of another one.
unsigned beside_alloca(int t, unsigned *restrict to) {
  unsigned *own = __builtin_alloca(12 * sizeof(unsigned));
  for (int i = 0; i < 12; i++)
    own[i] = i ^ t;
  for (int i = 0; i < 12; i++)
    to[i] = own[11 - i];
  return own[12 + (t & 15)];
}

unsigned beside_sized(long n, int t, unsigned *restrict to) {
  unsigned *own = __builtin_alloca((12 + (n & 3)) * sizeof(unsigned));
  for (int i = 0; i < 12; i++)
    own[i] = i ^ t;
  for (int i = 0; i < 12; i++)
    to[i] = own[11 - i];
  return own[16 + (t & 15)];
}

// Within what it gives there is something to compare.
unsigned within_sized(long n, int t, unsigned *restrict to) {
  unsigned *own = __builtin_alloca((12 + (n & 3)) * sizeof(unsigned));
  for (int i = 0; i < 12; i++)
    own[i] = i ^ t;
  for (int i = 0; i < 12; i++)
    to[i] = own[11 - i];
  return own[t & 7];
}
