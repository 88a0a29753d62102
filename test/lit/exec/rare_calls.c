// A loop over time steps that prints in some of them: the loops inside are
// offloaded.  One that prints only if it was told to, in all steps or in none,
// is offloaded as a whole where it was not.
//
// RUN: %ref_cc %s %harness -o %t.ref
// RUN: %run_ref %t.ref
// RUN: %gpu_cc %s %harness -o %t.gpu
// RUN: %run_gpu %t.gpu 2>&1 | %FileCheck %s
// RUN: cmp %t.ref.dump %t.gpu.dump
// RUN: %clang_gpu -O3 -I%S/Inputs -I%programs -c %s -o /dev/null \
// RUN:   -Rpass-missed=gpu-polyhedral 2>&1 | %FileCheck %s --check-prefix=WHY
//
// CHECK: polygpu: scop some {{.*}} runs=7 declined=0 failed=0
// CHECK-NEXT: kernel {{.*}} launches=7
// CHECK-NEXT: kernel {{.*}} launches=7
// CHECK-NEXT: polygpu: scop nested {{.*}} runs=7 declined=0 failed=0
// CHECK-NEXT: kernel {{.*}} launches=7
// CHECK-NEXT: polygpu: scop flag {{.*}} runs=1 declined=0 failed=0
// CHECK-NEXT: kernel {{.*}} launches=1
//
// WHY: remark: {{.*}}a function is called in line 35 in some iterations
// WHY: remark: {{.*}}a function is called in line 55 in some iterations
#include "exec.h"

#include <stdio.h>

enum { N = 50 };

static double a[N][N], b[N][N], c[N], d[N];

NOINLINE static void some(int steps)
{
    for (int t = 0; t < steps; t++) {
        if (t % 3 == 1)
            printf("step %d\n", t);
        for (int i = 1; i < N - 1; i++)
            for (int j = 1; j < N - 1; j++)
                b[i][j] = a[i - 1][j] * 0.5 + a[i + 1][j] * 0.25;
        // The step that the next one begins with.
        for (int i = 1; i < N - 1; i++)
            for (int j = 1; j < N - 1; j++)
                a[i][j] = b[i][j - 1] * 0.5 + b[i][j + 1] * 0.25;
        if (t > 2)
            if (t % 2)
                printf("odd step %d\n", t);
    }
}

NOINLINE static void nested(int steps)
{
    for (int t = 0; t < steps; t++) {
        for (int i = 0; i < N; i++)
            c[i] = c[i] * 0.5 + a[i][t];
        if (t > 2) {
            printf("late");
            if (t % 2)
                printf(" and odd");
            printf(" step %d\n", t);
        }
    }
}

NOINLINE static void flag(int steps, int tell)
{
    for (int t = 0; t < steps; t++) {
        if (tell)
            printf("step %d\n", t);
        for (int i = 0; i < N; i++)
            d[i] = d[i] * 0.5 + b[i][t];
    }
}

int main(int argc, char **argv)
{
    harness_start(argc, argv);
    harness_fill(a, N * N, sizeof(double));
    harness_fill(b, N * N, sizeof(double));
    harness_fill(c, N, sizeof(double));
    harness_fill(d, N, sizeof(double));
    some(7);
    nested(7);
    flag(7, 0);
    dump_double("a", &a[0][0], N * N);
    dump_double("b", &b[0][0], N * N);
    dump_double("c", c, N);
    dump_double("d", d, N);
    return harness_end();
}
