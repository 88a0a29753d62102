// forms.hpp - classes that hold arrays, and what forms.cpp has loops for.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef FORMS_HPP
#define FORMS_HPP

#include <array>
#include <cstddef>
#include <span>
#include <vector>

using Numbers = std::vector<double>;

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

void vectors(Numbers &y, const Numbers &x);
void ranges(Numbers &y);
void algorithm(Numbers &y, const Numbers &x);
void spans(std::span<double> y, std::span<const double> x);
void checked(Numbers &c, const Numbers &a, std::size_t n);
template <typename T> void product(Matrix<T> &c, const Matrix<T> &a, const Matrix<T> &b);
void views(View<double> b, View<const double> a);
void lambdas(double *y, const double *x, std::size_t n, std::size_t m);
void points(std::vector<std::array<double, 3>> &p, double t);
void rows_of_vectors(std::vector<Numbers> &a);

#endif
