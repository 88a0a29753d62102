// A loop whose only inner loops are those of a function that it calls is told
// of at its own line, also where these are refused for the same reason.
//
// RUN: %clang_gpu -O3 -Rpass-missed=gpu-polyhedral -c %s -o %t.o 2>&1 \
// RUN:   | FileCheck --implicit-check-not=remark: %s

static inline int steps(int *to, int n) {
  int k = 0;
  // CHECK: :[[#@LINE+1]]:3: remark: loop not offloaded: the number of {{.*}} line [[#@LINE+1]]
  while (n > 1) {
    n = n & 1 ? 3 * n + 1 : n / 2;
    to[k] = n;
    k++;
  }
  return k;
}

void all(int *restrict to, int *restrict count, int m) {
  // CHECK: :[[#@LINE+1]]:3: remark: loop not offloaded: the number of {{.*}} line 10
  for (int j = 0; j < m; j++)
    count[j] = steps(to + j * 100, j);
}
