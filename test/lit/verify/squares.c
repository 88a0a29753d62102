// Values that are products of counters are compared with the program's, and so is
// no run whose sizes were taken out of the model (n < 0, for which the loop is too
// long).
//
// RUN: %clang -O1 -Xclang -disable-llvm-passes -gline-tables-only -S \
// RUN:   -emit-llvm %s -o %t.ll
// RUN: %opt -passes=gpu-polyhedral -gpu-targets=emulated -disable-output \
// RUN:   -pass-remarks-analysis=gpu-polyhedral \
// RUN:   -pass-remarks-missed=gpu-polyhedral \
// RUN:   -pass-remarks=gpu-polyhedral %t.ll 2>&1 | %FileCheck %s

// CHECK-NOT: not offloaded
// CHECK: [[#@LINE+3]]:{{.*}} values of {{[1-9][0-9]*}} elements equal in {{[1-9][0-9]*}} runs of 1 of 1 statements
void squares(int n, unsigned *a)
{
    for (unsigned i = 0; i < n; i++)
        a[i] = (i + 1) * (i + 1);
}

// CHECK: [[#@LINE+3]]:{{.*}} values of {{[1-9][0-9]*}} elements equal in {{[1-9][0-9]*}} runs of 1 of 1 statements
void cubes(int n, long first, long *b)
{
    for (int i = 0; i < n; i++)
        b[i] = (first + i) * (first + i) * (first + i) - 3 * i;
}
