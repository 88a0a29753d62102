// Arrays at addresses that no allocator gives: floats that are aligned to 4
// bytes only, doubles aligned to 4, and doubles in packed structures, aligned
// to 1.
//
// RUN: %gpu_cc %s %harness -o %t.gpu
// RUN: %ref_cc %s %harness -o %t.ref
// RUN: %run_ref %t.ref
// RUN: %run_gpu %t.gpu 2>&1 | %FileCheck %s
// RUN: cmp %t.ref.dump %t.gpu.dump
//
// CHECK: polygpu: scop floats {{.*}} runs=1 declined=0 failed=0
// CHECK: polygpu: kernel {{.*}} launches=1
// CHECK: polygpu: scop doubles {{.*}} runs=1 declined=0 failed=0
// CHECK: polygpu: kernel {{.*}} launches=1
#include "exec.h"

enum { N = 70 };

struct __attribute__((packed)) record {
    char tag;
    double value;
};
typedef double odd_double __attribute__((aligned(4)));

static _Alignas(64) char floats_in[8 * N + 64], floats_out[8 * N + 64];
static struct record records[N];

NOINLINE static void floats(int n, const float *from, float *to)
{
    for (int i = 0; i < n; i++)
        to[i] = from[i] * from[i];
}

NOINLINE static void doubles(int n, const odd_double *from, odd_double *to)
{
    for (int i = 0; i < n; i++)
        to[i] = from[n - 1 - i] + 1;
}

/* May stay on the host, but must be right. */
NOINLINE static void packed(int n, struct record *r)
{
    for (int i = 0; i < n; i++)
        r[i].value = r[i].value * 2 + i;
}

int main(int argc, char **argv)
{
    harness_start(argc, argv);
    harness_fill(floats_in + 4, 2 * N, sizeof(float));
    poison(floats_out, sizeof floats_out);
    floats(N, (float *)(floats_in + 4), (float *)(floats_out + 12));
    dump("floats", floats_out, sizeof floats_out);
    for (int i = 0; i < N; i++) {
        records[i].tag = (char)i;
        records[i].value = harness_random();
        ((odd_double *)(floats_in + 4))[i] = harness_random();
    }
    doubles(N, (odd_double *)(floats_in + 4), (odd_double *)(floats_out + 20));
    dump("doubles", floats_out, sizeof floats_out);
    packed(N, records);
    dump("records", records, sizeof records);
    return harness_end();
}
