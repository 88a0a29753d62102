/* Half precision: what is computed with it, compared, and converted from and to
 * all types.  Not a number is one and the same in all dumps.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "exec.h"

#include <math.h>
#include <stdint.h>

#pragma STDC FP_CONTRACT OFF

typedef _Float16 half;
enum { N = 777, M = 37 };

static half a[N], b[N], c[N], r[9][N], d[M][M], e[M][M], f[M][M];
static float x[N], y[N];
static double z[N], w[N];
static int8_t i8[N], j8[N];
static uint8_t u8[N], v8[N];
static int16_t i16[N], j16[N];
static uint16_t u16[N], v16[N];
static int32_t i32[N], j32[N];
static uint32_t u32[N], v32[N];
static int64_t i64[N], j64[N];
static uint64_t u64[N], v64[N];
static int order[N];

NOINLINE static void arithmetic(int n, half factor)
{
    for (int i = 0; i < n; i++) {
        r[0][i] = a[i] + b[i];
        r[1][i] = a[i] - b[i];
        r[2][i] = a[i] * b[i];
        r[3][i] = a[i] / b[i];
        r[4][i] = -a[i];
        r[5][i] = __builtin_fabsf16(a[i]);
        r[6][i] = __builtin_copysignf16(a[i], b[i]);
        r[7][i] = a[i] * b[i] + factor; /* two roundings */
        r[8][i] = (a[i] - factor) * (half)0.1f + (half)65504 * b[i];
    }
}

NOINLINE static void comparisons(int n)
{
    for (int i = 0; i < n; i++)
        order[i] = (a[i] < b[i]) + 2 * (a[i] <= b[i]) + 4 * (a[i] > b[i]) +
                   8 * (a[i] >= b[i]) + 16 * (a[i] == b[i]) +
                   32 * (a[i] != b[i]) + 64 * !(a[i] < b[i]) +
                   128 * !(a[i] >= b[i]) + 256 * (a[i] != a[i]) +
                   512 * __builtin_isunordered(a[i], b[i]) +
                   1024 * __builtin_islessgreater(a[i], b[i]);
}

NOINLINE static void chosen(int n, half limit)
{
    for (int i = 0; i < n; i++)
        if (a[i] > limit)
            c[i] = a[i];
        else
            c[i] = b[i] < 0 ? (half)INFINITY : limit;
}

NOINLINE static void from_floats(int n)
{
    for (int i = 0; i < n; i++) {
        r[0][i] = (half)x[i];
        r[1][i] = (half)z[i];
        y[i] = (float)a[i];
        w[i] = (double)a[i];
    }
}

NOINLINE static void from_integers(int n)
{
    for (int i = 0; i < n; i++) {
        r[0][i] = (half)i8[i];
        r[1][i] = (half)u8[i];
        r[2][i] = (half)i16[i];
        r[3][i] = (half)u16[i];
        r[4][i] = (half)i32[i];
        r[5][i] = (half)u32[i];
        r[6][i] = (half)i64[i];
        r[7][i] = (half)u64[i];
        r[8][i] = (half)(i8[i] > 3);
    }
}

NOINLINE static void to_integers(int n)
{
    for (int i = 0; i < n; i++) {
        j8[i] = (int8_t)c[i];
        v8[i] = (uint8_t)c[i];
        j16[i] = (int16_t)c[i];
        v16[i] = (uint16_t)c[i];
        j32[i] = (int32_t)c[i];
        v32[i] = (uint32_t)c[i];
        j64[i] = (int64_t)c[i];
        v64[i] = (uint64_t)c[i];
    }
}

/* Buffers of half precision, and sums in a register. */
NOINLINE static void product(int n)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            half sum = 0;
            for (int k = 0; k < n; k++)
                sum += d[i][k] * e[k][j];
            f[i][j] = sum;
        }
}

NOINLINE static void smooth(int n, int steps)
{
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            r[1][i] = (r[0][i - 1] + r[0][i] + r[0][i + 1]) * (half)0.25;
        for (int i = 1; i < n - 1; i++)
            r[0][i] = (r[1][i - 1] + r[1][i] + r[1][i + 1]) * (half)0.25;
    }
}

HOST void dump_half(const char *name, half *p, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (p[i] != p[i])
            p[i] = (half)__builtin_nanf("");
    dump(name, p, n * sizeof *p);
}

int main(int argc, char **argv)
{
    harness_start(argc, argv);
    random_bits(a, sizeof a); /* one of 32 is no number or infinite */
    random_bits(b, sizeof b);
    random_bits(x, sizeof x);
    random_bits(z, sizeof z);
    random_bits(i8, sizeof i8);
    random_bits(u8, sizeof u8);
    random_bits(i16, sizeof i16);
    random_bits(u16, sizeof u16);
    random_bits(i32, sizeof i32);
    random_bits(u32, sizeof u32);
    random_bits(i64, sizeof i64);
    random_bits(u64, sizeof u64);
    for (int i = 0; i < N; i++) {
        if (i % 3) { /* what half precision has, and its ends */
            x[i] = (float)((harness_random() - 0.5) * (i % 2 ? 2e5 : 1e-4));
            z[i] = (harness_random() - 0.5) * (i % 2 ? 2e5 : 1e-4);
            i32[i] = (int32_t)(harness_random() * 140000) - 70000;
            u32[i] = (uint32_t)fabs(harness_random() * 70000);
            i64[i] = (int64_t)(harness_random() * 140000) - 70000;
            u64[i] = (uint64_t)fabs(harness_random() * 70000);
        }
        if (i % 7 == 0) /* between two floats of which half has one */
            z[i] = 1 + 1.0 / 2048 + (i % 2 ? 1e-12 : -1e-12);
        if (i % 5 == 0)
            b[i] = a[i];
    }
    poison(r, sizeof r);
    poison(c, sizeof c);
    poison(order, sizeof order);
    arithmetic(N, (half)harness_random());
    dump_half("arithmetic", r[0], 9 * N);
    comparisons(N);
    dump("order", order, sizeof order);
    chosen(N, (half)0.5);
    dump_half("chosen", c, N);
    poison(r, sizeof r);
    poison(y, sizeof y);
    poison(w, sizeof w);
    from_floats(N);
    dump_half("from_floats", r[0], 2 * N);
    dump_float("y", y, N);
    dump_double("w", w, N);
    poison(r, sizeof r);
    from_integers(N);
    dump_half("from_integers", r[0], 9 * N);
    for (int i = 0; i < N; i++)
        c[i] = (half)fabs(harness_random() * 127);
    poison(j8, sizeof j8);
    poison(v8, sizeof v8);
    poison(j16, sizeof j16);
    poison(v16, sizeof v16);
    poison(j32, sizeof j32);
    poison(v32, sizeof v32);
    poison(j64, sizeof j64);
    poison(v64, sizeof v64);
    to_integers(N);
    dump("j8", j8, sizeof j8);
    dump("v8", v8, sizeof v8);
    dump("j16", j16, sizeof j16);
    dump("v16", v16, sizeof v16);
    dump("j32", j32, sizeof j32);
    dump("v32", v32, sizeof v32);
    dump("j64", j64, sizeof j64);
    dump("v64", v64, sizeof v64);
    for (int i = 0; i < M; i++)
        for (int j = 0; j < M; j++) {
            d[i][j] = (half)harness_random();
            e[i][j] = (half)(harness_random() - 0.5);
        }
    poison(f, sizeof f);
    product(M);
    dump_half("f", f[0], M * M);
    for (int i = 0; i < N; i++)
        r[0][i] = r[1][i] = (half)(harness_random() * 100);
    smooth(N, 5);
    dump_half("smooth", r[0], 2 * N);
    return harness_end();
}
