// A loop whose subscripts are outside of their rows for every size takes no
// neighbours along, neither nests beside it nor loops beside it in one around.
//
// RUN: %gpu_cc -mfma %s %harness -o %t.gpu -Rpass=gpu-polyhedral \
// RUN:     -Rpass-missed=gpu-polyhedral 2>&1 | \
// RUN:     %FileCheck --check-prefix=REMARK %s
// RUN: %ref_cc %s %harness -o %t.ref
// RUN: %run_ref %t.ref
// RUN: %run_gpu %t.gpu 2>&1 | %FileCheck %s
// RUN: cmp %t.ref.dump %t.gpu.dump
// RUN: env POLYGPU_DUMP=%t.gpu.dump POLYGPU_DEVICE=emulated POLYGPU_COST=off \
// RUN:     POLYGPU_FAULT=launch:1 %t.gpu 2>&1 | \
// RUN:     %FileCheck --check-prefix=FAULT %s
// RUN: cmp %t.ref.dump %t.gpu.dump
//
// REMARK-DAG: :35:5: remark: loop not offloaded: a subscript in line 36 is
// REMARK-DAG: :37:5: remark: loops offloaded as 1 kernel: nests_
// REMARK-DAG: :46:9: remark: loops offloaded as 1 kernel: inside_
// REMARK-DAG: :48:9: remark: loop not offloaded: a subscript in line 49 is
// CHECK: scop nests {{.*}} runs=3 declined=0 failed=0
// CHECK: kernel nests_{{[0-9]+}}_0 device=emulated launches=3
// CHECK: scop inside {{.*}} runs=83 declined=0 failed=0
// CHECK: kernel inside_{{[0-9]+}}_0 device=emulated launches=83
// FAULT: injected fault: launch number 1 failed
#include "exec.h"

enum { ROWS = 50, COLUMNS = 40 };

static float a[ROWS][COLUMNS], b[(ROWS + 2) * COLUMNS];

NOINLINE static void nests(int n, int m, int k, float (*restrict a)[COLUMNS],
                           float (*restrict b)[COLUMNS])
{
    // The first two go to the row before.
    for (int i = 0; i < k; i++)
        b[i][i - 2] = b[i + 1][i] + 1;
    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < m - 1; j++)
            a[i][j] = 0.5f * b[i][j] + 0.25f * (b[i][j - 1] + b[i + 1][j]);
}

NOINLINE static void inside(int n, int m, int k, float (*restrict a)[COLUMNS],
                            float (*restrict b)[COLUMNS])
{
    for (int i = 1; i < n; i++) {
        for (int j = 0; j < m; j++)
            a[i][j] = 3 * a[i - 1][j] + b[i][j];
        for (int j = 0; j < k; j++)
            b[j][j - 2] = 0.5f * b[j + 1][j] + a[i][j];
    }
}

int main(int argc, char **argv)
{
    static const int sizes[][3] = {
        {0, 0, 0}, {3, 3, 1}, {50, 40, 40}, {33, 29, 17}};

    harness_start(argc, argv);
    for (int i = 0; i < 4; i++) {
        harness_fill(b, sizeof b / sizeof *b, sizeof *b);
        harness_fill(a, (size_t)ROWS * COLUMNS, sizeof **a);
        nests(sizes[i][0], sizes[i][1], sizes[i][2], a, (void *)(b + COLUMNS));
        dump_float("nests a", a[0], ROWS * COLUMNS);
        dump_float("nests b", b, sizeof b / sizeof *b);
        inside(sizes[i][0], sizes[i][1], sizes[i][2], a, (void *)(b + COLUMNS));
        dump_float("inside a", a[0], ROWS * COLUMNS);
        dump_float("inside b", b, sizeof b / sizeof *b);
    }
    return harness_end();
}
