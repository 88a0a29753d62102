// A time loop with a call that nobody can see into: arrays move in each step, and
// the profile says for whom.
//
// RUN: %ref_cc %s %harness -o %t.ref
// RUN: %run_ref %t.ref
// RUN: %gpu_cc %s %harness -o %t.gpu
// RUN: %run_gpu %t.gpu 2>&1 | %FileCheck %s
// RUN: cmp %t.ref.dump %t.gpu.dump
// RUN: %run_faults
// RUN: env POLYGPU=mandatory POLYGPU_DEVICE=emulated POLYGPU_PROFILE=1 \
// RUN:   %run_plain %t.gpu 2>&1 | %FileCheck %s --check-prefix=TABLE
// RUN: env POLYGPU=mandatory POLYGPU_DEVICE=emulated POLYGPU_PROFILE=%t.json \
// RUN:   %run_plain %t.gpu
// RUN: %FileCheck %s --check-prefix=TRACE < %t.json
//
// CHECK: scop step {{.*}} runs=5 declined=0 failed=0 bytes_in=8000 bytes_out=8000 {{.*}} bytes_kept=0
// TABLE: touches of the host: 6, which made 8.00 kB on the device invalid and brought 8.01 kB from it
// TABLE-NEXT: touches: most bytes by simulate at {{.*}}resident_unknown.c:[[@LINE+27]], 5 times: 8.00 kB invalid, 8.00 kB brought
// TRACE-COUNT-5: "brought_bytes":1600,"place":"simulate at {{.*}}resident_unknown.c:[[@LINE+26]]"
#include "exec.h"

enum { N = 200 };

static double a[N];

HOST void look(void) { a[7] += 1; }
static void (*volatile hook)(void) = look;

NOINLINE static void step(double *x)
{
    for (int i = 0; i < N; i++)
        x[i] = x[i] * 0.5 + 1;
}

NOINLINE static void last(double *x)
{
    for (int i = 0; i < N; i++)
        x[i] *= 0.25;
}

APART void simulate(double *x, int steps)
{
    for (int t = 0; t < steps; t++) {
        step(x);
        hook();
    }
    last(x);
    if (x[3] > 5)
        x[4] = 0;
}

int main(int argc, char **argv)
{
    harness_start(argc, argv);
    harness_fill(a, N, sizeof(double));
    simulate(a, 5);
    dump_double("a", a, N);
    return harness_end();
}
