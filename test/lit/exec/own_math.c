// A program with functions of its own that are called tan and log, which the
// compiler is told (-fno-builtin, -ffreestanding, no_builtin) or sees in the
// same file: loops that call them stay on the host.  Without that, a call of
// tan is one of libm's.
//
// DEFINE: %{flags} =
// DEFINE: %{prefix} = OWN
// DEFINE: %{more} = %t.own.o
// DEFINE: %{both} = %ref_cc %{flags} %s %{more} %harness -lm -o %t.ref && \
// DEFINE:   %run_ref %t.ref && \
// DEFINE:   %checked_cc -mfma %{flags} %s %{more} %harness -lm -o %t.gpu && \
// DEFINE:   %run_checked %t.gpu 2>&1 | %FileCheck --check-prefix=%{prefix} %s && \
// DEFINE:   cmp %t.ref.dump %t.gpu.dump
//
// RUN: %clang -O1 -fno-builtin -DOWN -c -I%S/Inputs -I%programs %s -o %t.own.o
// REDEFINE: %{flags} = -fno-builtin
// RUN: %{both}
// REDEFINE: %{flags} = -ffreestanding
// RUN: %{both}
// REDEFINE: %{flags} = -fno-builtin-tan -fno-builtin-log
// RUN: %{both}
// REDEFINE: %{flags} = -fno-builtin -fno-math-errno
// RUN: %{both}
// REDEFINE: %{flags} = -DLISTED
// RUN: %{both}
// REDEFINE: %{more} =
// REDEFINE: %{flags} = -DSAME_FILE -fno-math-errno
// RUN: %{both}
//
// REDEFINE: %{prefix} = LIBM
// REDEFINE: %{flags} =
// RUN: %{both}
//
// OWN-NOT: kernel tangents
// OWN-NOT: kernel logarithms
// OWN: polygpu: kernel squares_{{.*}} launches=1
// OWN-NOT: kernel tangents
// OWN-NOT: kernel logarithms
// LIBM-DAG: polygpu: kernel tangents_{{.*}} launches=1
// LIBM-DAG: polygpu: kernel logarithms_{{.*}} launches=1
// LIBM-DAG: polygpu: kernel squares_{{.*}} launches=1
#include "exec.h"

double tan(double);
double log(double);

#if defined(OWN) || defined(SAME_FILE)
static double calls;

NOINLINE double tan(double x)
{
    calls = calls + 1;
    return x * 2 + calls;
}

NOINLINE double log(double x)
{
    return x + 100;
}
#endif

#ifdef LISTED
#define PLAIN __attribute__((no_builtin("tan", "log")))
#else
#define PLAIN
#endif

#ifndef OWN
enum { N = 50 };

static double x[N], y[N], z[N];

NOINLINE PLAIN static void tangents(int n)
{
    for (int i = 0; i < n; i++)
        y[i] = tan(x[i]);
}

NOINLINE PLAIN static void logarithms(int n)
{
    for (int i = 0; i < n; i++)
        z[i] = log(x[i]);
}

NOINLINE static void squares(int n)
{
    for (int i = 0; i < n; i++)
        x[i] = x[i] * x[i];
}

HOST void inputs(void)
{
    for (int i = 0; i < N; i++)
        x[i] = 2 + harness_random();
}

int main(int argc, char **argv)
{
    harness_start(argc, argv);
    inputs();
    poison(y, sizeof y);
    poison(z, sizeof z);
    tangents(N);
    logarithms(N);
    squares(N);
    dump("x", x, sizeof x);
    dump("y", y, sizeof y);
    dump("z", z, sizeof z);
    return harness_end();
}
#endif
