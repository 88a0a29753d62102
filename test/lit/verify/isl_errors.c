// Each allocation of isl that the plugin's C++ code asks for may fail: then the
// loops stay as they are, with a remark, and compute what they should.  What is
// looked at: copies that run ahead, a loop over time on the host, a condition at
// run time, and two nests of a function: the first has been offloaded already
// when the second is.
//
// REQUIRES: mutate
// RUN: %clang -O1 -Xclang -disable-llvm-passes -gline-tables-only -S \
// RUN:   -ffp-contract=off -emit-llvm %s -o %t.ll
// RUN: %clang -O1 -DMAIN -I%programs -c %s -o %t.main.o
// RUN: %clang -O1 %t.ll %t.main.o %harness -lm -o %t.ref
// RUN: %python %S/isl_errors.py %t %if all %{300%} %else %{10%} \
// RUN:   %clang_gpu -O1 -mllvm -gpu-offload -mllvm -gpu-targets=emulated \
// RUN:   -Rpass=gpu-polyhedral -Rpass-missed=gpu-polyhedral \
// RUN:   %t.main.o %harness

void between(void);
void sums(int n, int m, float *restrict y, float a[n][m], float *restrict x);
void sweeps(int n, int t, float *restrict a, float *restrict b);
void apart(int n, int m, float *to, float (*from)[m]);
void twice(int n, double *restrict a, double *restrict b);

#ifndef MAIN
void sums(int n, int m, float *restrict y, float a[n][m], float *restrict x)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            y[i] += a[i][j] * x[j];
}

void sweeps(int n, int t, float *restrict a, float *restrict b)
{
    for (int s = 0; s < t; s++) {
        for (int i = 1; i < n - 1; i++)
            b[i] = a[i - 1] + a[i + 1];
        for (int i = 1; i < n - 1; i++)
            a[i] = b[i] * 0.5f;
    }
}

/* They may overlap, and m may be less than 4. */
void apart(int n, int m, float *to, float (*from)[m])
{
    for (int i = 0; i < n; i++)
        to[i] = 2 * from[i][3];
}

void twice(int n, double *restrict a, double *restrict b)
{
    for (int i = 0; i < n; i++)
        a[i] += b[n - 1 - i];
    between();
    for (int i = 0; i < n; i++)
        b[i] -= 3 * a[i];
}

#else
#include "harness.h"

enum { N = 37, M = 141, STEPS = 5 };

static float a[N][M], b[M], c[N], d[N], e[N], f[N];
static double g[N], h[N];

void between(void)
{
    h[0] = 7;
}

int main(int argc, char **argv)
{
    harness_start(argc, argv);
    harness_fill(a, N * M, sizeof(float));
    harness_fill(b, M, sizeof(float));
    harness_fill(c, N, sizeof(float));
    harness_fill(d, N, sizeof(float));
    harness_fill(g, N, sizeof(double));
    harness_fill(h, N, sizeof(double));
    harness_poison(e, N, sizeof(float));
    harness_poison(f, N, sizeof(float));
    sums(N, M, c, a, b);
    sweeps(N, STEPS, d, e);
    apart(N, M, f, a);
    twice(N, g, h);
    harness_dump("c", c, N, sizeof(float));
    harness_dump("d", d, N, sizeof(float));
    harness_dump("e", e, N, sizeof(float));
    harness_dump("f", f, N, sizeof(float));
    harness_dump("g", g, N, sizeof(double));
    harness_dump("h", h, N, sizeof(double));
    return harness_end();
}
#endif
