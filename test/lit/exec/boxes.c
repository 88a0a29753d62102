// Blocks work on boxes of arrays in shared memory: what they write goes back,
// exactly that, and what they only read does not. One launch each; the copies
// between memory and shared memory are in KERNELS. (scripts/mutate takes this with
// boxes, and by the order of words below not also without.)
//
// RUN: %gpu_cc -mllvm -gpu-print-kernels %s %harness -o %t.gpu 2> %t.kernels
// RUN: %FileCheck --check-prefix=KERNELS --input-file=%t.kernels %s
// RUN: %ref_cc %s %harness -o %t.ref
// RUN: %run_ref %t.ref
// RUN: %run_gpu %t.gpu 2>&1 | %FileCheck %s
// RUN: cmp %t.ref.dump %t.gpu.dump
//
// Several boxes of a block, blocks of one warp, asynchronous copies:
//
// RUN: %gpu_cc -mllvm -gpu-arch=sm_80 %s %harness -o %t.gpu \
// RUN:   -mllvm '-gpu-sizes={ kernel[i] -> tile[2]; kernel[i] -> block[32]; kernel[i] -> grid[2] }'
// RUN: %run_gpu %t.gpu 2>&1 | %FileCheck %s
// RUN: cmp %t.ref.dump %t.gpu.dump
//
// Also where it does not pay, and never:
//
// RUN: %gpu_cc -mllvm -gpu-print-kernels %s %harness -o %t.gpu \
// RUN:   -mllvm -gpu-promotion=all 2> %t.kernels
// RUN: %FileCheck --check-prefix=ALL --input-file=%t.kernels %s
// RUN: %run_gpu %t.gpu 2>&1 | %FileCheck %s
// RUN: cmp %t.ref.dump %t.gpu.dump
// RUN: %gpu_cc -mllvm -gpu-print-kernels %s %harness -o %t.gpu \
// RUN:   -mllvm -gpu-promotion=off 2> %t.kernels
// RUN: %FileCheck --check-prefix=OFF --input-file=%t.kernels %s
// RUN: %run_gpu %t.gpu 2>&1 | %FileCheck %s
// RUN: cmp %t.ref.dump %t.gpu.dump
//
// OFF-NOT: __shared__
// CHECK-COUNT-8: polygpu: kernel {{.*}} launches=1
// CHECK-NOT: polygpu: kernel
#include "exec.h"

enum { B = 7, T = 3, N = 45, M = 130 };

static double lu[B][N][N], a[B][M], b[B][M], x[B][N], l[N][N];
static float c[B][M], d[M], e[B][2 * N + 2], g[B][M], h[B][M], w[B][3][N + 1];
static int k[B][M];

// KERNELS-LABEL: void factors_
// KERNELS: copy shared0_lu = lu[b0 .. +1][0 .. +45][0 .. +45];
// KERNELS: copy lu[b0 .. +1][0 .. +45][0 .. +45] = shared0_lu; /* all there if 0, else where e1 >= 1 */
NOINLINE static void factors(int batch)
{
    for (int p = 0; p < batch; p++)
        for (int s = 0; s < N; s++) {
            for (int i = s + 1; i < N; i++)
                lu[p][i][s] /= lu[p][s][s];
            for (int i = s + 1; i < N; i++)
                for (int j = s + 1; j < N; j++)
                    lu[p][i][j] -= lu[p][i][s] * lu[p][s][j];
        }
}

// What is read once by a block is not copied.
// KERNELS-LABEL: void solve_
// KERNELS: copy shared0_x = x[b0 .. +1][0 .. +45];
// KERNELS: shared0_x[0][t0 + c1 + 1] = fma(-l[t0 + c1 + 1][c1], shared0_x[0][c1], shared0_x[0][t0 + c1 + 1]);
// KERNELS: copy x[b0 .. +1][0 .. +45] = shared0_x; /* all there if 0, else where e1 >= 1 */
NOINLINE static void solve(int batch)
{
    for (int p = 0; p < batch; p++)
        for (int s = 0; s < N; s++)
            for (int i = s + 1; i < N; i++)
                x[p][i] -= l[i][s] * x[p][s];
}

// Other elements for each block.
// KERNELS-LABEL: void staircase_
// KERNELS: copy shared0_a = a[b0 .. +1][b0 .. +127]; /* all there if b0 == 0, else where e1 <= 126 */
// KERNELS: copy a[b0 .. +1][b0 .. +127] = shared0_a; /* {{.*}} e1 >= i0 + 1 {{.*}}, i0 = b0 */
NOINLINE static void staircase(int batch, int steps)
{
    for (int p = 0; p < batch; p++)
        for (int t = 0; t < steps; t++) {
            for (int i = 0; i < 126; i++)
                if (i >= p)
                    b[p][i] = a[p][i] + a[p][i + 1];
            for (int i = 0; i < 126; i++)
                if (i >= p)
                    a[p][i + 1] = 0.5 * b[p][i];
        }
}

// Two groups of references to one array, and one that is only read.
// KERNELS-LABEL: void halves_
// KERNELS-COUNT-2: __shared__ float shared{{[01]}}_c[1][60];
// KERNELS: __shared__ float shared2_d[61];
// KERNELS-NOT: copy d
NOINLINE static void halves(int batch, int steps)
{
    for (int p = 0; p < batch; p++)
        for (int t = 0; t < steps; t++) {
            for (int i = 0; i < 60; i++)
                c[p][i] = c[p][i + 64] * d[59 - i];
            for (int i = 0; i < 60; i++)
                c[p][i + 64] = c[p][59 - i] * d[i] - d[i + 1];
        }
}

// Groups between each other share a box.
// KERNELS-LABEL: void red_black_
// KERNELS: copy shared0_e = e[b0 .. +1][0 .. +89]; /* all there if 0, else where {{.*}} % 2
// KERNELS: copy e[b0 .. +1][0 .. +89] = shared0_e; /* all there if 0, else where e1 >= 1 && e1 <= 87 */
// KERNELS-NOT: shared1
NOINLINE static void red_black(int batch, int steps)
{
    for (int p = 0; p < batch; p++)
        for (int t = 0; t < steps; t++) {
            for (int i = 0; i < N - 1; i++)
                e[p][2 * i + 1] = (e[p][2 * i] + e[p][2 * i + 2]) / 2;
            for (int i = 1; i < N - 1; i++)
                e[p][2 * i] = (e[p][2 * i - 1] + e[p][2 * i + 1]) / 2;
        }
}

// How much is used is only known when it runs; the box is the row.
// KERNELS-LABEL: void unknown_
// KERNELS: copy shared0_g = g[b0 .. +1][1 .. +129]; /* all there if n == 130, else where
NOINLINE static void unknown(int batch, int steps, int n)
{
    for (int p = 0; p < batch; p++)
        for (int t = 0; t < steps; t++) {
            for (int i = 1; i < n; i++)
                h[p][i] = g[p][n - i] * 0.5f + g[p][i];
            for (int i = 1; i < n; i++)
                g[p][i] = h[p][n - i];
        }
}

// Bits.
// KERNELS-LABEL: void integers_
// KERNELS: copy shared0_k = k
NOINLINE static void integers(int batch, int steps)
{
    for (int p = 0; p < batch; p++)
        for (int t = 0; t < steps; t++) {
            for (int i = 0; i < M / 2; i++)
                k[p][i] ^= k[p][M - 1 - i] + t;
            for (int i = 0; i < M / 2; i++)
                k[p][M - 1 - i] |= k[p][M / 2 - 1 - i];
        }
}

// Nothing is used again: copies would only cost.
// KERNELS-LABEL: void rarely_
// KERNELS-NOT: __shared__
// ALL-LABEL: void rarely_
// ALL: __shared__ float shared0_w
NOINLINE static void rarely(int batch, int steps)
{
    for (int p = 0; p < batch; p++)
        for (int s = 0; s < steps; s++)
            for (int i = 0; i < N; i++)
                w[p][s + 1][i] = w[p][s][i] + w[p][s][i + 1];
}

int main(int argc, char **argv)
{
    harness_start(argc, argv);
    for (int i = 0; i < B * N * N; i++)
        lu[0][0][i] = harness_random() / N + (i % (N + 1) == 0);
    for (int i = 0; i < N * N; i++)
        l[0][i] = harness_random() / N;
    for (int i = 0; i < B * N; i++)
        x[0][i] = harness_random();
    for (int i = 0; i < B * M; i++) {
        a[0][i] = harness_random();
        c[0][i] = (float)harness_random();
        g[0][i] = (float)harness_random();
    }
    for (int i = 0; i < B * 3 * (N + 1); i++)
        w[0][0][i] = (float)harness_random();
    for (int i = 0; i < M; i++)
        d[i] = (float)harness_random();
    for (int i = 0; i < B * (2 * N + 2); i++)
        e[0][i] = (float)harness_random();
    random_bits(k, sizeof k);
    poison(b, sizeof b);
    poison(h, sizeof h);
    factors(B);
    solve(B);
    staircase(B, T);
    halves(B, T);
    red_black(B, T);
    unknown(B, T, 77);
    integers(B, T);
    rarely(B, T - 1);
    dump("lu", lu, sizeof lu);
    dump("x", x, sizeof x);
    dump("a", a, sizeof a);
    dump("b", b, sizeof b);
    dump("c", c, sizeof c);
    dump("e", e, sizeof e);
    dump("g", g, sizeof g);
    dump("h", h, sizeof h);
    dump("k", k, sizeof k);
    dump("w", w, sizeof w);
    return harness_end();
}
