// What is not offloaded behaves as it is written: math calls outside of loops
// and in loops that stay on the host set errno and signgam, also where nobody
// uses their results or another call has the same operand, floating-point
// flags are those of the program's own operations, and calls come in their
// order.  A loop that looks at errno is one of those, also if that is all that
// is in the way.
//
// RUN: %ref_cc %s %harness -lm -o %t.ref
// RUN: %run_ref %t.ref
// (Without -gpu-verify=execute, to which what loops leave in errno is memory.)
// RUN: %clang_gpu -O3 -mllvm -gpu-offload -mllvm -gpu-targets=emulated-checked \
// RUN:   -I%S/Inputs -I%programs -mfma -Rpass-missed=gpu %s %harness -lm \
// RUN:   -o %t.gpu 2>&1 | %FileCheck --check-prefix=REMARK %s
// RUN: %run_checked %t.gpu 2>&1 | %FileCheck %s
// RUN: cmp %t.ref.dump %t.gpu.dump
//
// CHECK-DAG: polygpu: scop straight {{.*}} runs=1 declined=0 failed=0
// CHECK-DAG: polygpu: scop host_loop {{.*}} runs=1 declined=0 failed=0
// CHECK-DAG: polygpu: scop unused {{.*}} runs=1 declined=0 failed=0
// CHECK-DAG: polygpu: scop twice {{.*}} runs=1 declined=0 failed=0
// CHECK-DAG: polygpu: scop sign {{.*}} runs=1 declined=0 failed=0
// CHECK-DAG: polygpu: scop flags {{.*}} runs=1 declined=0 failed=0
// CHECK-DAG: polygpu: kernel straight_{{.*}} launches=1
// CHECK-DAG: polygpu: kernel host_loop_{{.*}} launches=1
// CHECK-DAG: polygpu: kernel unused_{{.*}} launches=1
// CHECK-DAG: polygpu: kernel kept_{{.*}} launches=1
// CHECK-DAG: polygpu: kernel twice_{{.*}} launches=1
// CHECK-DAG: polygpu: kernel sign_{{.*}} launches=1
// CHECK-DAG: polygpu: kernel flags_{{.*}} launches=1
#define _GNU_SOURCE
#include "exec.h"

#include <errno.h>
#include <fenv.h>
#include <math.h>

enum { N = 50 };

static double x[N], y[N], z[N];
static int numbers[N], codes[N], seen[100], n_seen;

HOST void note(int what)
{
    seen[n_seen++] = what;
}

/* A value that no compiler knows. */
HOST double given(double value)
{
    return value;
}

NOINLINE static int straight(double v)
{
    errno = 0;
    y[0] = log(v);
    if (errno)
        return errno;
    for (int i = 0; i < N; i++)
        x[i] = exp(x[i] - 1);
    return 0;
}

NOINLINE static int host_loop(int n)
{
    int bad = 0;

    for (int i = 0; i < n; i++) {
        errno = 0;
        y[i] = sqrt(x[i] - 1);
        note(errno);
        bad += errno == EDOM;
    }
    for (int i = 0; i < n; i++)
        z[i] = exp(z[i]) + y[0];
    return bad;
}

NOINLINE static int unused(double v, int n)
{
    errno = 0;
    (void)log(v);
    note(errno);
    errno = 0;
    for (int i = 0; i < n; i++) {
        (void)log(v - i);
        note(errno); // REMARK: [[#@LINE-2]]:5:{{.*}}not offloaded: {{.*}}'note'
    }
    for (int i = 0; i < N; i++)
        z[i] = z[i] * sqrt(x[i]);
    return errno;
}

NOINLINE static double leaves(int n)
{
    for (int i = 0; i < n; i++) {
        double s;

        errno = 0;
        s = log(x[i] - 1);
        if (errno)
            return i;
        y[i] = s;
    }
    for (int i = 0; i < n; i++)
        z[i] = z[i] + y[i];
    return n;
}

NOINLINE static void kept(int n)
{
    int *e = &errno;

    for (int i = 0; i < n; i++) {
        y[i] = log(x[i] - 1);
        codes[i] = *e; // REMARK: [[#@LINE-2]]:5:{{.*}}not offloaded: errno is used
    }
    for (int i = 0; i < n; i++)
        z[i] = z[i] * 3;
}

NOINLINE static void twice(double v)
{
    double first, second;

    errno = 0;
    first = log(v);
    note(errno);
    errno = 0;
    second = log(v);
    note(errno);
    for (int i = 0; i < N; i++)
        z[i] = z[i] * pow(x[i], 0.5);
    errno = 0;
    y[1] = pow(v, 0.5);
    note(errno + (first != second));
}

NOINLINE static int sign(double v)
{
    y[2] = lgamma(v);
    note(signgam);
    for (int i = 0; i < N; i++)
        z[i] = z[i] + lgamma(1 + x[i] * x[i]);
    return signgam;
}

/* Integers only: the loop raises no flag.  Values go through memory, or LLVM
 * may compute them before the flags are cleared. */
NOINLINE static void flags(volatile double *v)
{
    feclearexcept(FE_ALL_EXCEPT);
    for (int i = 0; i < N; i++)
        numbers[i] = numbers[i] * 3 + i;
    note(fetestexcept(FE_ALL_EXCEPT));
    *v = 1 / *v;
    note(fetestexcept(FE_ALL_EXCEPT));
}

int main(int argc, char **argv)
{
    volatile double zero = given(0);

    harness_start(argc, argv);
    harness_fill(x, N, sizeof(double));
    harness_fill(z, N, sizeof(double));
    for (int i = 0; i < N; i++)
        x[i] = fabs(x[i]);
    x[3] = given(0.5);
    x[4] = given(1.25);
    poison(y, sizeof y);
    poison(codes, sizeof codes);
    note(straight(given(-1)));
    note(straight(given(0)));
    note(straight(given(2)));
    note(host_loop(given(N) - 2));
    note(unused(given(-1), 1 + (int)given(2)));
    note((int)leaves(4));
    errno = 0;
    kept(N);
    twice(given(-4));
    note(sign(given(-0.5)));
    for (int i = 0; i < N; i++)
        numbers[i] = (int)(harness_random() * 1000);
    flags(&zero);
    dump("x", x, sizeof x);
    dump_double("y", y, N);
    dump_double("z", z, N);
    dump("numbers", numbers, sizeof numbers);
    dump("codes", codes, sizeof codes);
    dump("seen", seen, sizeof seen);
    return harness_end();
}
