// Polly's domain of the first loop is empty for n >= 2147483648, which is
// negative to it, and its run-time condition allows such n: the second loop
// would run on the device, and the first nowhere.  The condition is made to
// exclude them.
//
// RUN: %clang -O1 -Xclang -disable-llvm-passes -gline-tables-only -S \
// RUN:   -fno-discard-value-names -emit-llvm %s -o %t.ll
// RUN: %opt -passes=gpu-polyhedral -gpu-targets=emulated -S \
// RUN:   -pass-remarks=gpu-polyhedral %t.ll 2>%t.remarks | %FileCheck %s
// RUN: %FileCheck --check-prefix=REMARK %s <%t.remarks
// RUN: %opt -passes=gpu-polyhedral -gpu-targets=emulated -S -gpu-verify=off \
// RUN:   %t.ll | %FileCheck --check-prefix=OFF %s
//
// CHECK-LABEL: define {{.*}}@down.polygpu(
// CHECK: icmp sge i64 %{{[0-9]+}}, 0
// CHECK: polygpu.check:
// REMARK: loops offloaded as 2 kernels
//
// OFF-LABEL: define {{.*}}@down.polygpu(
// OFF-NOT: icmp sge i64 %{{[0-9]+}}, 0
// OFF: polygpu.check:

void down(unsigned n, int m, char *restrict a, char *restrict b)
{
    for (unsigned i = n; i-- > 0;)
        a[i] += 1;
    for (int j = 0; j < m; j++)
        b[j] += 1;
}
