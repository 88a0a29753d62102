// Checks of two and four members in one condition, as accessors of matrix classes have
// them: i < rows && j < columns. LLVM reads the second member ahead and forgets its type;
// it is known nevertheless that no store to an element changes it. The loops run on the
// device where all checks pass, and else they are left where they were, with what they had
// written by then. With "fail" an assertion ends the program, as it ends the original.
//
// RUN: %gpu_cxx -std=c++17 -gline-tables-only %s %harness -o %t.gpu
// RUN: %ref_cxx -std=c++17 -gline-tables-only %s %harness -o %t.ref
// RUN: %run_ref %t.ref
// RUN: %run_auto %t.gpu 2> %t.profile
// RUN: cmp %t.ref.dump %t.gpu.dump
// RUN: %FileCheck %s < %t.profile
// RUN: env POLYGPU_DEVICE=emulated POLYGPU_FAULT=launch:1+ %run_plain %t.gpu
// RUN: cmp %t.ref.dump %t.gpu.dump
// RUN: env POLYGPU_SEED=1 %run_ref %not --crash %t.ref fail 2> %t.ref.said
// RUN: env POLYGPU_SEED=1 POLYGPU_DEVICE=emulated %run_plain %not --crash %t.gpu fail \
// RUN:   2> %t.gpu.said
// RUN: cmp %t.ref.dump %t.gpu.dump
// RUN: %FileCheck --check-prefix=SAID %s < %t.ref.said
// RUN: %FileCheck --check-prefix=SAID %s < %t.gpu.said
//
// CHECK-DAG: polygpu: scop {{.*}}scale{{.*}} runs=1 declined=0 failed=0
// CHECK-DAG: polygpu: kernel {{.*}}scale{{.*}} launches=1
// CHECK-DAG: polygpu: scop {{.*}}product{{.*}} runs=1 declined=0 failed=0
// CHECK-DAG: polygpu: kernel {{.*}}product{{.*}} launches=1
// CHECK-DAG: polygpu: scop {{.*}}stencil{{.*}} runs=1 declined=3 failed=0
// CHECK-DAG: polygpu: kernel {{.*}}stencil{{.*}} launches=1
// CHECK-DAG: polygpu: scop {{.*}}spread{{.*}} runs=1 declined=1 failed=0
// CHECK-DAG: polygpu: kernel {{.*}}spread{{.*}} launches=1
// SAID: joined_checks.cpp:{{.*}}i < rows && j < columns
#undef NDEBUG
#include "exec.h"

#include <cassert>
#include <csignal>
#include <cstdlib>

/* By rows; an assertion. */
struct Asserted {
    double *values;
    size_t rows, columns;
    double &operator()(size_t i, size_t j)
    {
        assert(i < rows && j < columns);
        return values[i * columns + j];
    }
    const double &operator()(size_t i, size_t j) const
    {
        assert(i < rows && j < columns);
        return values[i * columns + j];
    }
};

[[noreturn]] NOINLINE static void fail(long place)
{
    throw place;
}

/* By columns, as Eigen's; four comparisons and an exception. */
struct Thrown {
    double *values;
    long rows, columns;
    double &operator()(long i, long j) const
    {
        if (!(i >= 0 && i < rows && j >= 0 && j < columns))
            fail(i * 1000 + j);
        return values[i + j * rows];
    }
};

NOINLINE static void scale(Asserted &b, const Asserted &a)
{
    for (size_t i = 0; i < a.rows; i++)
        for (size_t j = 0; j < a.columns; j++)
            b(i, j) = a(i, j) * 0.5;
}

NOINLINE static void product(Asserted &c, const Asserted &a, const Asserted &b, size_t n, size_t m,
                             size_t l)
{
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < m; j++) {
            c(i, j) = 0;
            for (size_t k = 0; k < l; k++)
                c(i, j) -= a(i, k) > b(k, j) ? 0.5 : 0.25;
        }
}

NOINLINE static void stencil(Thrown &b, const Thrown &a, long from, long rows, long columns)
{
    for (long j = 1; j < columns - 1; j++)
        for (long i = from; i < rows - 1; i++)
            b(i, j) = (a(i - 1, j) + a(i + 1, j)) - (a(i, j - 1) + a(i, j + 1));
}

/* A trap after which clang goes on. */
NOINLINE static void spread(Thrown &b, const double *__restrict x, long rows, long columns)
{
    for (long j = 0; j < columns; j++)
        for (long i = 0; i < rows; i++) {
            if (i >= b.rows || j >= b.columns)
                __builtin_trap();
            b.values[i + j * b.rows] = x[i];
        }
}

//===-- What they are called with -----------------------------------------===//

enum { N = 43, M = 37, L = 29, Most = N * N };

static double one[Most], two[Most], three[Most];

HOST void at_end(int)
{
    dump_double("at the end", three, Most);
    harness_end();
    signal(SIGABRT, SIG_DFL);
    abort();
}

HOST void at_trap(int)
{
    dump_double("at the trap", three, Most);
    harness_end();
    exit(0); /* prints the profile */
}

HOST void start(void)
{
    harness_fill(one, Most, sizeof(double));
    harness_fill(two, Most, sizeof(double));
    poison(three, sizeof three);
}

HOST void stencil_of(long from, long rows, long columns)
{
    Thrown a = {one, N, M}, b = {three, N, M};
    long what = -1;
    start();
    try {
        stencil(b, a, from, rows, columns);
    } catch (long place) {
        what = place;
    }
    dump("what", &what, sizeof what);
    dump_double("stencil", three, Most);
}

int main(int argc, char **argv)
{
    harness_start(argc, argv);
    Asserted a = {one, N, M}, b = {three, N, M}, l = {one, N, L}, r = {two, L, M};
    if (argc > 1) {
        signal(SIGABRT, at_end);
        start();
        product(b, l, r, N, M + 1, L);
        return harness_end();
    }
    start();
    scale(b, a);
    dump_double("scale", three, Most);
    start();
    product(b, l, r, N, M, L);
    dump_double("product", three, Most);
    /* Nothing is asked for an element of a matrix of no columns. */
    product(b, l, r, N, 0, L);

    stencil_of(1, N, M);
    stencil_of(1, N + 1, M);
    stencil_of(1, N, M + 1);
    stencil_of(0, N, M);

    Thrown s = {three, N, M};
    start();
    spread(s, one, N, M);
    dump_double("spread", three, Most);
    start();
    signal(SIGILL, at_trap);
    spread(s, one, N, M + 1);
    return 1;
}
