// A truth value that a loop does not change is a parameter: where it does not
// hold nothing is known of what would be read under it, and nothing of that is
// copied.
//
// RUN: %gpu_cc %s %harness -o %t.gpu
// RUN: %ref_cc %s %harness -o %t.ref
// RUN: %run_ref %t.ref
// RUN: %run_auto %t.gpu 2>&1 | %FileCheck %s
// RUN: cmp %t.ref.dump %t.gpu.dump
//
// With the condition, and without and a place outside of memory.
// CHECK-DAG: polygpu: scop planes {{.*}} runs=2 declined=0 failed=0
// CHECK-DAG: polygpu: scop scaled {{.*}} runs=2 declined=0 failed=0
// CHECK-DAG: polygpu: scop read_first {{.*}} runs=2 declined=0 failed=0
// CHECK-DAG: polygpu: scop several {{.*}} runs=3 declined=0 failed=0
// CHECK-DAG: polygpu: scop two_loops {{.*}} runs=2 declined=0 failed=0
#include "exec.h"
#include <stdbool.h>

enum { N = 300, Far = 1600000000 };

static float tuple[N];
static double sum[N];

NOINLINE static void planes(int n, const float *t, bool have, unsigned k,
                            double *s)
{
    for (int i = 0; i < n; i++) {
        double o;
        if (have && (unsigned)i != k)
            o = t[k] / 3.0;
        else
            o = 1;
        s[i] += o * t[i];
    }
}

NOINLINE static void scaled(int n, const float *t, double beta, int k,
                            double *s)
{
    for (int i = 0; i < n; i++) {
        if (beta != 0 && i > 2)
            s[i] = beta * s[i] + t[k];
        else
            s[i] = t[i];
    }
}

NOINLINE static void read_first(int n, const float *t, const bool *have, int k,
                                double *s)
{
    bool known = *have;
    for (int i = 0; i < n; i++)
        if (known || i == 7)
            s[i] += t[i == 7 ? 7 : k];
}

NOINLINE static void several(int n, const float *t, bool a, bool b, int k,
                             double *s)
{
    for (int i = 0; i < n; i++) {
        if (a != b)
            s[i] += t[k];
        if (a && !b && i < n / 2)
            s[i] += t[k + 1];
        else if (b)
            s[i] -= 1;
    }
}

NOINLINE static void two_loops(int n, const float *t, bool have, int k,
                               double *s)
{
    for (int i = 0; i < n; i++)
        s[i] += t[i];
    for (int i = 0; i < n; i++)
        if (have & (i > 3))
            s[i] *= t[k];
}

int main(int argc, char **argv)
{
    harness_start(argc, argv);
    harness_fill(tuple, N, sizeof(float));
    harness_fill(sum, N, sizeof(double));
    for (int i = 0; i < 2; i++) {
        bool have = i != 0;
        int k = have ? 5 : Far;
        planes(N, tuple, have, (unsigned)k, sum);
        dump("planes", sum, sizeof sum);
        scaled(N, tuple, have ? 0.5 : 0, k, sum);
        dump("scaled", sum, sizeof sum);
        read_first(N, tuple, &have, k, sum);
        dump("read_first", sum, sizeof sum);
        several(N, tuple, true, true, 5, sum);
        several(N, tuple, have, false, k, sum);
        dump("several", sum, sizeof sum);
        two_loops(N, tuple, have, k, sum);
        dump("two_loops", sum, sizeof sum);
    }
    return harness_end();
}
