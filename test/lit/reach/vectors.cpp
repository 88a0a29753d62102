// std::vector: bounds that are read in each iteration, range-for, iterators and
// algorithms, with vectors that are empty too.
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
#include <numeric>
#include <vector>

using Floats = std::vector<float>;

struct Point {
    float x, y, z;
};

// == bounds: size() of std::vector

SHAPE void by_size(Floats &a, const Floats &b)
{
    for (size_t i = 0; i < a.size(); i++)
        a[i] = b[i] * 2;
}

SHAPE void by_int(Floats &a, const Floats &b)
{
    for (int i = 0; i < (int)a.size(); i++)
        a[i] = b[i] * 3;
}

SHAPE void without_borders(Floats &a, const Floats &b)
{
    for (size_t i = 1; i + 1 < a.size(); i++)
        a[i] = b[i - 1] + b[i + 1];
}

SHAPE void longs(std::vector<long> &a, const std::vector<long> &b)
{
    for (size_t i = 0; i < a.size(); i++)
        a[i] += b[i] * 2;
}

// == pointers: range-for and iterators

SHAPE void range_for(Floats &a)
{
    for (float &x : a)
        x = x * x + 1;
}

SHAPE void iterators(Floats &a, const Floats &b)
{
    auto q = b.begin();
    for (auto p = a.begin(); p != a.end(); ++p, ++q)
        *p = *q + 1;
}

SHAPE void points(std::vector<Point> &p, float t)
{
    for (Point &q : p) {
        q.x += t * q.z;
        q.y -= t;
    }
}

// == bounds: local std::vector

SHAPE void local(int n, float *out)
{
    Floats t(n);
    for (int i = 0; i < n; i++)
        t[i] = i * 0.5f;
    for (int i = 0; i < n; i++)
        out[i] = t[n - 1 - i];
}

struct twice {
    float operator()(float x) const { return 2 * x; }
};
struct add_one {
    void operator()(float &x) const { x += 1; }
};

// The SCoP is in the function that is called for it.
__attribute__((noinline)) static void algorithms(Floats &a, const Floats &b)
{
    std::transform(b.begin(), b.end(), a.begin(), twice());
    std::for_each(a.begin(), a.end(), add_one());
}

template <typename T> static void keep(const char *name, std::vector<T> &a)
{
    dump(name, a.data(), a.size() * sizeof(T));
}

static void run(size_t n)
{
    Floats a(n), b(n), c(n);
    std::vector<long> l(n), m(n);
    std::vector<Point> p(n);

    random_bits(l.data(), n * sizeof(long));
    random_bits(m.data(), n * sizeof(long));
    harness_fill(a.data(), n, sizeof(float));
    harness_fill(b.data(), n, sizeof(float));
    harness_fill(&p.data()->x, 3 * n, sizeof(float));
    by_size(a, b), keep("by_size", a);
    by_int(a, b), keep("by_int", a);
    without_borders(a, b), keep("without_borders", a);
    longs(l, m), keep("longs", l);
    range_for(b), keep("range_for", b);
    iterators(a, b), keep("iterators", a);
    points(p, b.empty() ? 0 : b[0]), keep("points", p);
    local(n, c.data()), keep("local", c);
    algorithms(a, b), keep("algorithms", a);
}

int main(int argc, char **argv)
{
    harness_start(argc, argv);
    run(113);
    run(2);
    run(0);
    return harness_end();
}
