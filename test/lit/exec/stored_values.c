// A store of what another one in front of it has stored reads that again: what is
// stored in order, b, is a kernel of one thread then, and a is one of all threads.
//
// RUN: %gpu_cc -mfma %s %harness -o %t.gpu
// RUN: %ref_cc %s %harness -o %t.ref
// RUN: %run_ref %t.ref
// RUN: %run_gpu %t.gpu 2>&1 | %FileCheck %s
// RUN: cmp %t.ref.dump %t.gpu.dump
// RUN: env POLYGPU=off POLYGPU_DUMP=%t.gpu.dump %t.gpu
// RUN: cmp %t.ref.dump %t.gpu.dump
// RUN: %run_faults
//
// CHECK-DAG: polygpu: scop carried {{.*}} runs=1 declined=0 failed=0
// CHECK-DAG: polygpu: kernel carried_{{.*}}_0 {{.*}} launches=1 grid={{.*}} block=256,1,1
// CHECK-DAG: polygpu: kernel carried_{{.*}}_1 {{.*}} launches=1 grid=1,1,1 block=1,1,1
// CHECK-DAG: polygpu: scop between {{.*}} runs=1 declined=0 failed=0
// CHECK-DAG: polygpu: kernel between_{{.*}} launches=1 grid={{.*}} block=256,1,1
// CHECK-DAG: polygpu: kernel between_{{.*}} launches=1 grid=1,1,1 block=1,1,1
// CHECK-NOT: polygpu: scop maybe_same
#include "exec.h"

enum { N = 3001 };

static double a[N], b[N], c[N], d[N], e[N];

NOINLINE static void carried(int n, double *restrict a, double *restrict b,
                             const double *restrict c, const double *restrict d)
{
    for (int i = 1; i < n; i++) {
        a[i] += c[i] * d[i];
        b[i] = b[i - 1] + a[i] + d[i];
    }
}

// What is stored twice, with a recurrence between.
NOINLINE static void between(int n)
{
    for (int i = 1; i < n; i++) {
        a[i] += b[i] * c[i];
        e[i] = e[i - 1] * e[i - 1];
        a[i] -= b[i] * c[i] * 0.5;
    }
}

// The second store may overwrite what the first one has stored.
NOINLINE static void maybe_same(int n, double *a, double *restrict b, double *m)
{
    for (int i = 1; i < n; i++) {
        double x = a[i] * 0.5;

        a[i] = x;
        *m = x + 1;
        b[i] = b[i - 1] * 0.25 + x + *m;
    }
}

int main(int argc, char **argv)
{
    harness_start(argc, argv);
    harness_fill(a, N, sizeof *a);
    harness_fill(b, N, sizeof *b);
    harness_fill(c, N, sizeof *c);
    harness_fill(d, N, sizeof *d);
    harness_fill(e, N, sizeof *e);
    carried(N, a, b, c, d);
    dump("a", a, sizeof a);
    dump("b", b, sizeof b);
    between(N - 2);
    dump("a", a, sizeof a);
    dump("e", e, sizeof e);
    maybe_same(N, a, b, &a[17]);
    dump("a", a, sizeof a);
    dump("b", b, sizeof b);
    return harness_end();
}
