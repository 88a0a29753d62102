// Loops of constant sizes are executed for comparison: repetitions are left
// early, in the function as in its copy, and large sizes get higher limits.
//
// REQUIRES: mutate
// RUN: %clang_gpu -O3 -mllvm -gpu-offload -mllvm -gpu-verify=execute \
// RUN:   -Rpass-analysis=gpu-polyhedral -c %s -o %t.o 2>&1 | %FileCheck %s
//
// Errors in a loop that is left early are seen:
//
// RUN: %python %S/plants.py %clang_gpu -O3 -mllvm -gpu-offload -DFEW \
// RUN:   -mllvm -gpu-verify=execute -Rpass-missed=gpu-polyhedral \
// RUN:   -c %s -o %t.few.o -- index:1 index:2 copy:1 copy:2 \
// RUN:   | %FileCheck --check-prefix=PLANTS %s
// PLANTS-COUNT-4: {{: 1 refused, (kernel failed|differs)}}
// PLANTS: 4 plants, 0 survived
#include <stdlib.h>

enum { N = 32000, REPEATED = 100000 };
float a[N], b[N];
void tick(float *);

// Asked at the beginning of each iteration, and in the copy at the end.
void repeated(void) {
  for (int r = 0; r < REPEATED; ++r) {
    // CHECK: repeated.c:[[@LINE+1]]:5: remark: executed as written and offloaded, with equal results: 7 runs, 21 launches of kernels; loops around others were left early in 7 runs
    for (int i = 0; i < N; ++i)
      a[i] = b[i] + 1;
    tick(a);
  }
}

#ifndef FEW
// At the end, in both.
void atend(void) {
  int r = REPEATED;
  do {
    // CHECK: repeated.c:[[@LINE+1]]:5: remark: executed {{.*}} 7 runs, 28 launches of kernels; loops around others were left early in 7 runs
    for (int i = 1; i < N; ++i)
      a[i] = a[i] * b[i] + a[0];
    tick(a);
  } while (--r);
}

// Two around each other, and one behind that uses what the first made.
void nested(float x) {
  for (int s = 0; s < 300; ++s)
    for (int r = 0; r < 300; ++r) {
      // CHECK: repeated.c:[[@LINE+1]]:7: remark: executed {{.*}}left early in 7 runs
      for (int i = 0; i < N; ++i)
        a[i] = b[i] * x;
      tick(b);
    }
  // CHECK: repeated.c:[[@LINE+1]]:3: remark: executed {{.*}}left early in 7 runs
  for (int i = 0; i < N; ++i)
    b[i] = a[N - 1 - i];
}

// The loop that takes long is not the one that is offloaded.
float elsewhere(void) {
  float most;
  // CHECK: repeated.c:[[@LINE+1]]:3: remark: executed {{.*}} 7 runs, 7 launches {{.*}}left early in 7 runs
  for (int i = 0; i < N; ++i)
    a[i] = b[N - 1 - i];
  for (int r = 0; r < REPEATED; ++r) {
    most = a[0];
    for (int i = 0; i < N; ++i)
      most = most * a[i] + 1;
    tick(a);
  }
  return most;
}

// The copy knows that r is REPEATED behind the loop: nothing would follow from
// leaving it early.
int counted(void) {
  int r;
  for (r = 0; r < REPEATED; ++r) {
    // CHECK: repeated.c:[[@LINE+1]]:5: remark: not executed for comparison: it takes too long
    for (int i = 0; i < N; ++i)
      a[i] = b[i] + 2;
    tick(a);
  }
  return r;
}

// What only the last of the iterations that were executed can tell.
int found(void) {
  int index = 0;
  for (int r = 0; r < REPEATED; ++r) {
    // CHECK: repeated.c:[[@LINE+1]]:5: remark: executed {{.*}}left early in 7 runs
    for (int i = 0; i < N; ++i)
      a[i] = b[i] + 3;
    tick(a);
    index = a[r % N] > a[0] ? r : index;
  }
  return index;
}

// Nothing to leave, and more than usual to execute.
void large(float (*restrict to)[1200], float (*restrict from)[1200]) {
  // CHECK: repeated.c:[[@LINE+1]]:3: remark: executed {{.*}} equal results: 2 runs, 2 launches of kernels [
  for (int i = 0; i < 1200; ++i)
    for (int j = 0; j < 1200; ++j)
      to[i][j] = from[i][j] + from[i][0];
}

// A region of its own for what is allocated.
float allocated(void) {
  float *p = malloc(400000 * sizeof *p);
  // CHECK: repeated.c:[[@LINE+1]]:3: remark: executed {{.*}} equal results: 2 runs, 2 launches
  for (int i = 0; i < 400000; ++i)
    p[i] = a[i % 2] * (float)i;
  float x = p[399999];
  free(p);
  return x;
}
#endif
