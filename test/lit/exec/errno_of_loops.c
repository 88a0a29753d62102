// Math calls in loops that are offloaded do not set errno; where the original
// loops have to run instead, they do.
//
// RUN: %ref_cc %s %harness -lm -o %t.ref
// RUN: %run_ref %t.ref
// RUN: %checked_cc -mfma %s %harness -lm -o %t.gpu
// RUN: %run_checked %t.gpu 2>&1 | %FileCheck %s
// RUN: not cmp %t.ref.dump %t.gpu.dump
// RUN: %run_checked POLYGPU=auto POLYGPU_FAULT=launch:1 %t.gpu 2>&1 \
// RUN:   | %FileCheck --check-prefix=FAILED %s
// RUN: cmp %t.ref.dump %t.gpu.dump
// RUN: %run_plain POLYGPU=off %t.gpu
// RUN: cmp %t.ref.dump %t.gpu.dump
//
// CHECK: polygpu: scop roots {{.*}} runs=1 declined=0 failed=0
// CHECK: polygpu: kernel roots_{{.*}} launches=1
// FAILED: polygpu: scop roots {{.*}} runs=0 declined=0 failed=1
#include "exec.h"

#include <errno.h>
#include <math.h>

enum { N = 50 };

static double x[N], y[N];

NOINLINE static void roots(int n)
{
    for (int i = 0; i < n; i++)
        y[i] = sqrt(x[i]) + pow(x[i], 0.5);
}

HOST void inputs(void)
{
    for (int i = 0; i < N; i++)
        x[i] = fabs(harness_random());
    x[N / 2] = -1;
}

int main(int argc, char **argv)
{
    harness_start(argc, argv);
    inputs();
    poison(y, sizeof y);
    errno = 0;
    roots(N);
    dump("errno", &errno, sizeof errno);
    dump_double("y", y, N);
    return harness_end();
}
