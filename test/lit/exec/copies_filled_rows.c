// Which elements of "fine" are copied in is too much for exact loops, so that
// gaps are filled, within rows.  Of "whole" the model does not know that rows
// have no more than 7 columns: that is left to the run-time condition.  None of
// its elements may be left out of what is copied for that.
//
// RUN: %gpu_cc -mfma %s %harness -o %t.gpu -Rpass=gpu-polyhedral 2>&1 | \
// RUN:     %FileCheck --check-prefix=REMARK %s
// RUN: %ref_cc %s %harness -o %t.ref
// RUN: %run_ref %t.ref
// RUN: %run_auto %t.gpu 2>&1 | %FileCheck %s
// RUN: cmp %t.ref.dump %t.gpu.dump
//
// REMARK: loops offloaded as 2 kernels: rows_
// CHECK: scop rows {{.*}} runs=6 declined=1 failed=0
// CHECK: kernel rows_{{[0-9]+}}_1 device=emulated launches=6
#include "exec.h"

enum { MOST = 40 };

static double whole[MOST][7], coarse[MOST * MOST], fine[4 * MOST], weights[4];

NOINLINE static void rows(size_t n, size_t m, double (*whole)[7],
                          double (*restrict half)[n],
                          const double *restrict fine, const double *restrict w)
{
    for (size_t i = 0; i < n / 2; i++)
        for (size_t j = 0; j < m / 2; j++)
            if (j / 3 % 2 == 1)
                half[i][j] =
                    0.5 * (fine[2 * i + 2 * j] + fine[2 * i + 2 * j + 1]);
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < m; j++)
            whole[i][j] += half[i / 2][j / 2] * w[i % 2 * 2 + j % 2];
}

int main(int argc, char **argv)
{
    // In the last one columns go on in the next row: the original loops run.
    static const size_t sizes[][2] = {{4, 1},  {4, 6},  {7, 7}, {10, 7},
                                      {31, 5}, {33, 7}, {12, 9}};

    harness_start(argc, argv);
    harness_fill(weights, 4, sizeof *weights);
    harness_fill(fine, 4 * MOST, sizeof *fine);
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        harness_fill(whole, 7 * MOST, sizeof **whole);
        harness_fill(coarse, MOST * MOST, sizeof *coarse);
        rows(sizes[i][0], sizes[i][1], whole, (void *)coarse, fine, weights);
        dump_double("whole", whole[0], 7 * MOST);
        dump_double("coarse", coarse, MOST * MOST);
    }
    return harness_end();
}
