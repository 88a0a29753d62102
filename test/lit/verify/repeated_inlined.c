// A function that repeats loops is called as it was written, and is inlined in the copy
// of its caller.  Repetitions are left early only where both functions that are
// compared have them, so that here as many ticks are counted in both.
//
// RUN: %clang_gpu -O3 -mllvm -gpu-offload -mllvm -gpu-verify=execute \
// RUN:   -Rpass-analysis=gpu-polyhedral -Rpass-missed=gpu-polyhedral -c %s \
// RUN:   -o %t.o 2>&1 | %FileCheck %s
// CHECK-NOT: {{differ|error of PolyGPU}}
// CHECK: repeated_inlined.c:27:5: remark: executed as written and offloaded, with equal results: {{.*}} left early in
// CHECK-NOT: {{differ|error of PolyGPU}}
enum { N = 32000, REPEATED = 100 };
float b[N];
long rounds;
void tick(float *);

void repeated(float *a, int n) {
  for (int r = 0; r < n; ++r) {
    for (int i = 0; i < N; ++i)
      a[i] = b[i] + 1;
    tick(a);
  }
}

// Its copy has the loops of the other one in its own.
void caller(float *restrict x) {
  for (int t = 0; t < 2; ++t) {
    for (int i = 0; i < N; ++i)
      x[i] *= 2;
    repeated(x, REPEATED);
    ++rounds;
  }
}
