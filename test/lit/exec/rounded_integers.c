// lrint, lround and their like: numbers between two integers, just below half,
// too large ones, infinities and NaNs.  A function of the program's own that has
// such a name is none of them.
//
// DEFINE: %{flags} =
// DEFINE: %{prefix} = CHECK
// DEFINE: %{both} = %ref_cc %{flags} %s %harness -lm -o %t.ref && \
// DEFINE:   %run_ref %t.ref 700 && \
// DEFINE:   %gpu_cc -mfma %{flags} %s %harness -lm -o %t.gpu && \
// DEFINE:   %run_gpu %t.gpu 700 2>&1 | %FileCheck --check-prefix=%{prefix} %s && \
// DEFINE:   cmp %t.ref.dump %t.gpu.dump
//
// RUN: %{both}
// REDEFINE: %{flags} = -fno-math-errno
// RUN: %{both}
// REDEFINE: %{prefix} = OWN
// REDEFINE: %{flags} = -fno-builtin-lrint
// RUN: %{both}
// REDEFINE: %{flags} = -DSAME_FILE
// RUN: %{both}
//
// CHECK-DAG: polygpu: kernel nearest_{{.*}} launches=1
// CHECK-DAG: polygpu: kernel nearest_float_{{.*}} launches=1
// CHECK-DAG: polygpu: kernel nearest_long_{{.*}} launches=1
// CHECK-DAG: polygpu: kernel away_{{.*}} launches=1
// CHECK-DAG: polygpu: kernel away_float_{{.*}} launches=1
// CHECK-DAG: polygpu: kernel samples_{{.*}} launches=1
//
// OWN-NOT: polygpu: kernel nearest_{{[0-9]}}
// OWN: polygpu: kernel nearest_float_{{.*}} launches=1
// OWN-NOT: polygpu: kernel nearest_{{[0-9]}}
#include "exec.h"

#ifdef SAME_FILE
NOINLINE long lrint(double x)
{
    static volatile long calls;

    calls = calls + 1;
    return (long)(x < 100 && x > -100 ? x : 0) + calls;
}
#else
long lrint(double);
#endif
long lrintf(float);
long long llrint(double), llrintf(float), llround(double), llroundf(float);
long lround(double), lroundf(float);

enum { MOST = 1000 };

static double x[MOST];
static float y[MOST];
static long a[MOST], b[MOST];
static long long c[MOST], d[MOST];
static short s[MOST];
static int t[MOST];

NOINLINE static void nearest(int n)
{
    for (int i = 0; i < n; i++)
        a[i] = lrint(x[i]);
}

NOINLINE static void nearest_float(int n)
{
    for (int i = 0; i < n; i++)
        b[i] = lrintf(y[i]);
}

NOINLINE static void nearest_long(int n)
{
    for (int i = 0; i < n; i++) {
        c[i] = llrint(x[i] * 3);
        d[i] = llrintf(y[i]) + (x[i] > 0);
    }
}

NOINLINE static void away(int n)
{
    for (int i = 0; i < n; i++) {
        a[i] = lround(x[i]);
        c[i] = llround(-x[i]);
    }
}

NOINLINE static void away_float(int n)
{
    for (int i = 0; i < n; i++) {
        b[i] = lroundf(y[i]);
        d[i] = llroundf(y[i] * 0.5f);
    }
}

// As programs make samples and pixels of floating-point numbers.
NOINLINE static void samples(int n)
{
    for (int i = 0; i < n; i++) {
        float v = y[i] * 32768.0f;

        if (v >= 32767.0f)
            s[i] = 32767;
        else if (v <= -32768.0f)
            s[i] = -32768;
        else
            s[i] = (short)lrintf(v);
        t[i] = (int)lrintf(y[i]);
    }
}

int main(int argc, char **argv)
{
    static const double special[] = {
        0.0, -0.0, 0.5, -0.5, 1.5, 2.5, -2.5, 0.49999999999999994,
        -0.49999999999999994, 0x1p52 + 0.5, 0x1p53 + 1, 0x1p62, 0x1p63,
        -0x1p63, 0x1.fffffffffffffp62, -0x1.0000000000001p63, 0x1p64, 1e300,
        -1e300, 5e-324, __builtin_inf(), -__builtin_inf(), __builtin_nan(""),
        0x1.fffffep-2, 0x1.fffffep62, -0x1.000002p63, 8388609.5, 4503599627370497.5,
        2147483647.5, -2147483648.5, 4e9};
    enum { SPECIAL = sizeof special / sizeof *special };
    int n;

    harness_start(argc, argv);
    n = harness_size(1);
    for (int i = 0; i < MOST; i++) {
        double r = harness_random();

        x[i] = i < SPECIAL ? special[i]
               : i % 4 == 0 ? (double)(long)(r * 1e4) + 0.5
               : i % 4 == 1 ? r * 1e19 : i % 4 == 2 ? r * 1e15 : r * 10;
        y[i] = i % 4 == 3 ? (float)r : (float)x[i];
    }
    poison(a, sizeof a);
    poison(b, sizeof b);
    poison(c, sizeof c);
    poison(d, sizeof d);
    poison(s, sizeof s);
    poison(t, sizeof t);
    nearest(n);
    nearest_float(n);
    nearest_long(n);
    dump("a", a, sizeof a);
    dump("b", b, sizeof b);
    dump("c", c, sizeof c);
    dump("d", d, sizeof d);
    away(n);
    away_float(n);
    samples(n);
    dump("away a", a, sizeof a);
    dump("away b", b, sizeof b);
    dump("away c", c, sizeof c);
    dump("away d", d, sizeof d);
    dump("s", s, sizeof s);
    dump("t", t, sizeof t);
    return harness_end();
}
