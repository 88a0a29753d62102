// forms.cpp - loops over containers, views and classes: what is offloaded of them, and
// what not, is in README.md.  With random arrays, some too short, it prints what was
// computed, bit for bit: forms SEED ROUNDS
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <span>
#include <stdexcept>
#include <vector>

using Numbers = std::vector<double>;

//===-- Classes -----------------------------------------------------------===//

/// A matrix with its memory, like those of many libraries.
template <typename T> class Matrix {
public:
    Matrix(std::size_t rows, std::size_t cols) : rows_(rows), cols_(cols), data_(rows * cols) {}
    T &operator()(std::size_t i, std::size_t j) { return data_[i * cols_ + j]; }
    const T &operator()(std::size_t i, std::size_t j) const { return data_[i * cols_ + j]; }
    std::size_t rows() const { return rows_; }
    std::size_t cols() const { return cols_; }
    std::vector<T> &data() { return data_; }

private:
    std::size_t rows_, cols_;
    std::vector<T> data_;
};

/// A view of memory by columns with a distance between them, like std::mdspan with
/// layout_left and Eigen's Map.
template <typename T> class View {
public:
    View(T *data, std::ptrdiff_t rows, std::ptrdiff_t cols, std::ptrdiff_t distance)
        : data_(data), rows_(rows), cols_(cols), distance_(distance)
    {
    }
    T &operator()(std::ptrdiff_t i, std::ptrdiff_t j) const { return data_[i + j * distance_]; }
    std::ptrdiff_t rows() const { return rows_; }
    std::ptrdiff_t cols() const { return cols_; }

private:
    T *data_;
    std::ptrdiff_t rows_, cols_, distance_;
};

//===-- Loops -------------------------------------------------------------===//

#define FORM __attribute__((noinline)) static

FORM void vectors(Numbers &y, const Numbers &x)
{
    for (std::size_t i = 0; i < y.size(); i++)
        y[i] += 2 * x[i];
}

FORM void ranges(Numbers &y)
{
    for (double &d : y)
        d = d * 0.5 + 1;
}

FORM void algorithm(Numbers &y, const Numbers &x)
{
    std::transform(x.begin(), x.end(), y.begin(), [](double d) { return d * d; });
}

FORM void spans(std::span<double> y, std::span<const double> x)
{
    for (std::size_t i = 1; i < y.size(); i++)
        y[i] = x[i - 1] - x[i];
}

FORM void checked(Numbers &c, const Numbers &a, std::size_t n)
{
    for (std::size_t i = 0; i < n; i++)
        for (std::size_t j = 0; j < n; j++)
            c.at(i * n + j) = a.at(j * n + i);
}

template <typename T> FORM void product(Matrix<T> &c, const Matrix<T> &a, const Matrix<T> &b)
{
    for (std::size_t i = 0; i < c.rows(); i++)
        for (std::size_t j = 0; j < c.cols(); j++) {
            T sum = 0;
            for (std::size_t k = 0; k < a.cols(); k++)
                sum += a(i, k) * b(k, j);
            c(i, j) = sum;
        }
}

FORM void views(View<double> b, View<const double> a)
{
    for (std::ptrdiff_t j = 1; j < a.cols() - 1; j++)
        for (std::ptrdiff_t i = 1; i < a.rows() - 1; i++)
            b(i, j) = 0.25 * (a(i - 1, j) + a(i + 1, j) + a(i, j - 1) + a(i, j + 1));
}

/// Calls a lambda in each point.
template <typename F> static inline void each(std::size_t n, std::size_t m, F f)
{
    for (std::size_t i = 0; i < n; i++)
        for (std::size_t j = 0; j < m; j++)
            f(i, j);
}

FORM void lambdas(double *y, const double *x, std::size_t n, std::size_t m)
{
    each(n, m, [=](std::size_t i, std::size_t j) { y[i * m + j] = 3 * x[j * n + i]; });
}

FORM void points(std::vector<std::array<double, 3>> &p, double t)
{
    for (auto &point : p)
        for (double &d : point)
            d *= t;
}

/// Each row by itself.
FORM void rows_of_vectors(std::vector<Numbers> &a)
{
    for (auto &row : a)
        for (double &d : row)
            d += 1;
}

//===-- What they are called with -----------------------------------------===//

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

int main(int argc, char **argv)
{
    state = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 1;
    for (int i = 0, rounds = argc > 2 ? std::atoi(argv[2]) : 4; i < rounds; i++)
        round(1 + any(40), 2 + any(40));
}
