// Floating-point numbers as integers where what is too large becomes the largest one, and
// what is none 0, as in Fortran and Rust, and in C with this option.
//
// RUN: %gpu_cc -mfma -fno-strict-float-cast-overflow %s %harness -o %t.gpu
// RUN: %ref_cc -fno-strict-float-cast-overflow %s %harness -o %t.ref
// RUN: %run_ref %t.ref
// RUN: %run_gpu %t.gpu 2>&1 | %FileCheck %s
// RUN: cmp %t.ref.dump %t.gpu.dump
// RUN: %run_faults
//
// CHECK-DAG: polygpu: scop from_float {{.*}}runs=1 declined=0
// CHECK-DAG: polygpu: scop from_double {{.*}}runs=1 declined=0
#include "exec.h"

#include <stdint.h>
#include <string.h>

enum { N = 3000 };

static float x[N];
static double d[N];
static int8_t b[N];
static uint8_t ub[N];
static int16_t s[N];
static uint16_t us[N];
static int32_t i4[N], j4[N];
static uint32_t u4[N], v4[N];
static int64_t i8[N], j8[N];
static uint64_t u8[N], v8[N];

NOINLINE static void from_float(int n)
{
    for (int i = 0; i < n; i++) {
        b[i] = (int8_t)(x[i] * 0.5f);
        us[i] = (uint16_t)x[i];
        i4[i] = (int32_t)x[i];
        u4[i] = (uint32_t)x[i];
        i8[i] = (int64_t)x[i];
        u8[i] = (uint64_t)x[i];
    }
}

NOINLINE static void from_double(int n)
{
    for (int i = 0; i < n; i++) {
        ub[i] = (uint8_t)d[i];
        s[i] = (int16_t)(d[i] + 1);
        j4[i] = (int32_t)d[i];
        v4[i] = (uint32_t)d[i];
        j8[i] = (int64_t)d[i];
        v8[i] = (uint64_t)d[i];
    }
}

/* Random ones around the ends of all types, and some that are none. */
HOST double number(int i)
{
    static const int ends[] = {0, 7, 8, 15, 16, 31, 32, 63, 64, 70};
    double power = 1, most;

    for (int p = 0; p < ends[i % 10]; p++)
        power *= 2;
    most = i % 7 == 0 ? __builtin_nan("") : i % 31 == 1 ? __builtin_inf() : power;
    most += (int)(harness_random() * 9) - 4;
    return i % 3 == 0 ? -most : i % 5 == 0 ? most * harness_random() : most;
}

int main(int argc, char **argv)
{
    harness_start(argc, argv);
    for (int i = 0; i < N; i++) {
        d[i] = number(i);
        x[i] = (float)number(i);
    }
    memset(i4, 0x55, sizeof i4);
    memset(v8, 0x55, sizeof v8);
    from_float(N);
    from_double(N);
    dump("b", b, sizeof b);
    dump("ub", ub, sizeof ub);
    dump("s", s, sizeof s);
    dump("us", us, sizeof us);
    dump("i4", i4, sizeof i4);
    dump("j4", j4, sizeof j4);
    dump("u4", u4, sizeof u4);
    dump("v4", v4, sizeof v4);
    dump("i8", i8, sizeof i8);
    dump("j8", j8, sizeof j8);
    dump("u8", u8, sizeof u8);
    dump("v8", v8, sizeof v8);
    return harness_end();
}
