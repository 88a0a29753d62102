// What this pass does not inline into a copy LLVM may, as into any function: here
// one with a loop that is no part of the offloaded ones.
//
// RUN: %clang_gpu -O2 -S -emit-llvm %s -o - | %FileCheck %s
// CHECK-LABEL: define internal {{.*}}@scale.polygpu(
// CHECK-NOT: call {{.*}}@steps_to_one
// CHECK: {{^}}}
//
// Where calls are counted it has no counter of its own, only those of what it calls.
//
// RUN: %clang_gpu -O2 -fprofile-generate -S -emit-llvm %s -o - \
// RUN:   | %FileCheck --check-prefix=COUNTED %s
// RUN: %clang_gpu -O2 --coverage -Xclang -coverage-notes-file=%t.gcno -S -emit-llvm %s -o - \
// RUN:   | %FileCheck --check-prefix=COUNTED %s
// COUNTED-LABEL: define {{.*}}@scale(
// COUNTED: @[[COUNTER:__profc_scale|__llvm_gcov_ctr[.0-9]*]]{{[, ]}}
// COUNTED-LABEL: define internal {{.*}}@scale.polygpu(
// COUNTED-NOT: @[[COUNTER]]{{[, ]}}
// COUNTED: {{^}}}

static int steps_to_one(int x)
{
    int steps = 0;
    for (; x > 1; steps++)
        x = x & 1 ? 3 * x + 1 : x / 2;
    return steps;
}

void scale(int n, float *a, int x)
{
    for (int i = 0; i < n; i++)
        a[i] = 2 * a[i];
    a[0] = steps_to_one(x);
    a[1] = steps_to_one(x + 1);
}
