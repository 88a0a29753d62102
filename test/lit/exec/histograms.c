// Updates of elements whose index is data, by atomic operations: all operators
// and types, several in an iteration, under conditions, and what of the array
// goes to the device and back.
//
// RUN: %gpu_cc -mfma %s %harness -o %t.gpu
// RUN: %ref_cc %s %harness -o %t.ref
// RUN: %run_ref %t.ref
// RUN: %run_gpu %t.gpu 2>&1 | %FileCheck %s
// RUN: cmp %t.ref.dump %t.gpu.dump
// RUN: env POLYGPU=off POLYGPU_DUMP=%t.gpu.dump %t.gpu
// RUN: cmp %t.ref.dump %t.gpu.dump
// RUN: env POLYGPU_RESIDENCY=off %run_gpu %t.gpu 2>&1 | %FileCheck %s
// RUN: cmp %t.ref.dump %t.gpu.dump
// RUN: %run_faults
//
// CHECK-DAG: polygpu: scop bytes {{.*}} runs=4 declined=0 failed=0
// CHECK-DAG: polygpu: kernel bytes_{{.*}} launches=4
// CHECK-DAG: polygpu: scop weighted {{.*}} runs=2 declined=0 failed=0
// CHECK-DAG: polygpu: kernel weighted_{{.*}} launches=2
// CHECK-DAG: polygpu: scop image {{.*}} runs=1 declined=0 failed=0
// CHECK-DAG: polygpu: kernel image_{{.*}} launches=1
// CHECK-DAG: polygpu: scop several {{.*}} runs=1 declined=0 failed=0
// CHECK-DAG: polygpu: scop operators {{.*}} runs=1 declined=0 failed=0
// CHECK-DAG: polygpu: scop long_operators {{.*}} runs=1 declined=0 failed=0
// CHECK-DAG: polygpu: scop unsigned_operators {{.*}} runs=1 declined=0 failed=0
// CHECK-DAG: polygpu: scop chain {{.*}} runs=1 declined=0 failed=0
// CHECK-DAG: polygpu: kernel chain_{{.*}} launches=1
// CHECK-DAG: polygpu: scop chosen {{.*}} runs=1 declined=0 failed=0
// CHECK-DAG: polygpu: kernel chosen_{{.*}} launches=1
// CHECK-DAG: polygpu: scop either {{.*}} runs=1 declined=0 failed=0
// CHECK-DAG: polygpu: scop field {{.*}} runs=1 declined=0 failed=0
// CHECK-DAG: polygpu: kernel field_{{.*}} launches=1
// CHECK-DAG: polygpu: scop in_time {{.*}} runs=1 declined=0 failed=0
// CHECK-DAG: polygpu: scop in_table {{.*}} runs=1 declined=0 failed=0
// CHECK-DAG: polygpu: scop prefix {{.*}} runs=1 declined=0 failed=0
// CHECK-DAG: polygpu: scop prefix {{.*}} runs=1 declined=0 failed=0
// CHECK-DAG: polygpu: scop indirectly {{.*}} runs=1 declined=0 failed=0
#include "exec.h"

#include <limits.h>

enum { N = 1300, M = 37 };

static int idx[N], other[N], count[2 * N], ints[3][N];
static unsigned words[3][N], w[N];
static long long sums[N], v[N], longs[3][N];
static unsigned long long huge[3][N];
static unsigned char text[N * M];
static float x[N];
static int table[256];

APART void bytes(int n, const unsigned char *t, int *h)
{
    for (int i = 0; i < n; i++)
        h[t[i]]++;
}

// From the middle of an array, to both sides.
APART void weighted(int n, const int *at, const long long *with, long long *to)
{
    for (int i = 0; i < n; i++)
        to[at[i]] += with[i];
}

APART void image(int n, int m, const unsigned char *t, unsigned *h)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            h[t[i * m + j]]++;
}

// Two updates of one array, with an element of their own as well.
APART void several(int n, const int *a, const int *b, int *h, int *own)
{
    for (int i = 0; i < n; i++) {
        h[a[i]] -= b[i];
        h[b[i] + 1] += 3;
        own[i] = a[i] + b[i];
    }
}

APART void operators(int n, const int *at, const int *with, int *least,
                     int *most, int *bits)
{
    for (int i = 0; i < n; i++) {
        least[at[i]] = with[i] < least[at[i]] ? with[i] : least[at[i]];
        most[at[i]] = with[i] > most[at[i]] ? with[i] : most[at[i]];
        bits[at[i]] ^= with[i];
    }
}

APART void long_operators(int n, const int *at, const long long *with,
                          long long *least, long long *most, long long *bits)
{
    for (int i = 0; i < n; i++) {
        least[at[i]] = with[i] < least[at[i]] ? with[i] : least[at[i]];
        most[at[i]] = with[i] > most[at[i]] ? with[i] : most[at[i]];
        bits[at[i]] |= with[i];
    }
}

APART void unsigned_operators(int n, const int *at, const unsigned *with,
                              unsigned *least, unsigned *most, unsigned *bits,
                              unsigned long long *wide)
{
    for (int i = 0; i < n; i++) {
        least[at[i]] = with[i] < least[at[i]] ? with[i] : least[at[i]];
        most[at[i]] = with[i] > most[at[i]] ? with[i] : most[at[i]];
        bits[at[i]] &= with[i];
        wide[at[i]] = with[i] > wide[at[i]] ? with[i] : wide[at[i]];
    }
}

APART void chain(int n, const int *at, const int *a, const int *b, int *h)
{
    for (int i = 0; i < n; i++)
        h[3 * at[i]] = h[3 * at[i]] + a[i] - b[i] + 5;
}

APART void chosen(int n, const float *a, const int *at, int *h)
{
    for (int i = 0; i < n; i++)
        if (a[i] > 0)
            h[at[i]] += i;
}

APART void either(int n, const float *a, const int *p, const int *q, int *h)
{
    for (int i = 0; i < n; i++)
        if (a[i] > 0)
            h[p[i]]++;
        else
            h[q[i]] += 2;
}

struct counted {
    double mean;
    int bins[64];
    double rest;
};
static struct counted counted;

APART void field(int n, const unsigned *a, struct counted *to)
{
    for (int i = 0; i < n; i++)
        to->bins[a[i] % 64]++;
}

// Whatever is not counted in keeps its value, at both ends, too.
APART void in_table(int n, const int *a)
{
    for (int i = 0; i < n; i++)
        table[a[i] & 63] |= 1 << (a[i] & 7);
}

APART void in_time(int steps, int n, const int *at, int *h, int *own)
{
    for (int t = 0; t < steps; t++)
        for (int i = 0; i < n; i++) {
            h[at[i]] += t;
            own[i] += i;
        }
}

// The array is cleared before, and read behind.
APART void prefix(int n, int bins, const int *at, int *h, int *to)
{
    for (int i = 0; i < bins; i++)
        h[i] = 0;
    for (int i = 0; i < n; i++)
        h[at[i]]++;
    for (int i = 0; i < bins; i++)
        to[i] = 2 * h[i];
}

APART void indirectly(int n, const int *at, const int *from, int *h)
{
    for (int i = 0; i < n; i++)
        h[from[at[i]]] += from[at[i]];
}

static int place(int n)
{
    return (int)((harness_random() + 1.5) / 3 * n) % n;
}

int main(int argc, char **argv)
{
    harness_start(argc, argv);
    for (int i = 0; i < N; i++) {
        idx[i] = place(i % 3 ? N / 3 : 7);
        other[i] = place(N - 1);
        w[i] = (unsigned)place(INT_MAX);
        v[i] = (long long)place(INT_MAX) << 20;
    }
    random_bits(text, sizeof text);
    random_bits(ints, sizeof ints);
    random_bits(longs, sizeof longs);
    random_bits(words, sizeof words);
    random_bits(huge, sizeof huge);
    random_bits(table, sizeof table);
    random_bits(sums, sizeof sums);
    random_bits(&counted, sizeof counted);
    random_bits(count, sizeof count);
    harness_fill(x, N, sizeof *x);
    bytes(N, text, count);
    bytes(0, text, count);
    bytes(1, text, count + N / 2);
    for (int i = 0; i < N; i++)
        text[i] = 5;
    bytes(N, text, count);
    bytes(257, text, count);
    dump("bytes", count, sizeof count);
    weighted(N, idx, v, sums + 11);
    for (int i = 0; i < N; i++)
        idx[i] -= N / 6;
    weighted(N, idx, v, sums + N / 2);
    for (int i = 0; i < N; i++)
        idx[i] += N / 6;
    dump("weighted", sums, sizeof sums);
    image(N / 2, M, text, words[0]);
    dump("image", words, sizeof words);
    several(N, idx, other, count, ints[2]);
    dump("several", count, sizeof count);
    dump("own", ints[2], sizeof ints[2]);
    operators(N, idx, other, ints[0], ints[1], ints[2]);
    dump("operators", ints, sizeof ints);
    long_operators(N, idx, v, longs[0], longs[1], longs[2]);
    dump("long_operators", longs, sizeof longs);
    unsigned_operators(N, idx, w, words[0], words[1], words[2], huge[1]);
    dump("unsigned_operators", words, sizeof words);
    dump("wide", huge, sizeof huge);
    chain(N, idx, other, ints[0], count);
    dump("chain", count, sizeof count);
    chosen(N, x, idx, count);
    dump("chosen", count, sizeof count);
    either(N, x, idx, other, count + 40);
    dump("either", count, sizeof count);
    field(N, w, &counted);
    dump("field", &counted, sizeof counted);
    in_table(N, other);
    dump("in_table", table, sizeof table);
    in_time(5, N, idx, count, ints[1]);
    dump("in_time", count, sizeof count);
    dump("own", ints[1], sizeof ints[1]);
    prefix(N, N, idx, count, ints[0]);
    dump("prefix", count, sizeof count);
    dump("to", ints[0], sizeof ints[0]);
    indirectly(N, idx, other, count);
    dump("indirectly", count, sizeof count);
    return harness_end();
}
