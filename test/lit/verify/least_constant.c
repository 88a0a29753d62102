// The least number of 64 bits, and a counter that begins at 1: iterations to look
// at are found without overflow (a search that did not end).
//
// RUN: %clang -O1 -Xclang -disable-llvm-passes -g -S -emit-llvm %s -o %t.ll
// RUN: %opt -passes=gpu-polyhedral -pass-remarks=gpu-polyhedral \
// RUN:   -disable-output %t.ll 2>&1 | %FileCheck %s
//
// CHECK: least_constant.c:[[@LINE+3]]:5: loops offloaded as 1 kernel
void least(long n, long *restrict a, const long *restrict b)
{
    for (long i = 1; i < n; i++)
        a[i] = b[i] == -9223372036854775807L - 1 ? i : b[i];
}
