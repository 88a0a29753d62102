// Updates through indices of elements of 8 and 16 bits, which share words: all
// operators, wrapping around, at both ends of arrays whose size is no multiple of
// a word.
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
// CHECK-DAG: polygpu: kernel bytes_{{.*}} launches=4
// CHECK-DAG: polygpu: kernel halves_{{.*}} launches=4
// CHECK-DAG: polygpu: kernel extremes_{{.*}} launches=4
// CHECK-DAG: polygpu: kernel bits_{{.*}} launches=4
// CHECK-DAG: polygpu: kernel sometimes_{{.*}} launches=4
#include "exec.h"

#include <stdint.h>

enum { N = 2000, M = 261 };

static int idx[N];
static uint8_t h[M], g[M], x[N];
static int8_t low[M], high[M];
static int16_t s[M];
static uint16_t u[M], y[N];

APART void bytes(int n, const int *at, uint8_t *h)
{
    for (int i = 0; i < n; i++)
        h[at[i]]++;
}

APART void halves(int n, const int *at, const uint16_t *y, uint16_t *u,
                  int16_t *s)
{
    for (int i = 0; i < n; i++) {
        u[at[i]] += y[i];
        s[at[i]] -= 3;
    }
}

APART void extremes(int n, const int *at, const uint8_t *x, int8_t *low,
                    int8_t *high)
{
    for (int i = 0; i < n; i++) {
        int8_t v = (int8_t)x[i];

        low[at[i]] = v < low[at[i]] ? v : low[at[i]];
        high[at[i]] = v > high[at[i]] ? v : high[at[i]];
    }
}

APART void bits(int n, const int *at, const uint8_t *x, uint8_t *h, uint8_t *g)
{
    for (int i = 0; i < n; i++) {
        h[at[i]] |= x[i] & 5;
        g[at[i]] ^= x[i];
    }
}

APART void sometimes(int n, const int *at, const uint8_t *x, uint8_t *h)
{
    for (int i = 0; i < n; i++)
        if (x[i] > 200)
            h[at[i]] += x[i];
}

static int place(int n)
{
    return (int)((harness_random() + 1.5) / 3 * n) % n;
}

static void run(int n, int m)
{
    for (int i = 0; i < N; i++)
        idx[i] = place(m);
    random_bits(x, sizeof x);
    random_bits(y, sizeof y);
    random_bits(h, sizeof h);
    random_bits(g, sizeof g);
    random_bits(low, sizeof low);
    random_bits(high, sizeof high);
    random_bits(s, sizeof s);
    random_bits(u, sizeof u);
    bytes(n, idx, h);
    dump("bytes", h, sizeof h);
    halves(n, idx, y, u, s);
    dump("u", u, sizeof u);
    dump("s", s, sizeof s);
    extremes(n, idx, x, low, high);
    dump("low", low, sizeof low);
    dump("high", high, sizeof high);
    bits(n, idx, x, h, g);
    dump("h", h, sizeof h);
    dump("g", g, sizeof g);
    sometimes(n, idx, x, h);
    dump("sometimes", h, sizeof h);
}

int main(int argc, char **argv)
{
    harness_start(argc, argv);
    run(N, M);
    run(N, 3);
    run(1999, 1);
    run(1, 5);
    run(0, 1);
    return harness_end();
}
