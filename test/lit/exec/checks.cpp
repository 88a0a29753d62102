// Checks that end loops by an exception: the loops run on the device where all
// checks pass, which is known in front of them, and else they are left where they
// were, with what they had written by then.  Sizes are those that fit, ones near
// them, ones whose product wraps around, and bounds behind which a loop that ends
// at one of them begins.
//
// RUN: %gpu_cxx -std=c++17 -gline-tables-only %s %harness -o %t.gpu
// RUN: %ref_cxx -std=c++17 %s %harness -o %t.ref
// RUN: %run_ref %t.ref
// RUN: %run_auto %t.gpu 2> %t.profile
// RUN: cmp %t.ref.dump %t.gpu.dump
// RUN: %FileCheck %s < %t.profile
// RUN: env POLYGPU_DEVICE=emulated POLYGPU_FAULT=launch:1+ %run_plain %t.gpu
// RUN: cmp %t.ref.dump %t.gpu.dump
// RUN: env POLYGPU_DEVICE=emulated POLYGPU_FAULT=out:3+ %run_plain %t.gpu
// RUN: cmp %t.ref.dump %t.gpu.dump
//
// What the remarks say of it.
// RUN: %clang_gpu -std=c++17 -O3 -gline-tables-only -I%S/Inputs -I%programs \
// RUN:   -mllvm -gpu-targets=emulated -Rpass-analysis=gpu-polyhedral -c %s -o %t.o 2>&1 \
// RUN:   | %FileCheck --check-prefix=REMARK %s
//
// CHECK-DAG: polygpu: scop {{.*}}vectors{{.*}} runs={{[1-9]}}{{.*}} declined={{[1-9]}}{{.*}} failed=0
// CHECK-DAG: polygpu: scop {{.*}}product{{.*}} runs={{[1-9]}}{{.*}} declined={{[1-9]}}{{.*}} failed=0
// CHECK-DAG: polygpu: scop {{.*}}upper{{.*}} runs={{[1-9]}}{{.*}} declined={{[1-9]}}{{.*}} failed=0
// CHECK-DAG: polygpu: scop {{.*}}lower{{.*}} runs={{[1-9]}}{{.*}} declined={{[1-9]}}{{.*}} failed=0
// CHECK-DAG: polygpu: scop {{.*}}until{{.*}} runs={{[1-9]}}{{.*}} declined={{[1-9]}}{{.*}} failed=0
// CHECK-DAG: polygpu: scop {{.*}}before{{.*}} runs={{[1-9]}}{{.*}} declined={{[1-9]}}{{.*}} failed=0
// CHECK-DAG: polygpu: scop {{.*}}downwards{{.*}} runs={{[1-9]}}{{.*}} declined={{[1-9]}}{{.*}} failed=0
// CHECK-DAG: polygpu: scop {{.*}}rows{{.*}} runs={{[1-9]}}{{.*}} declined={{[1-9]}}{{.*}} failed=0
// CHECK-DAG: polygpu: scop {{.*}}borders{{.*}} runs={{[1-9]}}{{.*}} declined={{[1-9]}}{{.*}} failed=0
#include "exec.h"

#include <stdexcept>
#include <vector>

using Numbers = std::vector<double>;

// REMARK-DAG: checks.cpp:[[@LINE+3]]:{{.*}} runs on the device if {{.*}} no check in line [[@LINE+4]] fails
NOINLINE static void vectors(Numbers &y, const Numbers &x, int n)
{
    for (int i = 0; i < n; i++)
        y.at(i) += 2 * x.at(i);
}

NOINLINE static void product(Numbers &c, const Numbers &a, const Numbers &b, int n)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            double s = 0;
            for (int k = 0; k < n; k++)
                s -= a.at(i * n + k) > b.at(k * n + j) ? 0.5 : 0.25;
            c.at(i * n + j) = s;
        }
}

NOINLINE static void upper(Numbers &a, const Numbers &x, size_t n)
{
    for (size_t i = 0; i < n; i++)
        for (size_t j = i + 1; j < n; j++)
            a.at(i * n + j) = x.at(j) - x.at(i);
}

NOINLINE static void lower(Numbers &a, const Numbers &x, size_t n)
{
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j <= i; j++)
            a.at(i * n + j) = x.at(j) - x.at(i);
}

NOINLINE static void until(Numbers &y, const Numbers &x, size_t begin, size_t end)
{
    for (size_t i = begin; i != end; i++)
        y.at(i) = 3 * x.at(i);
}

[[noreturn]] NOINLINE static void fail(long place)
{
    throw place;
}

static inline void check(bool holds, long place)
{
    if (__builtin_expect(!holds, 0))
        fail(place);
}

NOINLINE static void before(double *__restrict y, const double *__restrict x, unsigned size,
                            unsigned n)
{
    for (unsigned i = 1; i < n; i++) {
        check(i < size && i - 1 < size, i);
        y[i] = x[i - 1] + x[i];
    }
}

NOINLINE static void downwards(double *__restrict y, const double *__restrict x, int size, int n)
{
    for (int i = n - 1; i >= 0; i--) {
        check(i < size, i);
        y[i] = 3 * x[i];
    }
}

NOINLINE static void rows(double *__restrict y, const double *__restrict x, long size, long n,
                          long m)
{
    for (long i = 0; i < n; i++)
        for (long j = 0; j < m; j++) {
            check(i * m + j < size, i * m + j);
            y[i * m + j] = x[j] * 2;
        }
}

NOINLINE static void borders(double *__restrict y, const double *__restrict x, size_t size,
                             size_t n, size_t m)
{
    for (size_t i = 1; i + 1 < n; i++)
        for (size_t j = 1; j + 1 < m; j++) {
            check((i + 1) * m + j < size && (i - 1) * m + j < size, (long)i);
            y[i * m + j] = x[(i - 1) * m + j] - x[(i + 1) * m + j];
        }
}

//===-- What they are called with -----------------------------------------===//

static const size_t Most = 40;

HOST size_t any(size_t n)
{
    return (size_t)(harness_random() * 1e9) % n;
}

/* n itself in most cases. */
HOST size_t near(size_t n)
{
    switch (any(4)) {
    case 0:
        return any(2 * n + 2);
    case 1:
        return n < 2 ? n : n + any(5) - 2;
    default:
        return n;
    }
}

HOST Numbers some(size_t n)
{
    Numbers v(n);
    random_bits(v.data(), n * sizeof(double));
    for (double &d : v)
        if (!(d > -1e100 && d < 1e100))
            d = 0.5;
    return v;
}

enum Lengths { Right, Short, Any };

HOST void once(unsigned which, size_t n, size_t m, Lengths lengths)
{
    /* Nothing asks for the last element of the last row in borders. */
    auto size = [&](size_t s) { return lengths == Right ? s : lengths == Short ? s - 2 : near(s); };
    bool square = which >= 1 && which <= 3, grid = which >= 7;
    Numbers y = some(size(square ? n * n : grid ? n * m : n));
    Numbers x = some(size(which == 1 ? n * n : n)), z = some(size(n * n));
    /* Of memory that is not checked there is enough. */
    Numbers to = some(4 * Most * Most), from = some(4 * Most * Most);
    size_t length = size(grid ? n * m : n), wrong = lengths == Any ? any(8) : 9;
    /* The square of the first one is 0 in 64 bits. */
    size_t huge = wrong == 0 ? (size_t)1 << 32 : wrong == 1 ? (size_t)-1
                  : wrong == 2 ? (size_t)1 << 63 : n;
    int number = wrong == 0 ? 1 << 16 : wrong == 1 ? -5 : wrong == 2 ? 0x7fffffff : (int)n;
    long what = -1;
    try {
        switch (which) {
        case 0: vectors(y, x, number); break;
        case 1: product(y, x, z, number); break;
        case 2: upper(y, x, huge); break;
        case 3: lower(y, x, huge); break;
        case 4: until(y, x, wrong == 3 ? n + 2 : 0, huge); break;
        case 5: before(to.data(), from.data(), (unsigned)length, (unsigned)n); break;
        case 6: downwards(to.data(), from.data(), (int)length, (int)n); break;
        case 7: rows(to.data(), from.data(), (long)length, (long)n, (long)m); break;
        default: borders(to.data(), from.data(), length, n, m); break;
        }
    } catch (const std::out_of_range &) {
        what = -2;
    } catch (long place) {
        what = place;
    }
    dump("what", &what, sizeof what);
    dump_double("y", y.data(), y.size());
    dump_double("to", to.data(), to.size());
}

int main(int argc, char **argv)
{
    harness_start(argc, argv);
    for (unsigned which = 0; which < 9; which++) {
        once(which, 17, 23, Right);
        once(which, 17, 23, Short);
        for (int round = 0; round < 12; round++)
            once(which, any(Most), any(Most), Any);
    }
    return harness_end();
}
