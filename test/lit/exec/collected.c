// Stores that are not coalesced are collected in shared memory and copied out by
// rows: transposed ones beside others, scans along rows, fields of structures. What
// the program does not write stays what it was, and what a tile reads before it
// writes it comes from memory. Sizes of zero, one, odd ones, and more than a tile.
//
// RUN: %gpu_cc -mllvm -gpu-print-kernels %s %harness -o %t.gpu 2> %t.kernels
// RUN: %FileCheck --check-prefix=KERNELS --input-file=%t.kernels %s
// RUN: %ref_cc %s %harness -o %t.ref
// RUN: %run_ref %t.ref
// RUN: %run_gpu %t.gpu 2>&1 | %FileCheck %s
// RUN: cmp %t.ref.dump %t.gpu.dump
//
// Copies that run ahead, and several tiles of a block:
//
// RUN: %gpu_cc -mllvm -gpu-arch=sm_90 %s %harness -o %t.gpu
// RUN: %run_gpu %t.gpu 2>&1 | %FileCheck %s
// RUN: cmp %t.ref.dump %t.gpu.dump
// RUN: %gpu_cc %s %harness -o %t.gpu \
// RUN:   -mllvm '-gpu-sizes={ kernel[i] -> grid[2] }'
// RUN: %run_gpu %t.gpu 2>&1 | %FileCheck %s
// RUN: cmp %t.ref.dump %t.gpu.dump
//
// CHECK-DAG: scop both {{.*}} failed=0
// CHECK-DAG: kernel both_{{[0-9]+}}_0 {{.*}} launches=4
// CHECK-DAG: kernel strips_{{[0-9]+}}_0 {{.*}} launches=3
// CHECK-DAG: kernel scan_{{[0-9]+}}_0 {{.*}} launches=4
// CHECK-DAG: kernel scan_double_{{[0-9]+}}_0 {{.*}} launches=4
// CHECK-DAG: kernel in_place_{{[0-9]+}}_0 {{.*}} launches=3
// CHECK-DAG: kernel backwards_{{[0-9]+}}_0 {{.*}} launches=4
// CHECK-DAG: kernel beside_{{[0-9]+}}_0 {{.*}} launches=4
// CHECK-DAG: kernel structures_{{[0-9]+}}_0 {{.*}} launches=4
// CHECK-DAG: kernel bytes_{{[0-9]+}}_0 {{.*}} launches=4
// CHECK-DAG: kernel every_second_{{[0-9]+}}_0 {{.*}} launches=4
// CHECK-DAG: kernel twice_{{[0-9]+}}_0 {{.*}} launches=4
// CHECK-DAG: kernel sometimes_{{[0-9]+}}_0 {{.*}} launches=4
#include "exec.h"

enum { N = 300, M = 150 };

struct point {
    float x, y, z;
};

static float a[N][M], b[M][N], c[N][M], d[N][M], e[N][M], f[N][M + 2];
static double u[N][M], v[N][M];
static struct point p[2000];
static unsigned char bytes_in[2000], bytes_out[3 * 2000 + 5];
static short s[N][M], t[M][N];

// KERNELS-LABEL: void both_
// KERNELS: copy b[64 * {{b0|c1}} .. +64][64 * {{b1|c0}} .. +64] = shared
NOINLINE static void both(int n, int m)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            b[j][i] = a[i][j] * 2;
            c[i][j] = a[i][j] + 1;
        }
}

// Only rows from 3 on, of each fourth.
// KERNELS-LABEL: void strips_
// KERNELS: shared0_t[64][66];
// KERNELS: copy t[64 * b0 + 3 .. +64][64 * b1 + 1 .. +64] = shared0_t; /* all there if n >= 64 * b1 + 66 && m >= 64 * b0 + 64, else where m + 2 >= e0 && n >= e1 + 2 */
NOINLINE static void strips(int n, int m)
{
    for (int i = 1; i < n - 1; i++)
        for (int j = 0; j < m; j++) {
            t[j + 3][i] = (short)(s[i][j] + j);
            s[i][j] = (short)(s[i][j] * 3);
        }
}

// KERNELS-LABEL: void scan_
// KERNELS: copy shared1_d = d[
// KERNELS: copy d[32 * b0 .. +32][128 * c1 .. +129] = shared1_d;
NOINLINE static void scan(int n, int m)
{
    for (int i = 0; i < n; i++) {
        float sum = 0;

        for (int j = 0; j < m; j++) {
            sum = sum * 0.5f + a[i][j];
            d[i][j] = sum;
        }
    }
}

// KERNELS-LABEL: void scan_double_
// KERNELS: copy v[
NOINLINE static void scan_double(int n, int m)
{
    for (int i = 0; i < n; i++) {
        double sum = 1;

        for (int j = 0; j < m; j++) {
            sum = sum * 0.25 + u[i][j];
            v[i][j] = sum;
        }
    }
}

// KERNELS-LABEL: void in_place_
// KERNELS: copy shared0_e = e[
// KERNELS: copy e[
NOINLINE static void in_place(int n, int m)
{
    for (int i = 0; i < n; i++)
        for (int j = 1; j < m; j++)
            e[i][j] += e[i][j - 1] * 0.5f;
}

// KERNELS-LABEL: void backwards_
// KERNELS: copy f[
NOINLINE static void backwards(int n, int m)
{
    for (int i = 0; i < n; i++)
        for (int j = m - 1; j >= 0; j--)
            f[i][j] = f[i][j + 1] * 0.5f + a[i][j] - f[i][j + 2];
}

// The first column is written in memory, before and behind.
// KERNELS-LABEL: void beside_
// KERNELS: copy c[
NOINLINE static void beside(int n, int m)
{
    for (int i = 0; i < n; i++) {
        c[i][0] = a[i][1];
        for (int j = 1; j < m; j++)
            c[i][j] = c[i][j - 1] * 0.25f + a[i][j];
        if (m > 2)
            c[i][1] = c[i][m - 1] + c[i][0];
    }
}

// KERNELS-LABEL: void structures_
// KERNELS: copy p[768 * b0 .. +768] = shared
NOINLINE static void structures(int n, const float *from)
{
    for (int i = 0; i < n; i++) {
        p[i].x = from[i];
        p[i].y = from[i] * 2;
        p[i].z = from[i] * 3;
    }
}

// KERNELS-LABEL: void bytes_
// KERNELS: copy bytes_out[768 * b0 + 2 .. +768] = shared
NOINLINE static void bytes(int n)
{
    for (int i = 0; i < n; i++) {
        bytes_out[3 * i + 2] = bytes_in[i];
        bytes_out[3 * i + 3] = (unsigned char)(bytes_in[i] + 1);
        bytes_out[3 * i + 4] = (unsigned char)(bytes_in[i] * 2);
    }
}

// Gaps cannot be stored.
// KERNELS-LABEL: void every_second_
// KERNELS-NOT: = shared
NOINLINE static void every_second(int n, float *to, const float *from)
{
    for (int i = 0; i < n; i++)
        to[3 * i] = from[i];
}

// Two of three fields, one of them twice.
// KERNELS-LABEL: void twice_
// KERNELS: copy {{.*}} = shared
NOINLINE static void twice(int n, const float *from)
{
    for (int i = 0; i < n; i++) {
        p[i].x = from[i];
        p[i].y = p[i].x * 2;
        p[i].x = p[i].y - from[i] * 7;
    }
}

// KERNELS-LABEL: void sometimes_
NOINLINE static void sometimes(int n, int m)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++) {
            if (a[i][j] > 0)
                b[j][i] = a[i][j];
            c[i][j] = a[i][j] * 3;
        }
}

static void run(int n, int m)
{
    both(n, m);
    dump("b", b, sizeof b);
    dump("c", c, sizeof c);
    strips(n, m < 4 ? m : m - 3);
    dump("t", t, sizeof t);
    dump("s", s, sizeof s);
    scan(n, m);
    dump("d", d, sizeof d);
    scan_double(n, m);
    dump("v", v, sizeof v);
    in_place(n, m);
    dump("e", e, sizeof e);
    backwards(n, m);
    dump("f", f, sizeof f);
    beside(n, m);
    dump("c", c, sizeof c);
    structures(n * 6, a[0]);
    dump("p", p, sizeof p);
    bytes(n * 6);
    dump("bytes", bytes_out, sizeof bytes_out);
    every_second(n, d[0], a[0] + 1);
    dump("d", d, sizeof d);
    twice(n * 6, a[0] + 1);
    dump("p", p, sizeof p);
    sometimes(n, m);
    dump("b", b, sizeof b);
    dump("c", c, sizeof c);
}

int main(int argc, char **argv)
{
    harness_start(argc, argv);
    harness_fill(a, sizeof a / sizeof(float), sizeof(float));
    harness_fill(e, sizeof e / sizeof(float), sizeof(float));
    harness_fill(f, sizeof f / sizeof(float), sizeof(float));
    harness_fill(u, sizeof u / sizeof(double), sizeof(double));
    random_bits(bytes_in, sizeof bytes_in);
    random_bits(s, sizeof s);
    poison(b, sizeof b);
    poison(c, sizeof c);
    poison(d, sizeof d);
    poison(v, sizeof v);
    poison(t, sizeof t);
    poison(p, sizeof p);
    poison(bytes_out, sizeof bytes_out);
    run(0, 0);
    run(1, 1);
    run(37, 131);
    run(96, 64);
    run(299, 149);
    return harness_end();
}
