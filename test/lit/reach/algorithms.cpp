// Algorithms of the library on std::vector, and loops from the end to the begin.
//
// RUN: %gpu_cxx %record %s %harness -o %t.gpu
// RUN: %ref_cxx %s %harness -o %t.ref
// RUN: %run_ref %t.ref
// RUN: %run_auto %t.gpu > %t.out 2>&1
// RUN: %shapes
// RUN: %FileCheck %s < %t.out
// RUN: cmp %t.ref.dump %t.gpu.dump
//
// The loops are in functions of the library.
// CHECK-DAG: polygpu: scop {{_ZSt9transform.*St4plusI.*}} runs=2 declined=0 failed=0
// CHECK-DAG: polygpu: kernel {{_ZSt9transform.*St4plusI.*}} launches=2
// CHECK-DAG: polygpu: scop {{_ZSt9transform.*twice.*}} runs=2 declined=0 failed=0
// CHECK-DAG: polygpu: kernel {{_ZSt9transform.*twice.*}} launches=2
// CHECK-DAG: polygpu: scop {{_ZSt8for_each.*}} runs=2 declined=0 failed=0
// CHECK-DAG: polygpu: kernel {{_ZSt8for_each.*}} launches=2
// CHECK-DAG: polygpu: scop {{_ZSt7replace.*}} runs=2 declined=0 failed=0
// CHECK-DAG: polygpu: kernel {{_ZSt7replace.*}} launches=2
// CHECK-DAG: polygpu: scop {{_ZSt4iota.*}} runs=2 declined=0 failed=0
// CHECK-DAG: polygpu: kernel {{_ZSt4iota.*}} launches=2
// CHECK-DAG: polygpu: scop {{.*6chosen.*}} runs=2 declined=2 failed=0
// CHECK-DAG: polygpu: kernel {{.*__fill_a1IPff.*}} launches={{[1-9]}}
// CHECK-DAG: polygpu: kernel {{.*__copy_m.*}} launches=2
// CHECK-DAG: polygpu: kernel {{_ZSt12reverse_copy.*}} launches=2
extern "C" {
#include "reach.h"
}

#include <algorithm>
#include <functional>
#include <numeric>
#include <vector>

using Floats = std::vector<float>;
using Ints = std::vector<int>;

struct twice {
    float operator()(float x) const
    {
        return 2 * x;
    }
};

// == bounds: loops from the end to the begin

SHAPE void backwards(float *begin, float *end)
{
    while (end != begin) {
        --end;
        *end *= 2;
    }
}

SHAPE void reverse_iterators(Ints &a)
{
    for (auto p = a.rbegin(); p != a.rend(); ++p)
        *p *= 3;
}

SHAPE void copied_backwards(Floats &a, const Floats &b)
{
    auto q = b.begin();
    for (auto p = a.rbegin(); p != a.rend(); ++p, ++q)
        *p = *q;
}

// == bounds: vectors of vectors

IN_PART("loop not offloaded: the number of iterations of the loop in line "
        "here is not known before it starts or is not affine; copy the "
        "bound into a local variable before the loop and avoid leaving the "
        "loop on data")
void vectors_of_vectors(std::vector<Floats> &a)
{
    for (auto &row : a) // here
        for (float &x : row)
            x = x * x + 1;
}

// Not all of its runs.
__attribute__((noinline)) static void chosen(Ints &a, const int &old,
                                             const int &now)
{
    for (int &x : a)
        if (x == old)
            x = now;
}

__attribute__((noinline)) static void
algorithms(Ints &a, const Ints &b, Floats &f, Floats &g, std::vector<double> &d)
{
    Ints sum(a.size());

    std::transform(a.begin(), a.end(), b.begin(), sum.begin(),
                   std::plus<int>());
    a = sum;
    std::replace(a.begin(), a.end(), 2, 1);
    std::transform(g.begin(), g.end(), f.begin(), twice());
    std::for_each(f.begin(), f.end(), [](float &x) { x += 1; });
    std::copy(f.begin(), f.end(), d.begin());
    std::reverse_copy(f.begin(), f.end(), g.begin());
    std::fill(f.begin(), f.end(), g.empty() ? 0 : g[0]);
}

__attribute__((noinline)) static void numbers(Ints &a)
{
    std::iota(a.begin(), a.end(), 3);
}

template<typename T> static void keep(const char *name, std::vector<T> &a)
{
    dump(name, a.data(), a.size() * sizeof(T));
}

static void run(size_t n)
{
    Ints a(n), b(n);
    Floats f(n), g(n);
    std::vector<double> d(n);
    std::vector<Floats> rows(3, Floats(n));

    random_bits(a.data(), n * sizeof(int));
    random_bits(b.data(), n * sizeof(int));
    for (size_t i = 0; i < n; i++)
        a[i] &= 3, b[i] &= 3;
    harness_fill(f.data(), n, sizeof(float));
    harness_fill(g.data(), n, sizeof(float));
    for (Floats &row : rows)
        harness_fill(row.data(), n, sizeof(float));
    backwards(f.data(), f.data() + n), keep("backwards", f);
    reverse_iterators(b), keep("reverse", b);
    copied_backwards(g, f), keep("copied", g);
    vectors_of_vectors(rows), keep("row 0", rows[0]), keep("row 2", rows[2]);
    algorithms(a, b, f, g, d);
    keep("a", a), keep("f", f), keep("g", g), keep("d", d);
    chosen(a, 1, 7), keep("chosen", a);
    // What is looked for is changed on the way.
    if (n > 1)
        chosen(a, a[n / 2], b[0]), chosen(a, a[0], b[0]);
    keep("chosen", a);
    numbers(b), keep("numbers", b);
}

int main(int argc, char **argv)
{
    harness_start(argc, argv);
    run(113);
    run(1);
    run(0);
    return harness_end();
}
