// As panels.c, for the form with a condition and values that are no numbers: which of
// two it keeps is seen.
//
// RUN: %gpu_cc -mfma %s %harness -o %t.gpu
// RUN: %ref_cc %s %harness -o %t.ref
// RUN: %run_ref %t.ref
// RUN: %run_gpu %t.gpu 2>&1 | %FileCheck %s
// RUN: cmp %t.ref.dump %t.gpu.dump
//
// CHECK: scop numbers {{.*}} runs=3 declined=0 failed=0
// CHECK-NEXT: kernel numbers_{{.*}} launches=5
// CHECK-NEXT: kernel numbers_{{.*}} launches=4
// CHECK-NEXT: kernel numbers_{{.*}}_joined {{.*}} launches=4
// CHECK-NOT: kernel numbers_
#include "exec.h"

#include <stdlib.h>

NOINLINE static void numbers(int n, double (*a)[n])
{
    for (int k = 0; k < n; k++)
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++)
                a[i][j] = a[i][j] < a[i][k] + a[k][j] ? a[i][j]
                                                      : a[i][k] + a[k][j];
}

NOINLINE static void all(int n)
{
    size_t size = (size_t)n * n;
    double *a = harness_alloc(size, sizeof *a);

    harness_fill(a, size, sizeof *a);
    for (size_t i = 0; i < size; i++)
        a[i] = i % 97 == 13 ? __builtin_nan("") : a[i] - 0.2;
    numbers(n, (void *)a);
    dump_double("a", a, size);
    free(a);
}

int main(int argc, char **argv)
{
    static const int sizes[] = {32, 47, 64};

    harness_start(argc, argv);
    for (int i = 0; i < 3; i++)
        all(sizes[i]);
    return harness_end();
}
