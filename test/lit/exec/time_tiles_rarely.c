// Where there are no overlapping tiles: with a loaded schedule, which a saved one is
// without them; and with more tiles than a grid has blocks, as the size of a run says.
//
// RUN: rm -f %t.saved
// RUN: %gpu_cc -mfma -mllvm -gpu-save-schedule=%t.saved %s %harness -o %t.gpu
// RUN: %ref_cc %s %harness -o %t.ref
// RUN: %run_ref %t.ref
// RUN: %run_gpu %t.gpu 2>&1 | %FileCheck --check-prefix=TILES %s
// RUN: cmp %t.ref.dump %t.gpu.dump
//
// TILES: scop line {{.*}} runs=2 declined=0 failed=0
// TILES-NEXT: kernel line_{{.*}} launches=2
// TILES-NEXT: kernel line_{{.*}} launches=0
// TILES-NEXT: kernel line_{{.*}} launches=2
//
// RUN: %gpu_cc -mfma -mllvm -gpu-load-schedule=%t.saved %s %harness -o %t.gpu
// RUN: %run_gpu %t.gpu 2>&1 | %FileCheck --check-prefix=LOADED %s
// RUN: cmp %t.ref.dump %t.gpu.dump
//
// LOADED: scop line {{.*}} runs=2 declined=0 failed=0
// LOADED-NEXT: kernel line_{{.*}} launches=0
// LOADED-NEXT: kernel line_{{.*}} launches=0
// LOADED-NEXT: kernel line_{{.*}} launches=0
// LOADED-NEXT: kernel line_{{[0-9]+}}_0_grid {{.*}}launches=2
//
// Tiles of 8 elements, 32,768 of which have 262,144:
//
// RUN: %gpu_cc -mfma -mllvm '-gpu-sizes={ kernel[i] -> time[2,8] }' %s %harness \
// RUN:   -o %t.gpu
// RUN: %run_plain POLYGPU_DEVICE=emulated POLYGPU_COST=off POLYGPU_PROFILE=lines \
// RUN:   POLYGPU_SEED=5 POLYGPU_DUMP=%t.few.dump %t.gpu 2>&1 \
// RUN:   | %FileCheck --check-prefix=MANY %s
// RUN: %run_plain POLYGPU_SEED=5 POLYGPU_DUMP=%t.ref.dump %t.ref
// RUN: cmp %t.ref.dump %t.few.dump
//
// MANY: scop line {{.*}} runs=1 declined=1 failed=0
// MANY-NEXT: kernel line_{{.*}} launches=2
// MANY-NEXT: kernel line_{{.*}} launches=1
#include "exec.h"

#include <stdlib.h>

NOINLINE static void line(int t, int n, float *restrict a, float *restrict b)
{
    for (int s = 0; s < t; s++) {
        for (int i = 1; i < n - 1; i++)
            b[i] = (a[i - 1] + a[i] + a[i + 1]) / 3;
        for (int i = 1; i < n - 1; i++)
            a[i] = b[i];
    }
}

int main(int argc, char **argv)
{
    enum { MANY = 300000 };
    float *a = harness_alloc(MANY, sizeof *a);
    float *b = harness_alloc(MANY, sizeof *b);

    harness_start(argc, argv);
    harness_fill(a, MANY, sizeof *a);
    harness_fill(b, MANY, sizeof *b);
    line(5, 5000, a, b);
    line(5, MANY, a, b);
    dump_float("a", a, MANY);
    dump_float("b", b, MANY);
    free(a);
    free(b);
    return harness_end();
}
