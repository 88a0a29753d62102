// In the waves of tiles of the first nest isl makes one loop of statements with a
// stride of 5 and others that run for other values of "wanted" only: it took these
// to have an offset in common, and out[1] = grid[2][2] ran before out[1] =
// grid[0][1].
//
// RUN: %gpu_cc -mfma %s %harness -o %t.gpu \
// RUN:     -Rpass=gpu-polyhedral -Rpass-missed=gpu-polyhedral 2>&1 | \
// RUN:     %FileCheck --check-prefix=REMARK --implicit-check-not=error %s
// RUN: %ref_cc %s %harness -o %t.ref
// RUN: %run_ref %t.ref
// RUN: %run_auto %t.gpu 2>&1 | %FileCheck %s
// RUN: cmp %t.ref.dump %t.gpu.dump
//
// REMARK: loops offloaded as 2 kernels: steps_{{[0-9]+}}_0 (1 parallel dimension, block 64x1x1, in waves of tiles)
// CHECK: scop steps {{.*}} runs=7 declined=0 failed=0
#include "exec.h"

static signed char grid[8][3], out[8];

NOINLINE static void steps(int n, int last, int wanted, signed char (*g)[3],
                           signed char *restrict o)
{
    for (int t = 0; t < last; t++) {
        for (int i = 2; i < n - 2; i++)
            g[(t + 1) % 2][i] = (unsigned)g[t % 2][i - 2];
        for (int i = 0; i < n; i++) {
            if (wanted) {
                o[i] = g[i][t];
                o[1] = g[i][i];
            }
            o[i] = (unsigned)g[0][i];
        }
    }
}

int main(int argc, char **argv)
{
    static const int cases[][3] = {{3, 3, 6},  {3, 2, -1}, {2, 3, 1}, {3, 2, 7},
                                   {3, 17, 0}, {5, 6, 0},  {3, 3, 0}};

    harness_start(argc, argv);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        random_bits(grid, sizeof grid);
        poison(out, sizeof out);
        steps(cases[i][0], cases[i][1], cases[i][2], grid, out);
        dump("grid", grid, sizeof grid);
        dump("out", out, sizeof out);
    }
    return harness_end();
}
