// A batch of small problems: blocks run over the batch, threads over the
// loops inside of the time loop, and barriers are between these. One launch
// each, as many as there are functions.
//
// RUN: %gpu_cc %s %harness -mllvm -gpu-print-kernels -o %t.gpu 2> %t.kernels
// RUN: %FileCheck --check-prefix=KERNELS --input-file=%t.kernels %s
// RUN: %ref_cc %s %harness -o %t.ref
// RUN: %run_ref %t.ref
// RUN: %run_gpu %t.gpu 2>&1 | %FileCheck %s
// RUN: cmp %t.ref.dump %t.gpu.dump
//
// KERNELS-COUNT-21: __syncthreads();
// CHECK-COUNT-12: polygpu: kernel {{.*}} launches=1
// CHECK-NOT: polygpu: kernel
#include "exec.h"

enum { B = 5, T = 4, N = 37 };

static double a[10][B][N], b[10][B][N], c[B][N];
static double m[B][N][N], o[B][N][N], q[B][N][N], x[B][N], y[B][N];
static int k[B][N], l[B][N];

NOINLINE static void jacobi(int batch, int steps)
{
    for (int p = 0; p < batch; p++)
        for (int t = 0; t < steps; t++) {
            for (int i = 1; i < N - 1; i++)
                b[0][p][i] = 0.25 * (a[0][p][i - 1] + a[0][p][i + 1]);
            for (int i = 1; i < N - 1; i++)
                a[0][p][i] = b[0][p][i];
        }
}

NOINLINE static void mirrored(int batch, int steps)
{
    for (int p = 0; p < batch; p++)
        for (int t = 0; t < steps; t++) {
            for (int i = 0; i < N; i++)
                b[1][p][i] = a[1][p][N - 1 - i] * 0.5;
            for (int i = 0; i < N; i++)
                a[1][p][i] = b[1][p][i] + 1;
        }
}

NOINLINE static void red_black(int batch, int steps)
{
    for (int p = 0; p < batch; p++)
        for (int t = 0; t < steps; t++) {
            for (int i = 0; i < N / 2; i++)
                a[2][p][2 * i + 1] = (a[2][p][2 * i] + a[2][p][2 * i + 2]) / 2;
            for (int i = 1; i < N / 2; i++)
                a[2][p][2 * i] = (a[2][p][2 * i - 1] + a[2][p][2 * i + 1]) / 2;
        }
}

NOINLINE static void power(int batch, int steps)
{
    for (int p = 0; p < batch; p++)
        for (int t = 0; t < steps; t++) {
            for (int i = 0; i < N; i++) {
                y[p][i] = 0;
                for (int j = 0; j < N; j++)
                    y[p][i] += m[p][i][j] * x[p][j];
            }
            for (int i = 0; i < N; i++)
                x[p][i] = y[p][i];
        }
}

NOINLINE static void column_solve(int batch, int n)
{
    for (int p = 0; p < batch; p++)
        for (int i = 0; i < n; i++) {
            a[3][p][i] = a[3][p][i] / m[p][i][i];
            for (int j = i + 1; j < n; j++)
                a[3][p][j] -= m[p][j][i] * a[3][p][i];
        }
}

NOINLINE static void fields(int batch, int steps)
{
    for (int p = 0; p < batch; p++)
        for (int t = 0; t < steps; t++) {
            for (int i = 1; i < N; i++)
                a[4][p][i] -= 0.5 * (b[4][p][i] - b[4][p][i - 1]);
            for (int i = 0; i < N - 1; i++)
                b[4][p][i] -= 0.7 * (a[4][p][i + 1] - a[4][p][i]);
        }
}

NOINLINE static void three_phases(int batch, int steps)
{
    for (int p = 0; p < batch; p++)
        for (int t = 0; t < steps; t++) {
            for (int i = 1; i < N; i++)
                a[5][p][i] = b[5][p][i - 1] + 0.5;
            for (int i = 0; i < N - 1; i++)
                c[p][i] = a[5][p][i + 1] * 0.75;
            for (int i = 1; i < N; i++)
                b[5][p][i] = c[p][i - 1] - a[5][p][N - i];
        }
}

NOINLINE static void integers(int batch, int steps)
{
    for (int p = 0; p < batch; p++)
        for (int t = 0; t < steps; t++) {
            for (int i = 0; i < N; i++)
                l[p][i] = k[p][N - 1 - i] ^ t;
            for (int i = 0; i < N; i++)
                k[p][i] = l[p][i] | i;
        }
}

NOINLINE static void shifted(int batch, int steps)
{
    for (int p = 0; p < batch; p++)
        for (int t = 0; t < steps; t++) {
            for (int i = 3; i < N; i++)
                b[6][p][i] = a[6][p][i - 3] * 0.9;
            for (int i = 0; i < N - 5; i++)
                a[6][p][i] = b[6][p][i + 5] + a[6][p][i];
        }
}

NOINLINE static void growing(int batch, int n)
{
    for (int p = 0; p < batch; p++)
        for (int t = 1; t < n; t++) {
            for (int i = 0; i < t; i++)
                b[7][p][i] = a[7][p][t - i] * 0.5;
            for (int i = 0; i < t; i++)
                a[7][p][i] = b[7][p][t - 1 - i] + 1;
        }
}

NOINLINE static void wave(int batch, int steps)
{
    for (int p = 0; p < batch; p++)
        for (int t = 0; t < steps; t++) {
            for (int i = 1; i < N - 1; i++)
                b[8][p][i] = a[8][p][i - 1] + a[8][p][i + 1] - b[9][p][i];
            for (int i = 0; i < N; i++)
                b[9][p][i] = a[8][p][i];
            for (int i = 1; i < N - 1; i++)
                a[8][p][i] = b[8][p][N - 1 - i];
        }
}

NOINLINE static void square(int batch, int steps)
{
    for (int p = 0; p < batch; p++)
        for (int t = 0; t < steps; t++) {
            for (int i = 0; i < N; i++)
                for (int j = 0; j < N; j++)
                    o[p][i][j] = q[p][j][i] * 0.5;
            for (int i = 0; i < N; i++)
                for (int j = 0; j < N; j++)
                    q[p][i][j] = o[p][N - 1 - i][j] + 1;
        }
}

int main(int argc, char **argv)
{
    harness_start(argc, argv);
    for (int i = 0; i < 10 * B * N; i++) {
        a[0][0][i] = harness_random();
        b[0][0][i] = harness_random();
    }
    for (int i = 0; i < B * N * N; i++)
        m[0][0][i] = harness_random() / N + (i % (N + 1) == 0);
    for (int i = 0; i < B * N * N; i++)
        q[0][0][i] = harness_random();
    for (int i = 0; i < B * N; i++)
        x[0][i] = harness_random();
    random_bits(k, sizeof k);
    poison(c, sizeof c);
    poison(o, sizeof o);
    poison(y, sizeof y);
    poison(l, sizeof l);
    jacobi(B, T);
    mirrored(B, T);
    red_black(B, T);
    power(B, T);
    column_solve(B, N);
    fields(B, T);
    three_phases(B, T);
    integers(B, T);
    shifted(B, T);
    growing(B, N);
    wave(B, T);
    square(B, T);
    dump("a", a, sizeof a);
    dump("b", b, sizeof b);
    dump("c", c, sizeof c);
    dump("o", o, sizeof o);
    dump("q", q, sizeof q);
    dump("x", x, sizeof x);
    dump("y", y, sizeof y);
    dump("k", k, sizeof k);
    dump("l", l, sizeof l);
    return harness_end();
}
