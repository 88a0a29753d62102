// Indices that are shifted out of floating-point numbers of which nothing is
// known, and such numbers that a loop of data-dependent length gets from
// outside.  And a local array that -g says more of, in loops that may be
// replayed.
//
// RUN: %gpu_cc -mfma -g %s %harness -lm -o %t.gpu
// RUN: %ref_cc %s %harness -lm -o %t.ref
// RUN: %run_ref %t.ref
// RUN: env POLYGPU_DUMP=%t.gpu.dump POLYGPU_DEVICE=emulated POLYGPU_COST=off \
// RUN:     POLYGPU_PROFILE=lines %t.gpu 2>&1 | %FileCheck %s
// RUN: cmp %t.ref.dump %t.gpu.dump
//
// CHECK-DAG: scop roots {{.*}} runs=1 declined=0 failed=0
// CHECK-DAG: scop planes {{.*}} runs=1 declined=0 failed=0
#include "exec.h"

#include <math.h>

enum { N = 3000, L = 40 };

static double x[N], u[L][L][5], w[L][L][5];
static float table[1 << 16], r[N];
static int length[N], h[1 << 22], o[N];

NOINLINE static void roots(int n, const double *restrict a,
                           const float *restrict t, int *restrict to)
{
    for (int i = 0; i < n; i++)
        to[i] = (int)t[((unsigned)(sqrt(a[i]) * 65536.0)) >> 16];
}

NOINLINE static void shifted(int n, const double *restrict a)
{
    for (int i = 0; i < n; i++)
        h[((unsigned)(a[i] * 1000.0)) >> 10]++;
}

NOINLINE static void rows(int n, float s, const int *restrict len)
{
    for (int i = 0; i < n; i++) {
        float a = s * (float)i, sum = 0;

        for (int j = 0; j < len[i]; j++)
            sum += table[(int)(a + (float)j)];
        r[i] = sum;
    }
}

NOINLINE static void planes(void)
{
    double t[5];

    for (int j = 1; j < L - 1; j++)
        for (int i = 1; i < L - 1; i++) {
            t[0] = w[j][i][0];
            t[1] = w[j][i][1] + t[0];
            t[2] = t[1] * t[0];
            t[3] = w[j][i][3] - t[2];
            t[4] = t[3] * 0.5;
            for (int m = 0; m < 5; m++)
                u[j][i][m] = u[j - 1][i][m] * 0.3 + t[m];
        }
}

int main(int argc, char **argv)
{
    harness_start(argc, argv);
    for (int i = 0; i < N; i++) {
        x[i] = harness_random() * 5000;
        length[i] = (int)(harness_random() * 20);
    }
    for (int i = 0; i < 1 << 16; i++)
        table[i] = (float)(harness_random() * 100);
    for (int i = 0; i < L * L * 5; i++)
        (&w[0][0][0])[i] = harness_random();
    roots(N, x, table, o);
    shifted(N, x);
    rows(N, 0.75f, length);
    planes();
    dump("o", o, sizeof o);
    dump("h", h, sizeof h);
    dump("r", r, sizeof r);
    dump("u", u, sizeof u);
    return harness_end();
}
