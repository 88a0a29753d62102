// A time loop with a norm that the host reads after each step: the arrays stay on
// the device, only the norm comes to the host.  With a NaN the loops of the norm
// run again, on the host.
//
// RUN: %ref_cc -ffp-contract=off %s %harness -o %t.ref
// RUN: %run_ref %t.ref
// RUN: %gpu_cc -ffp-contract=off %s %harness -o %t.gpu
// RUN: %run_gpu %t.gpu 2>&1 | %FileCheck %s
// RUN: cmp %t.ref.dump %t.gpu.dump
// RUN: %run_faults
//
// 12 times two numbers and a flag, and at the end each array once.
//
// CHECK-DAG: polygpu: scop steps {{.*}} runs=12 declined=0 failed=0 {{.*}}bytes_out=240
// CHECK-DAG: polygpu: scop steps {{.*}} runs=12 declined=0 failed=0 {{.*}}bytes_out=2704
// CHECK-DAG: polygpu: scop broken {{.*}} runs=2 declined=0 failed=0
#include "exec.h"

#include <math.h>

enum { N = 15, STEPS = 12 };

static double a[N][N], b[N][N], norms[STEPS], others[2];

NOINLINE static int steps(double u[N][N], double v[N][N], double *norm)
{
    int least = 0;

    for (int t = 0; t < STEPS; t++) {
        double m = 0;

        for (int i = 1; i < N - 1; i++)
            for (int j = 1; j < N - 1; j++)
                v[i][j] = 0.25 * (u[i - 1][j] + u[i + 1][j] + u[i][j - 1] +
                                  u[i][j + 1]);
        for (int i = 1; i < N - 1; i++)
            for (int j = 1; j < N - 1; j++) {
                double d = fabs(v[i][j] - u[i][j]);

                m = m > d ? m : d;
            }
        for (int i = 1; i < N - 1; i++)
            for (int j = 1; j < N - 1; j++)
                u[i][j] = v[i][j];
        norm[t] = m;
        if (m < norm[least])
            least = t;
    }
    return least;
}

NOINLINE static double broken(double u[N][N])
{
    double m = -1;

    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            m = m > u[i][j] ? m : u[i][j];
    return m;
}

int main(int argc, char **argv)
{
    int least;

    harness_start(argc, argv);
    harness_fill(a, (size_t)N * N, sizeof **a);
    poison(b, sizeof b);
    poison(norms, sizeof norms);
    least = steps(a, b, norms);
    others[0] = broken(a);
    a[N / 2][3] = NAN;
    others[1] = broken(a);
    dump("a", a, sizeof a);
    dump("b", b, sizeof b);
    dump("norms", norms, sizeof norms);
    dump("others", others, sizeof others);
    dump("least", &least, sizeof least);
    return harness_end();
}
