// Loops around launches in one kernel whose blocks are on the device together and
// meet, as the sizes of each run decide; POLYGPU_CHAIN takes one way for all.  Both
// are compared with the sequential program, on the checked device, which has eight
// blocks at once and looks for races between any two places where they meet.
//
// RUN: %gpu_cc -mfma %s %harness -o %t.gpu
// RUN: %ref_cc %s %harness -o %t.ref
// RUN: %run_ref %t.ref
// RUN: %run_gpu %t.gpu 2>&1 | %FileCheck --check-prefix=AUTO %s
// RUN: cmp %t.ref.dump %t.gpu.dump
// RUN: %run_gpu POLYGPU_CHAIN=on %t.gpu 2>&1 | %FileCheck --check-prefix=ON %s
// RUN: cmp %t.ref.dump %t.gpu.dump
// RUN: %run_gpu POLYGPU_CHAIN=off %t.gpu 2>&1 | %FileCheck --check-prefix=OFF %s
// RUN: cmp %t.ref.dump %t.gpu.dump
//
// A launch takes 250 ms at most, by the model: where a meeting takes 5 ms, 50 of
// them.
//
// RUN: %run_gpu POLYGPU_CHAIN=on POLYGPU_COST=meet=5000 %t.gpu 2>&1 \
// RUN:   | %FileCheck --check-prefix=PIECES %s
// RUN: cmp %t.ref.dump %t.gpu.dump
//
// Where meeting costs more than launching, they stay launches, and where a launch
// has work for long.
//
// RUN: %run_gpu POLYGPU_COST=meet=4 %t.gpu 2>&1 \
// RUN:   | %FileCheck --check-prefix=OFF %s
// RUN: %run_gpu POLYGPU_COST=gpu=0.01 %t.gpu 2>&1 \
// RUN:   | %FileCheck --check-prefix=OFF %s
//
// Without the places where blocks meet the device finds what is read too early, and
// so does the PTX machine, which has four blocks at once.
//
// RUN: %gpu_cc -mfma -mllvm -gpu-mutate=meet:all \
// RUN:   -mllvm -gpu-verify=off %s %harness -o %t.bad
// RUN: not env POLYGPU_CHAIN=on POLYGPU_DEVICE=emulated POLYGPU=mandatory \
// RUN:   %t.bad %t.bad.dump 2>&1 | %FileCheck --check-prefix=RACE %s
// RUN: not env POLYGPU_CHAIN=on POLYGPU_DEVICE=cuda LD_LIBRARY_PATH=%build/ptx \
// RUN:   POLYGPU=mandatory %t.bad %t.bad.dump 2>&1 | %FileCheck --check-prefix=PTX %s
//
// And without the option there are none.
//
// RUN: %gpu_cc -mfma -mllvm -gpu-time=off %s %harness -o %t.none
// RUN: %run_gpu POLYGPU_CHAIN=on %t.none 2>&1 | %FileCheck --check-prefix=NONE %s
//
// AUTO: scop rows {{.*}} runs=2 declined=0 failed=0
// AUTO: kernel rows_{{[0-9]+}}_0 {{.*}}launches=0
// AUTO: kernel rows_{{[0-9_]+}}_grid {{.*}}launches=2
// AUTO: scop columns {{.*}} runs=2 declined=0 failed=0
// AUTO: kernel columns_{{[0-9_]+}}_grid {{.*}}launches=2
// AUTO: scop backwards {{.*}} runs=2 declined=0 failed=0
// AUTO: kernel backwards_{{[0-9_]+}}_grid {{.*}}launches=2
//
// ON: kernel rows_{{[0-9_]+}}_grid {{.*}}launches=2
// ON: kernel columns_{{[0-9_]+}}_grid {{.*}}launches=2
// ON: kernel backwards_{{[0-9_]+}}_grid {{.*}}launches=2
//
// OFF-NOT: _grid
// OFF: kernel rows_{{[0-9]+}}_0 {{.*}}launches=60
// OFF-NOT: _grid
//
// PIECES: kernel rows_{{[0-9_]+}}_grid {{.*}}launches=5
//
// RACE: checked kernel rows_{{[0-9_]+}}_grid: r[{{[0-9]+}}]
//
// PTX: kernel rows_{{[0-9_]+}}_grid{{.*}} block {{[0-3]}},0,0 in the same launch
//
// NONE-NOT: _grid
#include "exec.h"

#include <stdlib.h>

/* In each step sums of rows, what uses them anywhere, and a stencil. */
NOINLINE static void rows(int steps, int n, int m, double (*restrict a)[m],
                          double (*restrict b)[m], double *restrict r)
{
    for (int t = 0; t < steps; t++) {
        for (int i = 0; i < n; i++) {
            r[i] = 0;
            for (int j = 0; j < m; j++)
                r[i] += a[i][j] * 0.25;
        }
        for (int i = 0; i < n; i++)
            for (int j = 0; j < m; j++)
                b[i][j] = a[i][j] * 0.5 + r[n - 1 - i] * 0.125;
        for (int i = 1; i < n - 1; i++)
            for (int j = 1; j < m - 1; j++)
                a[i][j] = (b[i - 1][j] + b[i][j - 1] + b[i][j + 1]) / 3;
    }
}

/* Orthogonal columns: each has one thread's sum, a row and a part of the plane,
 * which get fewer. */
NOINLINE static void columns(int n, int m, double (*restrict a)[m],
                             double (*restrict q)[m], double (*restrict r)[m])
{
    for (int k = 0; k < m; k++) {
        double norm = 0;

        for (int i = 0; i < n; i++)
            norm += a[i][k] * a[i][k];
        r[k][k] = norm / 16 + 1;
        for (int i = 0; i < n; i++)
            q[i][k] = a[i][k] / r[k][k];
        for (int j = k + 1; j < m; j++) {
            r[k][j] = 0;
            for (int i = 0; i < n; i++)
                r[k][j] += q[i][k] * a[i][j];
            for (int i = 0; i < n; i++)
                a[i][j] -= q[i][k] * r[k][j];
        }
    }
}

/* Every other step, from the last one on, some with less to do. */
NOINLINE static void backwards(int steps, int n, double (*restrict a)[n],
                               double (*restrict b)[n])
{
    for (int t = steps; t > 3; t -= 2) {
        if (t % 3 == 0)
            for (int i = 0; i < n; i++)
                for (int j = 0; j < n; j++)
                    b[i][j] = a[n - 1 - i][j] + t;
        for (int i = 0; i < n - 1; i++)
            for (int j = 0; j < n - t % 5; j++)
                a[i][j] = a[i][j] * 0.5 + b[j][i + 1];
    }
}

NOINLINE static void all(int steps, int n, int m)
{
    size_t size = (size_t)(n > m ? n : m) * (size_t)(n > m ? n : m);
    double *a = harness_alloc(size, sizeof *a);
    double *b = harness_alloc(size, sizeof *b);
    double *c = harness_alloc(size, sizeof *c);

    harness_fill(a, size, sizeof *a);
    harness_fill(b, size, sizeof *b);
    harness_fill(c, size, sizeof *c);
    rows(steps, n, m, (void *)a, (void *)b, c);
    columns(n, m, (void *)a, (void *)b, (void *)c);
    backwards(steps, m, (void *)a, (void *)b);
    dump_double("a", a, size);
    dump_double("b", b, size);
    dump_double("c", c, size);
    free(a);
    free(b);
    free(c);
}

int main(int argc, char **argv)
{
    harness_start(argc, argv);
    all(20, 37, 75);
    all(40, 150, 19);
    return harness_end();
}
