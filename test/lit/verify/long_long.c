// long and long long are different types, which compilers take for different
// memory, also where both have 64 bits: an execution in which they are at one
// place says nothing. The name chooses the arguments that are tried.
//
// RUN: %clang_gpu -O2 -ffp-contract=off -mllvm -gpu-verify=execute \
// RUN:   -Rpass-missed=gpu-polyhedral -Rpass-analysis=gpu-polyhedral \
// RUN:   -c %s -o %t.o 2>&1 | %FileCheck %s --implicit-check-not="error of PolyGPU"
// CHECK: long_long.c:[[#@LINE+5]]:5: remark: executed as written and offloaded, with equal results: {{[1-9]}}

void f0_3(int n0, long long (*g1)[22], unsigned long *a2, short *restrict h3,
          short *g4)
{
    for (int i = 0; i < n0; i++)
        for (int j = i - 3 > 2 ? i - 3 : 2; j < n0; j++)
            g1[i][j] = ((long)a2[i] < (long)a2[j] ? 2 : 5) -
                       ((unsigned long)h3[i * (n0 + 1) + j + 1] + a2[i]);
}
