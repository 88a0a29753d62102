// NaN, infinities, both zeros and denormals through selects, comparisons,
// conversions, division and square root; all but the NaNs' own bits equal.
//
// RUN: %gpu_cc %s %harness -lm -o %t.gpu
// RUN: %ref_cc %s %harness -lm -o %t.ref
// RUN: %run_ref %t.ref
// RUN: %run_gpu %t.gpu 2>&1 | %FileCheck %s
// RUN: cmp %t.ref.dump %t.gpu.dump
//
// CHECK: polygpu: scop compare {{.*}} runs=1 declined=0 failed=0
// CHECK: polygpu: kernel {{.*}} launches=1
// CHECK: polygpu: scop arithmetic {{.*}} runs=1 declined=0 failed=0
// CHECK: polygpu: kernel {{.*}} launches=1
// CHECK: polygpu: scop convert {{.*}} runs=1 declined=0 failed=0
// CHECK: polygpu: kernel {{.*}} launches=1
// CHECK: polygpu: scop move {{.*}} runs=1 declined=0 failed=0
// CHECK: polygpu: kernel {{.*}} launches=1
#include "exec.h"

#include <float.h>
#include <math.h>

enum { N = 16 };

static double x[N], y[N][N], z[N][N], moved[N];
static float f[N], g[N][N], narrow[N];
static int flags[N][N], whole[N];
static unsigned char small[N];
static long big[N];

NOINLINE static void compare(int n)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            flags[i][j] = (x[i] < x[j]) + 2 * (x[i] <= x[j]) +
                          4 * (x[i] == x[j]) + 8 * (x[i] != x[j]) +
                          16 * !(x[i] > x[j]) + 32 * !(x[i] >= x[j]);
            y[i][j] = x[i] < x[j] ? x[i] : x[j];
        }
}

NOINLINE static void arithmetic(int n)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            z[i][j] = x[i] * x[j] + x[i] / x[j] - x[j];
            g[i][j] = (f[i] - f[j]) * f[j] + sqrtf(f[i]) + -f[j];
        }
}

/* What is converted to an integer is in its range: all else is undefined. */
NOINLINE static void convert(int n)
{
    for (int i = 0; i < n; i++) {
        double limited = x[i] > -1e9 && x[i] < 1e9 ? x[i] : -0.75;
        whole[i] = (int)limited;
        big[i] = (long)(limited * 1e9);
        small[i] = (unsigned char)(limited > 0 && limited < 200 ? limited : 7);
        narrow[i] = (float)x[i];
    }
}

NOINLINE static void move(int n)
{
    for (int i = 0; i < n; i++)
        moved[i] = x[n - 1 - i];
}

int main(int argc, char **argv)
{
    const double values[N] = {
        0.0, -0.0, INFINITY, -INFINITY, NAN, DBL_MIN, -DBL_MIN / 3,
        DBL_TRUE_MIN, DBL_MAX, 1e-42, -1e39, 0.5, -2.5, 123.75,
        0, 0};

    harness_start(argc, argv);
    for (int i = 0; i < N; i++) {
        x[i] = i < 14 ? values[i] : harness_random();
        f[i] = i < 14 ? (float)values[i] : (float)harness_random();
    }
    poison(y, sizeof y), poison(z, sizeof z), poison(g, sizeof g);
    poison(flags, sizeof flags), poison(whole, sizeof whole);
    poison(small, sizeof small), poison(big, sizeof big);
    poison(narrow, sizeof narrow), poison(moved, sizeof moved);
    compare(N);
    arithmetic(N);
    convert(N);
    move(N);
    dump("flags", flags, sizeof flags);
    dump_double("y", &y[0][0], N * N);
    dump_double("z", &z[0][0], N * N);
    dump_float("g", &g[0][0], N * N);
    dump("whole", whole, sizeof whole);
    dump("big", big, sizeof big);
    dump("small", small, sizeof small);
    dump_float("narrow", narrow, N);
    dump_double("moved", moved, N);
    return harness_end();
}
