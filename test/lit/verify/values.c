// The SCoP that is handed over computes what the program computes: scalars of
// all kinds, phis that have a value before the loops, loops of constant sizes.
// What has too many iterations is compared in a few of them.
//
// REQUIRES: mutate
// RUN: %clang -O1 -Xclang -disable-llvm-passes -gline-tables-only -S \
// RUN:   -emit-llvm %s -o %t.ll
// RUN: %opt -passes=gpu-polyhedral -gpu-targets=emulated -disable-output \
// RUN:   -pass-remarks-analysis=gpu-polyhedral \
// RUN:   -pass-remarks=gpu-polyhedral %t.ll 2>&1 | %FileCheck %s
//
// What shows an error is kept, and shows it again.
//
// RUN: rm -rf %t.kept
// RUN: %opt -passes=gpu-polyhedral -gpu-targets=emulated -disable-output \
// RUN:   -gpu-mutate=element:1 -gpu-save-failures=%t.kept %t.ll
// RUN: cat %t.kept/carried-*-model.txt | %FileCheck --check-prefix=KEPT %s
// RUN: cp %t.kept/carried-*-model.bc %t.bc
// RUN: %opt -passes=gpu-polyhedral -gpu-targets=emulated -disable-output \
// RUN:   -gpu-mutate=element:1 -pass-remarks-missed=gpu-polyhedral \
// RUN:   -pass-remarks=gpu-polyhedral %t.bc 2>&1 \
// RUN:   | %FileCheck --check-prefix=AGAIN %s
// KEPT: opt -load-pass-plugin=PolyGPU.so {{.*}}carried
// KEPT: gets another value{{.*}}, with parameters (
// KEPT: scop "carried"
// KEPT: Function: carried.polygpu
// AGAIN: not offloaded: {{.*}}gets another value
// AGAIN-NOT: remark

/* The phi of t has the value 3 before the first iteration, and lives on. */
// CHECK: values.c:[[@LINE+4]]:{{.*}}; values of {{[1-9][0-9]*}} elements equal in 5 runs of 6 of 6 statements
float carried(int n, float (*a)[20], const float *b)
{
    float t = 3;
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < 20; j++)
            a[i][j] = t + b[j];
        t = b[i];
    }
    return t;
}

// CHECK: values.c:[[@LINE+3]]:{{.*}}; values of {{[1-9][0-9]*}} elements equal in 1 runs of 1 of 1 statements, 1600 instances
void constant(float (*restrict a)[40], const float *restrict b)
{
    for (int i = 0; i < 40; i++)
        for (int j = 0; j < 40; j++)
            a[i][j] = b[j] / b[i];
}

// CHECK: values.c:[[@LINE+3]]:{{.*}}; values of {{[1-9][0-9]*}} elements equal in 1 runs (in part) of 1 of 1 statements, 42 instances
void large(float (*restrict a)[4000], const float *restrict b)
{
    for (int i = 0; i < 4000; i++)
        for (int j = 0; j < 4000; j++)
            a[i][j] = b[j] / b[i];
}
