// A flag that iterations hand on, that goes on behind the loops, or that other
// loops use, is a byte on host and device; what else the loops do is parallel.
//
// RUN: %gpu_cc -mfma %s %harness -o %t.gpu -Rpass=gpu-polyhedral 2>&1 | \
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
// REMARK-DAG: loops offloaded as 2 kernels: any_{{.*}} (1 parallel
// REMARK-DAG: loops offloaded as 2 kernels: toggled_{{.*}} (1 parallel
// CHECK: scop any {{.*}} runs=12 declined=0 failed=0
// CHECK: kernel any_{{[0-9]+}}_1 device=emulated launches=9
// CHECK: scop toggled {{.*}} runs=12 declined=0 failed=0
// CHECK: kernel toggled_{{[0-9]+}}_1 device=emulated launches=9
// FAULT: injected fault: launch number 1 failed
#include "exec.h"

#include <stdbool.h>

enum { MOST = 1000 };

static int a[MOST];
static float b[MOST], c[MOST];

NOINLINE static bool any(int n, int limit, const int *restrict a,
                         float *restrict b, const float *restrict c, bool start)
{
    bool found = start;

    for (int i = 0; i < n; i++) {
        b[i] = 2 * c[i];
        found = !found && a[i] > limit ? true : found;
    }
    return found;
}

NOINLINE static void toggled(int n, const int *restrict a, float *restrict b,
                             const float *restrict c, bool *restrict out,
                             bool start)
{
    bool found = start;

    for (int i = 0; i < n; i++) {
        b[i] = found ? 2 * c[i] : c[i];
        found ^= a[i] & 1;
    }
    *out = found;
    for (int i = 0; i < n; i++)
        b[i] += found ? 0.5f : c[i];
}

HOST void run(int n)
{
    // None, one, almost all are above the limit.
    static const int limits[] = {0x7fffffff, 5, 0};

    for (int k = 0; k < 3; k++) {
        bool found[2];

        harness_fill(a, MOST, sizeof *a);
        harness_fill(c, MOST, sizeof *c);
        for (int i = 0; i < MOST; i++)
            a[i] = a[i] / 4 & 0x7ffff;
        poison(b, sizeof b);
        poison(found, sizeof found);
        found[0] = any(n, limits[k], a, b, c, k == 1);
        dump("b of any", b, sizeof b);
        toggled(n, a, b, c, &found[1], k == 2);
        dump("b of toggled", b, sizeof b);
        dump("flags", found, sizeof found);
    }
}

int main(int argc, char **argv)
{
    static const int sizes[] = {0, 1, 33, MOST};

    harness_start(argc, argv);
    for (int i = 0; i < 4; i++)
        run(sizes[i]);
    return harness_end();
}
