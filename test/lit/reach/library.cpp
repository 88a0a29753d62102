// Algorithms and containers of C++'s library, each in a function of its own.
//
// RUN: %gpu_cxx %record %s %harness -o %t.gpu
// RUN: %ref_cxx %s %harness -o %t.ref
// RUN: %run_ref %t.ref
// RUN: %run_gpu %t.gpu > %t.out 2>&1
// RUN: %shapes
// RUN: cmp %t.ref.dump %t.gpu.dump
extern "C" {
#include "reach.h"
}

#include <algorithm>
#include <array>
#include <complex>
#include <numeric>
#include <vector>

using Floats = std::vector<float>;
using Ints = std::vector<int>;

// == algorithms: of iterators

IN_LIBRARY("transformI.*11transformed")
void transformed(Floats &a, const Floats &b)
{
    std::transform(b.begin(), b.end(), a.begin(),
                   [](float x) { return 2 * x + 1; });
}

IN_LIBRARY("20transformed_in_place")
void transformed_in_place(Floats &a)
{
    std::transform(a.begin(), a.end(), a.begin(),
                   [](float x) { return x * x; });
}

IN_LIBRARY("15transformed_two")
void transformed_two(Floats &a, const Floats &b, const Floats &c)
{
    std::transform(b.begin(), b.end(), c.begin(), a.begin(),
                   [](float x, float y) { return x * y; });
}

IN_LIBRARY("for_eachI.*21for_each_with_capture")
void for_each_with_capture(Floats &a, float by)
{
    std::for_each(a.begin(), a.end(), [by](float &x) { x *= by; });
}

IN_LIBRARY("__fill_a1IPff")
void filled(Floats &a, float x)
{
    std::fill(a.begin(), a.end(), x);
}

IN_LIBRARY("__fill_a1IPii")
void filled_n(Ints &a, int n)
{
    std::fill_n(a.begin(), n, 7);
}

IN_LIBRARY("swap_rangesI")
void exchanged(Ints &a, Ints &b)
{
    std::swap_ranges(a.begin(), a.end(), b.begin());
}

IN_LIBRARY("replace_ifI.*8replaced")
void replaced(Ints &a, int what)
{
    std::replace_if(a.begin(), a.end(), [what](int x) { return x < what; }, 0);
}

REFUSED("loop not offloaded: every loop depends on its own earlier "
        "iterations; nothing can run in parallel (the loops write '__gen', "
        "'__first'); write results to an array that the loop does not "
        "read, or use one element per iteration instead of one scalar (the "
        "loop is in line ? of stl_algo.h, in a function of a library that "
        "is called here)")
void generated(Ints &a, int from)
{
    std::generate(a.begin(), a.end(), [&from] { return from++; }); // here
}

// == algorithms: with a result

IN_LIBRARY("accumulateI.*PKi")
int accumulated(const Ints &a)
{
    return std::accumulate(a.begin(), a.end(), 0);
}

IN_LIBRARY("inner_productI")
int inner_product(const Ints &a, const Ints &b)
{
    return std::inner_product(a.begin(), a.end(), b.begin(), 0);
}

IN_LIBRARY("__count_ifI.*equals_val")
long counted(const Ints &a, int what)
{
    return std::count(a.begin(), a.end(), what);
}

IN_LIBRARY("__count_ifI.*10counted_if")
long counted_if(const Floats &a)
{
    return std::count_if(a.begin(), a.end(), [](float x) { return x > 0; });
}

REFUSED("loop not offloaded: every loop depends on its own earlier "
        "iterations; nothing can run in parallel ('__init' is a result of "
        "floating-point numbers that depends on their order); allow "
        "another order with -ffast-math, or for sums and products with "
        "-mllvm -gpu-reassociate-reductions (the loop is in line ? of "
        "stl_numeric.h, in a function of a library that is called here)")
float sum_of_floats(const Floats &a)
{
    return std::accumulate(a.begin(), a.end(), 0.0f); // here
}

REFUSED("loop not offloaded: the loop in line ? of stl_algobase.h has more "
        "than one exit; remove break, return and goto, or split the search "
        "from the computation (the loop is in line ? of stl_algobase.h, in "
        "a function of a library that is called here)")
bool has_negative(const Floats &a)
{
    auto is_low = [](float x) { return x < -1.4f; };
    return std::any_of(a.begin(), a.end(), is_low); // here
}

IN_LIBRARY("partial_sumI")
void partial_sums(Ints &a)
{
    std::partial_sum(a.begin(), a.end(), a.begin());
}

// == containers: std::array and more

SHAPE void of_arrays(std::vector<std::array<float, 3>> &p, float t)
{
    for (size_t i = 0; i < p.size(); i++)
        for (size_t c = 0; c < 3; c++)
            p[i][c] *= t;
}

SHAPE void complex_numbers(std::vector<std::complex<float>> &z, float t)
{
    for (auto &x : z)
        x = std::complex<float>(x.real() * t, x.imag() - t);
}

SHAPE void at_index(Floats &a, const Ints &index, const Floats &b)
{
    for (size_t i = 0; i < index.size(); i++)
        a[i] = b[index[i]];
}

REFUSED("loop not offloaded: array 'the value loaded from p' is accessed "
        "with different element types (int and float); use one type")
void of_pairs(std::vector<std::pair<int, float>> &p)
{
    for (auto &[number, weight] : p) // here
        weight = number * 0.5f;
}

SHAPE void by_data(Floats &a, const Floats &b)
{
    float *to = a.data();
    const float *from = b.data();
    for (size_t i = 0, n = a.size(); i < n; ++i)
        to[i] = from[i] - 1;
}

struct Field {
    int width, height;
    Floats cells;
    float &at(int x, int y)
    {
        return cells[y * width + x];
    }
    float at(int x, int y) const
    {
        return cells[y * width + x];
    }
};

SHAPE void smoothed(Field &to, const Field &from)
{
    for (int y = 1; y < from.height - 1; y++)
        for (int x = 1; x < from.width - 1; x++)
            to.at(x, y) = 0.25f * (from.at(x - 1, y) + from.at(x + 1, y) +
                                   from.at(x, y - 1) + from.at(x, y + 1));
}

template <typename T> static void keep(const char *name, const T &a)
{
    dump(name, a.data(), a.size() * sizeof a[0]);
}

static void run(int n)
{
    Floats a(n), b(n), c(n);
    Ints k(n), l(n), index(n);
    std::vector<std::array<float, 3>> p(n);
    std::vector<std::complex<float>> z(n);
    std::vector<std::pair<int, float>> q(n);
    Field f = {n, 3, Floats(3 * n)}, g = f;

    harness_fill(a.data(), n, sizeof(float));
    harness_fill(b.data(), n, sizeof(float));
    harness_fill(c.data(), n, sizeof(float));
    harness_fill(p.data(), 3 * n, sizeof(float));
    harness_fill(z.data(), 2 * n, sizeof(float));
    harness_fill(g.cells.data(), 3 * n, sizeof(float));
    for (int i = 0; i < n; i++) {
        k[i] = (int)(harness_random() * 5);
        l[i] = (int)(harness_random() * 5);
        index[i] = (int)((harness_random() + 1.5) / 3 * n) % n;
        q[i].first = i;
    }
    transformed(a, b), keep("transformed", a);
    transformed_in_place(a), keep("in_place", a);
    transformed_two(a, b, c), keep("two", a);
    for_each_with_capture(a, 3), keep("for_each", a);
    filled(a, 4), keep("filled", a);
    RESULT(accumulated(k));
    RESULT(inner_product(k, l));
    RESULT(counted(k, 2));
    RESULT(counted_if(b));
    RESULT(sum_of_floats(b));
    RESULT(has_negative(b));
    exchanged(k, l), keep("exchanged", l);
    filled_n(k, n / 2), keep("filled_n", k);
    replaced(l, 1), keep("replaced", l);
    generated(k, 5), keep("generated", k);
    partial_sums(k), keep("partial_sum", k);
    of_arrays(p, 3), keep("of_arrays", p);
    complex_numbers(z, 2), keep("complex", z);
    at_index(a, index, b), keep("at_index", a);
    of_pairs(q);
    for (auto &[number, weight] : q)
        dump("of_pairs", &weight, sizeof weight);
    by_data(a, b), keep("by_data", a);
    smoothed(f, g), keep("smoothed", f.cells);
}

int main(int argc, char **argv)
{
    harness_start(argc, argv);
    run(113);
    run(1);
    run(0);
    return harness_end();
}
