// Code of our own that is not valid LLVM would end the user's compiler: it is
// looked at, and dropped.  The error is planted in the first function only.
//
// REQUIRES: mutate
// RUN: %clang -O1 -Xclang -disable-llvm-passes -gline-tables-only -S \
// RUN:   -emit-llvm %s -o %t.ll
// RUN: %opt -passes=gpu-polyhedral -gpu-targets=emulated -S -o %t.out.ll \
// RUN:   -gpu-mutate=invalid:1 -pass-remarks-missed=gpu-polyhedral \
// RUN:   -pass-remarks=gpu-polyhedral %t.ll 2>&1 \
// RUN:   | %FileCheck --implicit-check-not=remark --implicit-check-not=error %s
// RUN: %FileCheck --check-prefix=CODE %s < %t.out.ll

// CODE-LABEL: define dso_local void @scale(
// CODE-NOT:   @polygpu
// CODE-LABEL: define dso_local void @shift(
// CODE:       call {{.*}}@polygpu_begin

void scale(int n, float *a)
{
    // CHECK: remark: {{.*}}invalid.c:[[@LINE+1]]:5: loop not offloaded: the code that PolyGPU made for the function is not valid (Instruction does not dominate all uses!); please report this with the source
    for (int i = 0; i < n; i++)
        a[i] *= 3;
}

void shift(int n, float *a)
{
    // CHECK: remark: {{.*}}invalid.c:[[@LINE+1]]:5: loops offloaded as 1 kernel
    for (int i = 0; i < n; i++)
        a[i] += 3;
}
