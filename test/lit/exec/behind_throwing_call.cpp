// Loops behind a call that may throw, whose result they begin with: addresses made of
// it that are used behind the loops, one of two of them chosen by a condition, are
// computed in front of the loops and behind the call.  A vector is made like this, by
// a call to fill it, which is not inlined.  Computed in front of the call, which ends
// its block, they made the function's code invalid, and none of its loops was
// offloaded.
//
// RUN: %gpu_cxx -std=c++17 %s %harness -o %t.gpu
// RUN: %ref_cxx -std=c++17 %s %harness -o %t.ref
// RUN: %run_ref %t.ref
// RUN: %run_auto %t.gpu 2> %t.profile
// RUN: cmp %t.ref.dump %t.gpu.dump
// RUN: %FileCheck %s < %t.profile
//
// CHECK-DAG: polygpu: scop {{.*}}fill{{.*}} runs=2 declined=0 failed=0
// CHECK-DAG: polygpu: scop make{{.*}} runs=3 declined=0 failed=0
#include "exec.h"

#include <new>

struct Owner {
    void *owned;
    explicit Owner(void *p) : owned(p) {}
    ~Owner() { ::operator delete(owned); }
};

NOINLINE static void fill(double *first, double *last, double value)
{
    for (; first != last; ++first)
        *first = value;
}

/// What is stored behind both is their length.
extern "C" NOINLINE void make(double *to, size_t n)
{
    Owner first(::operator new(sizeof(double)));
    double *b = static_cast<double *>(::operator new(n * sizeof(double)));
    Owner second(b);
    double *end = b + 1;
    *b = to[0];
    if (n != 1) {
        end = b + n;
        fill(b + 1, end, to[1]);
    }
    b[0] = static_cast<double>(end - b);
    for (size_t i = 0; i < n; i++)
        to[i] = b[i] + 2.0 * static_cast<double>(i);
}

int main(int argc, char **argv)
{
    static const size_t sizes[] = {1, 2, 300};
    harness_start(argc, argv);
    for (size_t n : sizes) {
        static double to[300];
        poison(to, sizeof to);
        harness_fill(to, 2, sizeof *to);
        make(to, n);
        dump_double("to", to, n);
    }
    return harness_end();
}
