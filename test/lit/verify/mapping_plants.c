// Errors of each kind that is planted in plans are refused by pg_verify: other
// instances or blocks, shifted accesses, dropped filters, lost barriers, a
// buffer of another access, wrong copies.
//
// REQUIRES: mutate
// RUN: %clang -O1 -Xclang -disable-llvm-passes -gline-tables-only -S \
// RUN:   -emit-llvm %s -o %t.ll
// RUN: %python %S/every_plant.py %plugin %t.ll \
// RUN:   "kernels that were made for these loops would not do" \
// RUN:   domain,access,filter,sync,exchange,move,omit \
// RUN:   %if all %{144%} %else %{15 --most 1 --without product%} \
// RUN:   "-gpu-sizes={ kernel[i] -> tile[16,16,4]; kernel[i] -> block[4,4]; kernel[i] -> grid[2,2] }"
//
// A part of a statement loses a factor, since another part's buffer holds
// products: only executing the kernels shows that.
//
// RUN: %clang -O1 -Xclang -disable-llvm-passes -gline-tables-only -S \
// RUN:   -emit-llvm -I%S/../exec/Inputs -I%programs \
// RUN:   %S/../exec/factor_in_parts.c -o %t.parts.ll
// RUN: llvm-extract --func=triangle %t.parts.ll -o %t.parts.bc
// RUN: %opt -passes=gpu-polyhedral -gpu-targets=emulated -disable-output \
// RUN:   "-gpu-sizes={ kernel[i] -> tile[16,16,4]; kernel[i] -> block[8,8]; kernel[i] -> grid[2,2] }" \
// RUN:   -gpu-mutate=product:1 -gpu-verify=execute \
// RUN:   -pass-remarks-missed=gpu-polyhedral %t.parts.bc 2>&1 \
// RUN:   | %FileCheck --check-prefix=PRODUCT %s
// PRODUCT: factor_in_parts.c:{{.*}} loop not offloaded: the offloaded function does not do what the function does

#include "Inputs/planted.c"

/* Columns go through shared memory, rows do not. */
void turned(int n, float to[n][n], float a[n][n], float b[n][n], float c[n][n])
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            to[i][j] += c[i][j] * a[j][i] - b[j][i];
}
