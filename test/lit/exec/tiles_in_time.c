// Sweeps in place with the loop over time outside: waves of tiles in time, with a
// wavefront of points in each; compared with the sequential program, on the checked
// device and on the PTX machine.
//
// RUN: %gpu_cc -mfma %s %harness -o %t.gpu
// RUN: %ref_cc %s %harness -o %t.ref
// RUN: %run_ref %t.ref
// RUN: %run_gpu %t.gpu 2>&1 | %FileCheck %s
// RUN: cmp %t.ref.dump %t.gpu.dump
//
// With tiles of the user's that cut all sizes:
//
// RUN: %gpu_cc -mfma -mllvm '-gpu-sizes={ kernel[i] -> tile[3,7,5] }' \
// RUN:   %s %harness -o %t.gpu
// RUN: %run_gpu %t.gpu 2>&1 | %FileCheck --check-prefix=SMALL %s
// RUN: cmp %t.ref.dump %t.gpu.dump
//
// CHECK: expected [[SOR:[0-9]+]] [[SEIDEL:[0-9]+]] [[RELAX:[0-9]+]]
// CHECK: scop sor {{.*}} runs=10 declined=0 failed=0
// Between copies, by lines and back:
// CHECK-NEXT: kernel sor_{{[0-9]+}}_0 {{.*}} launches=10 grid
// CHECK-NEXT: kernel sor_{{[0-9]+}}_1 {{.*}} launches=[[SOR]] grid
// CHECK-NEXT: kernel sor_{{[0-9]+}}_2 {{.*}} launches=10 grid
// CHECK-NEXT: scop seidel {{.*}} runs=10 declined=0 failed=0
// CHECK-NEXT: kernel seidel_{{[0-9]+}}_0 {{.*}} launches=10 grid
// CHECK-NEXT: kernel seidel_{{[0-9]+}}_1 {{.*}} launches=[[SEIDEL]] grid
// CHECK-NEXT: kernel seidel_{{[0-9]+}}_2 {{.*}} launches=10 grid
//
// Below another loop of the host, beside two other kernels:
// CHECK-NEXT: scop relax {{.*}} runs=10 declined=0 failed=0
// CHECK-NEXT: kernel relax_{{[0-9]+}}_0 {{.*}} launches=[[RELAX]] grid
// CHECK-NEXT: kernel relax_{{[0-9]+}}_1 {{.*}} launches=30 grid
// CHECK-NEXT: kernel relax_{{[0-9]+}}_2 {{.*}} launches=30 grid
//
// SMALL: scop sor {{.*}} runs=10 declined=0 failed=0
// SMALL: scop seidel {{.*}} runs=10 declined=0 failed=0
// SMALL: scop relax {{.*}} runs=10 declined=0 failed=0
#include "exec.h"

#include <stdio.h>
#include <stdlib.h>

static long waves_of_sor, waves_of_seidel, waves_of_relax;

NOINLINE static void sor(int t, int n, int m, double w, double (*restrict a)[m])
{
    for (int s = 0; s < t; s++)
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++)
                a[i][j] += w * ((a[i - 1][j] + a[i][j - 1] + a[i][j + 1] +
                                 a[i + 1][j]) / 4 - a[i][j]);
}

/* From the last element to the first. */
NOINLINE static void seidel(int t, int n, int m, double (*restrict a)[m])
{
    for (int s = 0; s < t; s++)
        for (int i = n - 2; i > 0; i--)
            for (int j = m - 2; j > 0; j--)
                a[i][j] = (a[i - 1][j - 1] + a[i - 1][j] + a[i - 1][j + 1] +
                           a[i][j - 1] + a[i][j] + a[i][j + 1] +
                           a[i + 1][j - 1] + a[i + 1][j] + a[i + 1][j + 1]) / 9;
}

/* The first column is what the sweeps came to. */
NOINLINE static void relax(int r, int t, int n, int m, double (*restrict a)[m],
                           double *restrict sum)
{
    for (int k = 0; k < r; k++) {
        for (int s = 0; s < t; s++)
            for (int i = 1; i < n - 1; i++)
                for (int j = 1; j < m - 1; j++)
                    a[i][j] = (a[i - 1][j] + a[i][j - 1] + a[i][j + 1] +
                               a[i + 1][j]) / 4;
        for (int i = 0; i < n; i++)
            for (int j = 0; j < m; j++)
                sum[k] += a[i][j];
        for (int i = 0; i < n; i++)
            a[i][0] = sum[k] / (n * m);
    }
}

static void all(int t, int n, int m)
{
    size_t size = (size_t)n * m;
    double *a = harness_alloc(size, sizeof *a), sum[3] = {0};

    harness_fill(a, size, sizeof *a);
    sor(t, n, m, 1.25, (void *)a);
    waves_of_sor += (11 * t + 2 * n + m - 20) / 64 + 1;
    dump_double("sor", a, size);
    seidel(t, n, m, (void *)a);
    waves_of_seidel += (12 * t + 3 * n + m - 24) / 64 + 1;
    dump_double("seidel", a, size);
    relax(3, t, n, m, (void *)a, sum);
    waves_of_relax += 3 * ((11 * t + 2 * n + m - 20) / 64 + 1);
    dump_double("relax", a, size);
    free(a);
}

/* From 3 on. */
static int up_to(int most)
{
    return 3 + (int)((harness_random() + 1.5) / 3 * (most - 3));
}

/* A tile is 8 x 32 x 64. */
int main(int argc, char **argv)
{
    static const int sizes[][3] = {{1, 3, 3},    {7, 5, 60},   {8, 31, 65},
                                   {9, 33, 67},  {16, 34, 66}, {17, 11, 130},
                                   {2, 100, 9}, {40, 4, 4}};

    harness_start(argc, argv);
    for (size_t i = 0; i < sizeof(sizes) / sizeof(*sizes); i++)
        all(sizes[i][0], sizes[i][1], sizes[i][2]);
    all(up_to(20), up_to(40), up_to(90));
    all(up_to(20), 70, up_to(90));
    fprintf(stderr, "expected %ld %ld %ld\n", waves_of_sor, waves_of_seidel,
            waves_of_relax);
    return harness_end();
}
