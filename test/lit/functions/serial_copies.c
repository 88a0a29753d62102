// A nest that runs in order, whatever is tried, is not analysed again where there
// is another one like it, mostly by inlining: each place has its remark with the
// reason and its own names, and the decisions are the same with -g.  A twin with
// another step is looked at.
//
// RUN: %clang_gpu -O3 -mllvm -gpu-offload -mllvm -gpu-targets=emulated \
// RUN:   -Rpass-missed=gpu-polyhedral -Rpass=gpu-polyhedral \
// RUN:   -fno-caret-diagnostics -ftime-trace=%t.plain.json \
// RUN:   -ftime-trace-granularity=0 -c %s -o %t.o 2>&1 | %FileCheck %s
// RUN: %clang_gpu -O3 -mllvm -gpu-offload -mllvm -gpu-targets=emulated \
// RUN:   -Rpass-missed=gpu-polyhedral -Rpass=gpu-polyhedral -g \
// RUN:   -fno-caret-diagnostics -ftime-trace=%t.debug.json \
// RUN:   -ftime-trace-granularity=0 -c %s -o %t.o 2>&1 | %FileCheck %s
// RUN: grep -o '"PolyGPU: [dk][a-z ]*"' %t.plain.json | sort | \
// RUN:   %FileCheck --check-prefix=TIMES %s
// RUN: grep -o '"PolyGPU: [dk][a-z ]*"' %t.debug.json | sort | \
// RUN:   %FileCheck --check-prefix=TIMES %s
//
// CHECK: not offloaded: every loop depends on {{.*}} (the loops write 'a')
// CHECK: not offloaded: every loop depends on {{.*}} (the loops write 'b')
// CHECK: not offloaded: every loop depends on {{.*}} (the loops write 'c')
// CHECK: not offloaded: every loop depends on {{.*}} (the loops write 'a')
// CHECK-NOT: not offloaded
// CHECK: remark: loops offloaded as
// CHECK-NOT: remark: loop
// TIMES-COUNT-3: dependences and schedule
// TIMES-NOT: dependences and schedule
// TIMES-COUNT-2: known reason
// TIMES-NOT: known reason

#define CHAIN(n, a, s)                                                         \
    for (int i = 2; i < n; i++)                                                \
        for (int j = 1; j < n; j++)                                            \
            a[i][j] = 0.5 * a[i - s][j] + a[i][j - 1] * a[i - 1][n - j];

void first(int n, double (*restrict a)[n])
{
    CHAIN(n, a, 1)
}

void second(int n, double (*restrict b)[n])
{
    CHAIN(n, b, 1)
}

void third(int m, double (*restrict c)[m])
{
    CHAIN(m, c, 1)
}

void another(int n, double (*restrict a)[n])
{
    CHAIN(n, a, 2)
}

void parallel(int n, double (*restrict a)[n])
{
    for (int i = 2; i < n; i++)
        for (int j = 1; j < n; j++)
            a[i][j] *= 0.5;
}
