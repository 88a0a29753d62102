// Integer arithmetic of every width: it wraps around, and is divided, shifted
// and converted as in C.
//
// RUN: %gpu_cc %s %harness -o %t.gpu
// RUN: %ref_cc %s %harness -o %t.ref
// RUN: %run_ref %t.ref
// RUN: %run_gpu %t.gpu 2>&1 | %FileCheck %s
// RUN: cmp %t.ref.dump %t.gpu.dump
//
// CHECK: polygpu: scop bytes {{.*}} runs=1 declined=0 failed=0
// CHECK: polygpu: kernel {{.*}} launches=1
// CHECK: polygpu: scop shorts {{.*}} runs=1 declined=0 failed=0
// CHECK: polygpu: kernel {{.*}} launches=1
// CHECK: polygpu: scop words {{.*}} runs=1 declined=0 failed=0
// CHECK: polygpu: kernel {{.*}} launches=1
// CHECK: polygpu: scop longs {{.*}} runs=1 declined=0 failed=0
// CHECK: polygpu: kernel {{.*}} launches=1
// CHECK: polygpu: scop divide {{.*}} runs=1 declined=0 failed=0
// CHECK: polygpu: kernel {{.*}} launches=1
// CHECK: polygpu: scop choose {{.*}} runs=1 declined=0 failed=0
// CHECK: polygpu: kernel {{.*}} launches=1
#include "exec.h"

#include <stdint.h>

enum { N = 200 };

static int8_t a8[N], b8[N];
static uint8_t c8[N];
static int16_t a16[N];
static uint16_t b16[N], c16[N];
static uint32_t a32[N], b32[N], c32[N];
static uint64_t a64[N], b64[N], c64[N];
static int32_t d32[N], e32[N];
static int64_t d64[N], e64[N];

NOINLINE static void bytes(int n)
{
    for (int i = 0; i < n; i++) {
        c8[i] = (uint8_t)(a8[i] * b8[i] + i);
        a8[i] = (int8_t)((unsigned)a8[i] << 1 ^ (unsigned)b8[i]);
    }
}

NOINLINE static void shorts(int n)
{
    for (int i = 0; i < n; i++)
        c16[i] = (uint16_t)((unsigned)a16[i] * b16[i] - (b16[i] >> 3));
}

NOINLINE static void words(int n, unsigned k)
{
    for (int i = 0; i < n; i++)
        c32[i] = (a32[i] * b32[i] + k) << (b32[i] & 31) | ~a32[i] >> (i & 7);
}

NOINLINE static void longs(int n)
{
    for (int i = 0; i < n; i++)
        c64[i] = a64[i] * b64[i] - (a64[i] >> (b64[i] & 63)) + (uint64_t)a8[i];
}

NOINLINE static void divide(int n)
{
    for (int i = 0; i < n; i++) {
        e32[i] = d32[i] / 7 + d32[i] % -10 + (d32[i] >> 5);
        e64[i] = d64[i] / 1000003 - d64[i] % 64 + (int64_t)(a64[i] / 11) +
                 (int64_t)(a64[i] % 640) + (d64[i] >> 33);
    }
}

NOINLINE static void choose(int n)
{
    for (int i = 0; i < n; i++) {
        int32_t x = d32[i], y = (int32_t)a16[i];
        a32[i] = (uint32_t)(x < y ? x : y) + (a32[i] > b32[i]) * 2u +
                 (uint32_t)(x == y) + (d64[i] < 0 ? 5u : 9u);
    }
}

#define RANDOM(array) random_bits(array, sizeof array)
#define OUT(array) poison(array, sizeof array)
#define SHOW(array) dump(#array, array, sizeof array)

int main(int argc, char **argv)
{
    harness_start(argc, argv);
    RANDOM(a8), RANDOM(b8), RANDOM(a16), RANDOM(b16), RANDOM(a32), RANDOM(b32);
    RANDOM(a64), RANDOM(b64), RANDOM(d32), RANDOM(d64);
    OUT(c8), OUT(c16), OUT(c32), OUT(c64), OUT(e32), OUT(e64);
    bytes(N - 1);
    shorts(N - 2);
    words(N - 3, 0xdeadbeefu);
    longs(N - 4);
    divide(N - 5);
    choose(N - 6);
    SHOW(a8), SHOW(c8), SHOW(c16), SHOW(c32), SHOW(c64), SHOW(e32), SHOW(e64);
    SHOW(a32);
    return harness_end();
}
