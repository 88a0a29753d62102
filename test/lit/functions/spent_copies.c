// A nest that took all of its operations is not analysed again where there is
// another one like it, mostly by inlining: each place has its remark, and the
// decisions are the same with -g.
//
// RUN: %clang_gpu -O3 -mllvm -gpu-offload -mllvm -gpu-targets=emulated \
// RUN:   -mllvm -gpu-max-operations=20000 -Rpass-missed=gpu-polyhedral \
// RUN:   -fno-caret-diagnostics -ftime-trace=%t.plain.json \
// RUN:   -ftime-trace-granularity=0 -c %s -o %t.o 2>&1 | %FileCheck %s
// RUN: %clang_gpu -O3 -mllvm -gpu-offload -mllvm -gpu-targets=emulated \
// RUN:   -mllvm -gpu-max-operations=20000 -Rpass-missed=gpu-polyhedral -g \
// RUN:   -fno-caret-diagnostics -ftime-trace=%t.debug.json \
// RUN:   -ftime-trace-granularity=0 -c %s -o %t.o 2>&1 | %FileCheck %s
// RUN: grep -o '"PolyGPU: loops"' %t.plain.json | %FileCheck --check-prefix=ONCE %s
// RUN: grep -o '"PolyGPU: loops"' %t.debug.json | %FileCheck --check-prefix=ONCE %s
//
// CHECK-COUNT-4: has taken all of its 50000 operations
// CHECK-NOT: operations
// ONCE: PolyGPU: loops
// ONCE-NOT: PolyGPU: loops

#define SWEEP(n, a, b)                                            \
    for (int t = 0; t < n; t++)                                   \
        for (int i = 1; i < n - 1; i++)                           \
            for (int j = 1; j < n - 1; j++) {                     \
                a[i][j] = b[i - 1][j] + b[i + 1][j] + b[i][j - 1]; \
                b[i][j] = a[i][j] + a[i][j + 1] + a[i + 1][j];     \
            }

void first(int n, double (*restrict a)[n], double (*restrict b)[n])
{
    SWEEP(n, a, b)
}

void second(int n, double (*restrict a)[n], double (*restrict b)[n])
{
    SWEEP(n, a, b)
}

void third(int n, double (*restrict a)[n], double (*restrict b)[n])
{
    SWEEP(n, b, a)
}

void fourth(int m, double (*restrict c)[m], double (*restrict d)[m])
{
    SWEEP(m, c, d)
}
