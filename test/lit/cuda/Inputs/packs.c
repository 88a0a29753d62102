/* Elements that are vectors: computed with, compared, converted, shuffled, with
 * types that CUDA has vectors of and others, and some whose addresses are no
 * multiples of their size.
 *
 * SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 */
#include "exec.h"

#include <stdint.h>

typedef float float4 __attribute__((vector_size(16)));
typedef float loose4 __attribute__((vector_size(16), aligned(4)));
typedef int int4 __attribute__((vector_size(16)));
typedef int16_t short8 __attribute__((vector_size(16)));
typedef uint8_t char16 __attribute__((vector_size(16)));
typedef uint8_t char8 __attribute__((vector_size(8)));
typedef uint8_t char4 __attribute__((vector_size(4)));
typedef double double2 __attribute__((vector_size(16)));
typedef int64_t long2 __attribute__((vector_size(16)));
typedef _Float16 half8 __attribute__((vector_size(16)));
enum { N = 300, M = 40 };

static float4 a[N], b[N], c[N], d[M][M], e[M][M], f[M][M];
static int4 i4[N], j4[N], k4[N];
static short8 i8[N], j8[N], k8[N];
static char16 x[N], y[N], z[N];
static char8 x8[N], y8[N];
static uint64_t l8[N];
static char4 x4[N];
static uint32_t l4[N];
static double2 p[N], q[N];
static long2 s[N], t[N];
static half8 h[N], g[N], o[N];
static float flat[4 * N + 1], copied[4 * N + 1];

NOINLINE static void floats(int n, float4 shift)
{
    for (int i = 0; i < n; i++)
        c[i] = a[i] * b[i] - (a[i] / b[i] + shift);
}

NOINLINE static void integers(int n)
{
    for (int i = 0; i < n; i++)
        k4[i] = (i4[i] * j4[i] + (i4[i] >> 3)) ^ (i4[i] < j4[i]);
}

NOINLINE static void shorts(int n)
{
    for (int i = 0; i < n; i++)
        k8[i] = i8[i] * j8[i] +
                (((i8[i] - j8[i]) & (i8[i] > j8[i])) | (j8[i] << 1));
}

NOINLINE static void bytes(int n)
{
    for (int i = 0; i < n; i++)
        z[i] = __builtin_elementwise_max(x[i], y[i]) -
               __builtin_elementwise_add_sat(x[i], y[i]) / 3;
}

NOINLINE static void as_numbers(int n)
{
    for (int i = 0; i < n; i++) {
        l8[i] = (uint64_t)(x8[i] + y8[i]) * 5;
        l4[i] = (uint32_t)x4[i] + 1;
    }
}

NOINLINE static void converted(int n)
{
    for (int i = 0; i < n; i++) {
        q[i] = __builtin_convertvector(s[i], double2) + p[i];
        t[i] = s[i] - (long2)(p[i] < q[i]);
    }
}

NOINLINE static void shuffled(int n)
{
    for (int i = 0; i < n; i++)
        c[i] = __builtin_shufflevector(a[i], b[i], 3, 6, 1, 4);
}

NOINLINE static void halves(int n)
{
    for (int i = 0; i < n; i++)
        o[i] = h[i] + g[i];
}

NOINLINE static void sums(int n)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            float4 sum = {0};
            for (int k = 0; k < n; k++)
                sum += d[i][k] * e[k][j];
            f[i][j] = sum;
        }
}

NOINLINE static void misaligned(int n, loose4 *restrict to,
                                const loose4 *restrict from)
{
    for (int i = 0; i < n; i++)
        to[i] = from[i] * 3;
}

/* Parts whose numbers are data. */
NOINLINE static void indexed(int n)
{
    for (int i = 0; i < n; i++) {
        int4 v = i4[i];
        v[j4[i][0] & 3] += v[j4[i][1] & 3];
        k4[i] = v;
    }
}

int main(int argc, char **argv)
{
    harness_start(argc, argv);
    harness_fill(a, 4 * N, 4);
    harness_fill(b, 4 * N, 4);
    random_bits(i4, sizeof i4);
    random_bits(j4, sizeof j4);
    random_bits(i8, sizeof i8);
    random_bits(j8, sizeof j8);
    random_bits(x, sizeof x);
    random_bits(y, sizeof y);
    random_bits(x8, sizeof x8);
    random_bits(y8, sizeof y8);
    random_bits(x4, sizeof x4);
    random_bits(s, sizeof s);
    harness_fill(p, 2 * N, 8);
    harness_fill(flat, 4 * N + 1, 4);
    harness_fill(d, 4 * M * M, 4);
    harness_fill(e, 4 * M * M, 4);
    for (int i = 0; i < N; i++)
        for (int j = 0; j < 8; j++) {
            h[i][j] = (_Float16)(harness_random() * 100);
            g[i][j] = (_Float16)(harness_random() - 0.5);
        }
    poison(c, sizeof c);
    poison(k4, sizeof k4);
    poison(k8, sizeof k8);
    poison(z, sizeof z);
    poison(l8, sizeof l8);
    poison(l4, sizeof l4);
    poison(q, sizeof q);
    poison(t, sizeof t);
    poison(o, sizeof o);
    poison(f, sizeof f);
    poison(copied, sizeof copied);
    floats(N, (float4){1, -2, (float)harness_random(), 0.1f});
    dump("floats", c, sizeof c);
    integers(N);
    dump("integers", k4, sizeof k4);
    indexed(N);
    dump("indexed", k4, sizeof k4);
    shorts(N);
    dump("shorts", k8, sizeof k8);
    bytes(N);
    dump("bytes", z, sizeof z);
    as_numbers(N);
    dump("l8", l8, sizeof l8);
    dump("l4", l4, sizeof l4);
    converted(N);
    dump("q", q, sizeof q);
    dump("t", t, sizeof t);
    poison(c, sizeof c);
    shuffled(N);
    dump("shuffled", c, sizeof c);
    halves(N);
    dump("halves", o, sizeof o);
    sums(M);
    dump("sums", f, sizeof f);
    misaligned(N, (loose4 *)(copied + 1), (const loose4 *)(flat + 1));
    dump("copied", copied, sizeof copied);
    return harness_end();
}
