// Where last <= first the program is undefined.  With its counter widened to
// 64 bits the loop runs and ends there all the same, while Polly's domain is
// empty and its run-time condition allows it: a difference, for which the loop
// was refused.  The condition is made to exclude it instead.
//
// RUN: %clang -O1 -Xclang -disable-llvm-passes -gline-tables-only -S \
// RUN:   -fno-discard-value-names -emit-llvm %s -o %t.ll
// RUN: %opt -passes=gpu-polyhedral -gpu-targets=emulated -S \
// RUN:   -pass-remarks=gpu-polyhedral %t.ll 2>%t.remarks | %FileCheck %s
// RUN: %FileCheck --check-prefix=REMARK %s <%t.remarks
// RUN: %opt -passes=gpu-polyhedral -gpu-targets=emulated -S -gpu-verify=off \
// RUN:   %t.ll | %FileCheck --check-prefix=OFF %s
//
// CHECK-LABEL: define {{.*}}@until.polygpu(
// CHECK: icmp sle i64 %{{[0-9]+}}, 0
// CHECK: polygpu.check:
// REMARK: loops offloaded as 1 kernel
//
// OFF-LABEL: define {{.*}}@until.polygpu(
// OFF-NOT: icmp sle i64 %{{[0-9]+}}, 0
// OFF: polygpu.check:

void until(int some, int first, int last, float *restrict a, float *restrict b)
{
    if (some > 0) {
        int i = 0;
        do
            a[i] = 2 * b[i];
        while (++i != last - first);
    }
}
