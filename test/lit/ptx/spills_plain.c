// A kernel without buffers says nothing of blocks on a multiprocessor, and ptxas
// spilled registers so that eight of them fit: it is told then.
//
// REQUIRES: ptxas
// RUN: %clang -O1 -Xclang -disable-llvm-passes -S -emit-llvm %s -o %t.ll
// RUN: %opt -passes='print<gpu-ptx>' -gpu-arch=sm_90 -disable-output %t.ll \
// RUN:   2> %t.ptx
// RUN: %ptxas -arch=sm_90 -v %t.ptx -o %t.cubin 2>&1 | %FileCheck %s
//
// CHECK: carried_
// CHECK: 0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
void carried(int n, int m, int last, double a[restrict last][n][m],
             double b[restrict last][n][m])
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            for (int t = 1; t < last; t++)
                a[t][i][j] = 0.5 * a[t - 1][i][j] + b[t][i][j];
}
