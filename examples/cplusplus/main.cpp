// main.cpp - calls the loops of forms.cpp with random arrays, of which some are too
// short, and prints what they computed, bit for bit: main SEED ROUNDS [overlap]
//
// With "overlap" they are also called with arrays that are the same ones, or parts of
// the same one.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "forms.hpp"

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <stdexcept>

static std::uint64_t state;

static std::size_t any(std::size_t n)
{
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (state >> 33) % n;
}

static Numbers some(std::size_t n)
{
    Numbers v(n);
    for (double &d : v)
        d = (double)any(1000000) / 7e4 - 5;
    return v;
}

static void show(const char *name, const double *v, std::size_t n)
{
    std::uint64_t hash = 7;
    for (std::size_t i = 0; i < n; i++) {
        std::uint64_t bits;
        std::memcpy(&bits, v + i, sizeof bits);
        hash = (hash ^ bits) * 1099511628211u;
        hash ^= hash >> 29;
    }
    std::printf("%s %016llx\n", name, (unsigned long long)hash);
}

static void round(std::size_t n, std::size_t m)
{
    Numbers x = some(n * m), y = some(n * m);
    auto tell = [&](const char *name) { show(name, y.data(), y.size()); };
    vectors(y, x), tell("vectors");
    ranges(y), tell("ranges");
    algorithm(y, x), tell("algorithm");
    spans(y, x), tell("spans");
    lambdas(y.data(), x.data(), n, m), tell("lambdas");
    views({y.data(), (std::ptrdiff_t)n, (std::ptrdiff_t)m - 1, (std::ptrdiff_t)n},
          {x.data(), (std::ptrdiff_t)n, (std::ptrdiff_t)m - 1, (std::ptrdiff_t)n});
    tell("views");
    Matrix<double> a(n, m), b(m, n), c(n, n);
    a.data() = some(n * m), b.data() = some(n * m);
    product(c, a, b), show("product", c.data().data(), n * n);
    Numbers square = some(n * n), transposed = some(any(3) ? n * n : any(n * n + 1));
    try {
        checked(transposed, square, n);
    } catch (const std::out_of_range &) {
        std::puts("out of range");
    }
    show("checked", transposed.data(), transposed.size());
    std::vector<std::array<double, 3>> p(n);
    for (auto &point : p)
        point = {x[0], y[0], (double)n};
    points(p, 1.5), show("points", &p[0][0], 3 * n);
    std::vector<Numbers> list = {x, y, square};
    rows_of_vectors(list);
    for (const Numbers &row : list)
        show("rows", row.data(), row.size());
}

/// The loops that have several arrays, which overlap here.
static void overlapping(std::size_t n)
{
    Numbers y = some(n * n), z = some(n * n);
    auto tell = [&](const char *name) { show(name, y.data(), y.size()); };
    std::ptrdiff_t m = (std::ptrdiff_t)n;
    vectors(y, y), tell("vectors in place");
    algorithm(y, y), tell("algorithm in place");
    spans({y.data(), n * n - 1}, {y.data() + 1, n * n - 1}), tell("spans, read ahead");
    spans({y.data() + 2, n * n - 2}, {y.data(), n * n - 2}), tell("spans, read behind");
    lambdas(y.data() + n, y.data(), n - 1, n - 1), tell("lambdas of one array");
    views({y.data() + 1, m - 1, m, m}, {y.data(), m - 1, m, m}), tell("views of one array");
    checked(z, y, n), show("checked in range", z.data(), z.size());
    checked(y, y, n), tell("checked in place");
    Matrix<double> c(n, n), b(n, n);
    c.data() = z, b.data() = y;
    product(c, c, b), show("product in place", c.data().data(), n * n);
}

int main(int argc, char **argv)
{
    bool overlap = argc > 3 && !std::strcmp(argv[3], "overlap");
    state = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 1;
    for (int i = 0, rounds = argc > 2 ? std::atoi(argv[2]) : 4; i < rounds; i++) {
        round(1 + any(40), 2 + any(40));
        if (overlap)
            overlapping(4 + any(30));
    }
}
