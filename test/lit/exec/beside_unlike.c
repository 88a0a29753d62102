// Nests that take one array for rows of a constant length, rows of a parameter,
// and one long row: there is no model of all of them together, and each is
// offloaded by itself, also inside of a loop in time.
//
// RUN: %gpu_cc -mfma %s %harness -o %t.gpu -Rpass=gpu-polyhedral \
// RUN:     -Rpass-missed=gpu-polyhedral > %t.remarks 2>&1
// RUN: %FileCheck --check-prefix=REMARK %s < %t.remarks
// RUN: %ref_cc %s %harness -o %t.ref
// RUN: %run_ref %t.ref
// RUN: %run_gpu %t.gpu 2>&1 | %FileCheck %s
// RUN: cmp %t.ref.dump %t.gpu.dump
// RUN: env POLYGPU_DUMP=%t.gpu.dump POLYGPU_DEVICE=emulated POLYGPU_COST=off \
// RUN:     POLYGPU_FAULT=launch:1 %t.gpu 2>&1 | \
// RUN:     %FileCheck --check-prefix=FAULT %s
// RUN: cmp %t.ref.dump %t.gpu.dump
//
// REMARK-DAG: loops offloaded as 1 kernel: nests_[[#A:]]_0 (2 parallel
// REMARK-DAG: loops offloaded as 1 kernel: nests_[[#A+3]]_0 (2 parallel
// REMARK-DAG: loops offloaded as 1 kernel: nests_[[#A+6]]_0 (1 parallel
// REMARK-DAG: loops offloaded as 1 kernel: steps_[[#A+16]]_0 (2 parallel
// REMARK-DAG: loops offloaded as 1 kernel: steps_[[#A+19]]_0 (2 parallel
// CHECK-COUNT-3: kernel nests_{{[0-9]+}}_0 device=emulated launches=3
// CHECK-COUNT-2: kernel steps_{{[0-9]+}}_0 device=emulated launches=12
// FAULT: injected fault: launch number 1 failed
#include "exec.h"

enum { ROWS = 30, COLUMNS = 40, ALL = ROWS * COLUMNS };

static float a[ALL], b[ALL];

NOINLINE static void nests(int n, int m, int k, float *restrict a,
                           const float *restrict b)
{
    float (*rows)[COLUMNS] = (float (*)[COLUMNS])a;

    for (int i = 1; i < n - 1; i++)
        for (int j = 1; j < COLUMNS - 1; j++)
            rows[i][j] = 2 * b[j] + i;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            a[i * m + j] += 0.5f * b[j];
    for (int i = 0; i < k; i++)
        a[i] *= 0.75f;
}

NOINLINE static void steps(int t, int n, int m, float *restrict a,
                           const float *restrict b)
{
    float (*rows)[COLUMNS] = (float (*)[COLUMNS])a;

    for (int s = 0; s < t; s++) {
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < COLUMNS - 1; j++)
                rows[i][j] = 0.5f * rows[i][j] + b[j];
        for (int i = 0; i < n; i++)
            for (int j = 0; j < m; j++)
                a[i * m + j] -= 0.125f * b[i * m + j];
    }
}

HOST void run(int n, int m, int k)
{
    harness_fill(a, ALL, sizeof *a);
    harness_fill(b, ALL, sizeof *b);
    nests(n, m, k, a, b);
    dump("nests", a, sizeof a);
    steps(4, n, m, a, b);
    dump("steps", a, sizeof a);
}

int main(int argc, char **argv)
{
    static const int sizes[][3] = {
        {0, 0, 0}, {30, 40, 1200}, {17, 33, 561}, {29, 40, 7}};

    harness_start(argc, argv);
    for (int i = 0; i < 4; i++)
        run(sizes[i][0], sizes[i][1], sizes[i][2]);
    return harness_end();
}
