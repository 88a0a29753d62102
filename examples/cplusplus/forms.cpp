// forms.cpp - loops over containers, views and classes: each says behind == which form it
// is; what is offloaded of them, and what not, is in README.md.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "forms.hpp"

#include <algorithm>

void vectors(Numbers &y, const Numbers &x) // == `std::vector` by index
{
    for (std::size_t i = 0; i < y.size(); i++)
        y[i] += 2 * x[i];
}

void ranges(Numbers &y) // == `std::vector` by range-for
{
    for (double &d : y)
        d = d * 0.5 + 1;
}

void algorithm(Numbers &y, const Numbers &x) // == `std::transform` with a lambda
{
    std::transform(x.begin(), x.end(), y.begin(), [](double d) { return d * d; });
}

void spans(std::span<double> y, std::span<const double> x) // == `std::span`
{
    for (std::size_t i = 1; i < y.size(); i++)
        y[i] = x[i - 1] - x[i];
}

void checked(Numbers &c, const Numbers &a, std::size_t n) // == `at(i * n + j)`
{
    for (std::size_t i = 0; i < n; i++)
        for (std::size_t j = 0; j < n; j++)
            c.at(i * n + j) = a.at(j * n + i);
}

template <typename T>
void product(Matrix<T> &c, const Matrix<T> &a, const Matrix<T> &b) // == matrix class, `operator()`
{
    for (std::size_t i = 0; i < c.rows(); i++)
        for (std::size_t j = 0; j < c.cols(); j++) {
            T sum = 0;
            for (std::size_t k = 0; k < a.cols(); k++)
                sum += a(i, k) * b(k, j);
            c(i, j) = sum;
        }
}

template void product(Matrix<double> &, const Matrix<double> &, const Matrix<double> &);

void views(View<double> b, View<const double> a) // == view by columns, as `std::mdspan`
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

void lambdas(double *y, const double *x, std::size_t n, std::size_t m) // == loops with a lambda
{
    each(n, m, [=](std::size_t i, std::size_t j) { y[i * m + j] = 3 * x[j * n + i]; });
}

void points(std::vector<std::array<double, 3>> &p, double t) // == `std::vector` of `std::array`
{
    for (auto &point : p)
        for (double &d : point)
            d *= t;
}

/// Each row by itself.
void rows_of_vectors(std::vector<Numbers> &a) // == `std::vector` of `std::vector`
{
    for (auto &row : a)
        for (double &d : row)
            d += 1;
}
