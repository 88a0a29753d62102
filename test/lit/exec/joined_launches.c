// Launches in a loop of the host that do not depend on each other are one.  Compared
// with the sequential program, on the checked device, which sees what two blocks of a
// launch write and read, and on the PTX machine.
//
// RUN: %gpu_cc -mfma -mllvm -gpu-time=off %s %harness -o %t.gpu
// RUN: %ref_cc %s %harness -o %t.ref
// RUN: %run_ref %t.ref
// RUN: %run_gpu %t.gpu 2>&1 | %FileCheck %s
// RUN: cmp %t.ref.dump %t.gpu.dump
//
// CHECK: scop halves {{.*}} runs=3 declined=0 failed=0
// CHECK-NEXT: kernel halves_[[#]]_2 {{.*}} launches=18
// CHECK-NEXT: kernel halves_[[#]]_0_joined {{.*}} launches=18
// CHECK-NOT: kernel halves_
//
// The second one reads what the first one writes.
// CHECK: scop rows {{.*}} runs=3 declined=0 failed=0
// CHECK-NEXT: kernel rows_[[#]]_0 {{.*}} launches=18
// CHECK-NEXT: kernel rows_[[#]]_1 {{.*}} launches=18
// CHECK-NOT: kernel rows_
//
// Where the pass takes them for independent nevertheless, the device does not.
// RUN: %if mutate %{ %gpu_cc -mfma -mllvm -gpu-time=off %s %harness -o %t.gpu \
// RUN:   -mllvm -gpu-mutate=beside:all -Rpass-missed=gpu-polyhedral 2>&1 \
// RUN:   | %FileCheck --check-prefix=RACE %s %}
// RACE: checked kernel rows_{{[0-9]+}}_0_joined: b[{{[0-9]+}}] written {{.*}}, in one launch
//
// Launches stay apart where the user wants no fusion.
// RUN: %gpu_cc -mfma -mllvm -gpu-time=off -mllvm -gpu-fusion=min %s %harness -o %t.gpu
// RUN: %run_gpu %t.gpu 2>&1 | %FileCheck --check-prefix=APART %s
// RUN: cmp %t.ref.dump %t.gpu.dump
// APART: scop halves {{.*}} runs=3 declined=0 failed=0
// APART-NOT: _joined
#include "exec.h"

#include <stdlib.h>

/* Rows up to the middle and those behind it, in another order, from what the step
 * before left. */
NOINLINE static void halves(int steps, int n, int m, float (*restrict a)[n],
                            float (*restrict b)[n])
{
    for (int t = 0; t < steps; t++) {
        for (int i = 0; i < m; i++)
            for (int j = 0; j < n; j++)
                b[i][j] = a[i][j] * 0.5f + t;
        for (int i = m; i < n; i++)
            for (int j = 0; j < n; j++)
                b[i][j] = a[i][n - 1 - j] * 0.25f - t;
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++)
                a[i][j] = b[i][j] + b[j][i];
    }
}

/* Each row but the first one from the one before. */
NOINLINE static void rows(int steps, int n, float *restrict a, float *restrict b)
{
    for (int t = 0; t < steps; t++) {
        for (int i = 0; i < n; i++)
            b[i] = a[i] * 0.5f + t;
        for (int i = 0; i < n; i++)
            a[i] = b[n - 1 - i] + b[i / 2];
    }
}

NOINLINE static void all(int n, int m)
{
    size_t size = (size_t)n * n;
    float *a = harness_alloc(size, sizeof *a);
    float *b = harness_alloc(size, sizeof *b);

    harness_fill(a, size, sizeof *a);
    harness_fill(b, size, sizeof *b);
    halves(6, n, m, (void *)a, (void *)b);
    dump("a", a, size * sizeof *a);
    dump("b", b, size * sizeof *b);
    rows(6, n, a, b);
    dump("a", a, size * sizeof *a);
    free(a);
    free(b);
}

int main(int argc, char **argv)
{
    harness_start(argc, argv);
    all(33, 17);
    all(70, 1);
    all(129, 128);
    return harness_end();
}
