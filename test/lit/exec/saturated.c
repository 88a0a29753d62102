// Sums and differences that stay in their type, three-way comparisons and
// rounding of halves away from zero: clang makes operations of their own of
// them.
//
// RUN: %gpu_cc -mfma %s %harness -lm -o %t.gpu
// RUN: %ref_cc %s %harness -lm -o %t.ref
// RUN: %run_ref %t.ref
// RUN: %run_gpu %t.gpu 2>&1 | %FileCheck %s
// RUN: cmp %t.ref.dump %t.gpu.dump
// RUN: %run_faults
//
// CHECK-DAG: polygpu: scop audio {{.*}}runs=1 declined=0
// CHECK-DAG: polygpu: scop pixels {{.*}}runs=1 declined=0
// CHECK-DAG: polygpu: scop words {{.*}}runs=1 declined=0
// CHECK-DAG: polygpu: scop order {{.*}}runs=1 declined=0
// CHECK-DAG: polygpu: scop rounded {{.*}}runs=1 declined=0
#include "exec.h"

#include <math.h>
#include <stdint.h>

enum { N = 1000 };

static int16_t s[N], t[N], mixed[N];
static uint8_t p[N], q[N], sum[N], rest[N];
static int32_t a[N], b[N], more[N], less[N];
static int8_t sign[N], level[N];
static float x[N], y[N], f[N];
static double d[N], e[N];

NOINLINE static void audio(int n)
{
    for (int i = 0; i < n; i++) {
        int v = s[i] + t[i];
        mixed[i] = (int16_t)(v > 32767 ? 32767 : v < -32768 ? -32768 : v);
    }
}

NOINLINE static void pixels(int n)
{
    for (int i = 0; i < n; i++) {
        sum[i] = (uint8_t)(p[i] + q[i] > 255 ? 255 : p[i] + q[i]);
        rest[i] = (uint8_t)(p[i] > q[i] ? p[i] - q[i] : 0);
    }
}

NOINLINE static void words(int n)
{
    for (int i = 0; i < n; i++) {
        more[i] = __builtin_elementwise_add_sat(a[i], b[i]);
        less[i] = __builtin_elementwise_sub_sat(a[i], b[i]);
    }
}

NOINLINE static void order(int n)
{
    for (int i = 0; i < n; i++)
        sign[i] = (int8_t)((a[i] > b[i]) - (a[i] < b[i]));
}

NOINLINE static void rounded(int n)
{
    for (int i = 0; i < n; i++) {
        level[i] = (int8_t)roundf(x[i] * 80);
        y[i] = roundf(f[i]);
        e[i] = round(d[i]);
    }
}

static int32_t any(void)
{
    return (int32_t)(harness_random() * 1400000000);
}

int main(int argc, char **argv)
{
    static const double ends[] = {
        0.5,      -0.5,          0.49999997f, -0.3, -0.0, 0x1.fffffffffffffp-2,
        0x1.8p22, 0x1.000002p23, 1.5,         2.5,  -3.5, 0x1.00001p52,
        0x1.8p51, 1e300,         INFINITY};

    harness_start(argc, argv);
    for (int i = 0; i < N; i++) {
        s[i] = (int16_t)any();
        t[i] = (int16_t)any();
        p[i] = (uint8_t)any();
        q[i] = i % 5 ? (uint8_t)any() : p[i];
        a[i] = any();
        b[i] = i % 7 ? any() : a[i];
        x[i] = (float)harness_random();
        d[i] = i < 15 ? ends[i] : harness_random() * 100;
        f[i] = (float)(i < 15 ? ends[i] : i % 3 ? d[i] : (int)d[i] + 0.5);
    }
    audio(N);
    dump("mixed", mixed, sizeof mixed);
    pixels(N);
    dump("sum", sum, sizeof sum);
    dump("rest", rest, sizeof rest);
    words(N);
    dump("more", more, sizeof more);
    dump("less", less, sizeof less);
    order(N);
    dump("sign", sign, sizeof sign);
    rounded(N);
    dump("level", level, sizeof level);
    dump("y", y, sizeof y);
    dump("e", e, sizeof e);
    return harness_end();
}
