// Every second point of a thread does one thing, and those between another.  isl
// makes one loop of the two, which begins at the number -1 where the first point
// is one of the latter: also that one is in the kernel.
//
// RUN: %gpu_cc -mfma %s %harness -o %t.gpu \
// RUN:     -Rpass=gpu-polyhedral -Rpass-missed=gpu-polyhedral 2>&1 | \
// RUN:     %FileCheck --check-prefix=REMARK --implicit-check-not=error %s
// RUN: %ref_cc %s %harness -o %t.ref
// RUN: %run_ref %t.ref
// RUN: %run_auto %t.gpu 2>&1 | %FileCheck %s
// RUN: cmp %t.ref.dump %t.gpu.dump
//
// REMARK: loops offloaded as 1 kernel: both_
// CHECK: scop both {{.*}} runs=6 declined=0 failed=0
// CHECK: kernel both_{{[0-9]+}}_0 device=emulated launches=6
#include "exec.h"

enum { MOST = 160 };

static double shared[9], rows[MOST * 3], out[MOST * (MOST + 3)];

NOINLINE static void both(int n, int m, double *b,
                          double a[n][m], double c[m][n])
{
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            b[j * 3 + i] = a[0][0];
    for (int i = 0; i < m; i++)
        for (int j = 0; j < 3; j++)
            if ((i + j) % 2 == 0)
                c[i][j] -= b[i * 3 + j];
            else
                c[i][j] = b[i * 3 + j];
}

int main(int argc, char **argv)
{
    static const int sizes[][2] = {{3, 3},  {5, 6},   {6, 5},
                                   {9, 33}, {4, 140}, {11, 64}};

    harness_start(argc, argv);
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        harness_fill(shared, 9, sizeof *shared);
        harness_fill(rows, MOST * 3, sizeof *rows);
        harness_fill(out, MOST * (MOST + 3), sizeof *out);
        both(sizes[i][0], sizes[i][1], rows, (void *)shared, (void *)out);
        dump_double("rows", rows, MOST * 3);
        dump_double("out", out, MOST * (MOST + 3));
    }
    return harness_end();
}
