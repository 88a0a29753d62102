// A counter goes on from row to row of a packed triangle: its step grows, and so
// the last element is not where the first step would lead to.  All of the triangle
// has to come to the device, upwards and downwards.
//
// RUN: %gpu_cc %s %harness -o %t.gpu -Rpass=gpu-polyhedral 2>&1 | \
// RUN:     %FileCheck --check-prefix=REMARK %s
// RUN: %ref_cc %s %harness -o %t.ref
// RUN: %run_ref %t.ref
// RUN: %run_gpu %t.gpu 2>&1 | %FileCheck %s
// RUN: cmp %t.ref.dump %t.gpu.dump
//
// REMARK-DAG: loops offloaded as 1 kernel: upwards_
// REMARK-DAG: loops offloaded as {{[0-9]}} kernel{{s?}}: downwards_
// CHECK-DAG: scop upwards {{.*}} runs=9 declined=0 failed=0
// CHECK-DAG: kernel upwards_{{[0-9]+}}_0 device=emulated launches=9
// CHECK-DAG: scop downwards {{.*}} runs=9 declined=0 failed=0
// CHECK-DAG: kernel downwards_{{[0-9]+}}_0 device=emulated launches=9
#include "exec.h"

#include <stdlib.h>

NOINLINE static void upwards(int n, const double *packed, const double *x,
                             double *y)
{
    int at = 0;

    for (int j = 0; j < n; j++) {
        y[j] = 0;
        for (int i = 0; i <= j; i++) {
            if (i < j)
                y[j] += packed[at] * x[i];
            y[i] += packed[at] * x[j];
            at++;
        }
    }
}

NOINLINE static void downwards(int n, int last, const double *packed,
                               const double *x, double *y)
{
    int at = last;

    for (int j = 0; j < n; j++) {
        y[j] = 0;
        for (int i = 0; i <= j; i++) {
            if (i < j)
                y[j] += packed[at] * x[i];
            y[i] += packed[at] * x[j];
            at--;
        }
    }
}

HOST double *drawn(int n)
{
    double *a = malloc((size_t)n * sizeof *a);

    for (int i = 0; i < n; i++)
        a[i] = harness_random();
    return a;
}

HOST void run(int n)
{
    int size = n * (n + 1) / 2;
    double *packed = drawn(size), *x = drawn(n), *y = drawn(n), *z = drawn(n);

    poison(y, (size_t)n * sizeof *y);
    poison(z, (size_t)n * sizeof *z);
    upwards(n, packed, x, y);
    downwards(n, size - 1, packed, x, z);
    dump("upwards", y, (size_t)n * sizeof *y);
    dump("downwards", z, (size_t)n * sizeof *z);
    free(packed);
    free(x);
    free(y);
    free(z);
}

int main(int argc, char **argv)
{
    static const int sizes[] = {1, 2, 3, 4, 7, 12, 33, 70, 129};

    harness_start(argc, argv);
    for (int i = 0; i < 9; i++)
        run(sizes[i]);
    return harness_end();
}
