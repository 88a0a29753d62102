// Classes with their sizes and data as members, and vectors of integers, whose
// elements might be what the bounds are read from.
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

#include <memory>
#include <vector>

class Grid {
    int r, c;
    int *d;

public:
    Grid(int r, int c) : r(r), c(c), d(new int[r * c + 1]) {}
    Grid(const Grid &) = delete;
    ~Grid() { delete[] d; }
    int rows() const { return r; }
    int cols() const { return c; }
    int &operator()(int i, int j) { return d[i * c + j]; }
    int operator()(int i, int j) const { return d[i * c + j]; }
    int *data() { return d; }
};

template <class T> struct Matrix {
    size_t m_rows, m_cols;
    std::vector<T> m_data;
    Matrix(size_t r, size_t c) : m_rows(r), m_cols(c), m_data(r * c) {}
    size_t rows() const { return m_rows; }
    size_t cols() const { return m_cols; }
    T *operator[](size_t i) { return m_data.data() + i * m_cols; }
    const T *operator[](size_t i) const { return m_data.data() + i * m_cols; }
};

struct Domain {
    std::vector<double> m_x, m_y, m_f;
    std::vector<int> m_id;
    int m_n;
    double &x(int i) { return m_x[i]; }
    double &y(int i) { return m_y[i]; }
    double &f(int i) { return m_f[i]; }
    int &id(int i) { return m_id[i]; }
    int n() const { return m_n; }
};

// == bounds: classes of matrices

SHAPE void grid_sum(Grid &c, const Grid &a)
{
    for (int i = 0; i < a.rows(); i++)
        for (int j = 0; j < a.cols(); j++)
            c(i, j) += a(i, j);
}

SHAPE void grid_product(Grid &c, const Grid &a, const Grid &b)
{
    for (int i = 0; i < a.rows(); i++)
        for (int j = 0; j < b.cols(); j++) {
            c(i, j) = 0;
            for (int k = 0; k < a.cols(); k++)
                c(i, j) += a(i, k) * b(k, j);
        }
}

SHAPE void matrix_sizes(Matrix<size_t> &a, const Matrix<size_t> &b)
{
    for (size_t i = 0; i < a.rows(); i++)
        for (size_t j = 0; j < a.cols(); j++)
            a[i][j] += b[i][j] * 3;
}

SHAPE void matrix_bytes(Matrix<unsigned char> &a,
                        const Matrix<unsigned char> &b)
{
    for (size_t i = 0; i < a.rows(); i++)
        for (size_t j = 0; j < a.cols(); j++)
            a[i][j] += b[i][j] / 2;
}

SHAPE void matrix_floats(Matrix<float> &a, const Matrix<float> &b)
{
    for (size_t i = 0; i < a.rows(); i++)
        for (size_t j = 0; j < a.cols(); j++)
            a[i][j] += b[i][j];
}

// == bounds: classes of vectors

SHAPE void numbered(Domain &d)
{
    for (int i = 0; i < d.n(); i++)
        d.id(i) = i;
}

SHAPE void reset(Domain &d)
{
    for (int i = 0; i < d.n(); i++) {
        d.id(i) = i * 2;
        d.x(i) = 0;
        d.y(i) = d.f(i);
    }
}

SHAPE void moved(Domain &d, double t)
{
    for (int i = 0; i < d.n(); i++) {
        double a = d.f(i);
        d.x(i) += a * t;
        d.y(i) -= a;
    }
}

// == bounds: owned arrays

SHAPE void owned(std::unique_ptr<int[]> &a, const int &n)
{
    for (int i = 0; i < n; i++)
        a[i] = i * 7;
}

// == bounds: size() of std::vector

SHAPE void bytes_by_size(std::vector<unsigned char> &a,
                         const std::vector<unsigned char> &b)
{
    for (size_t i = 0; i < a.size(); i++)
        a[i] += b[i];
}

SHAPE void by_unsigned(std::vector<int> &a, const std::vector<int> &b)
{
    for (unsigned i = 0; i < a.size(); i++)
        a[i] -= b[i];
}

static void run(int n, int m)
{
    Grid a(n, m), b(m, n), c(n, n), e(n, m);
    Matrix<size_t> s(n, m), t(n, m);
    Matrix<unsigned char> p(n, m), q(n, m);
    Matrix<float> f(n, m), g(n, m);
    Domain d = {std::vector<double>(n), std::vector<double>(n),
                std::vector<double>(n), std::vector<int>(n), n};
    std::unique_ptr<int[]> o(new int[n + 1]);
    std::vector<int> u(n * m), v(n * m);

    random_bits(a.data(), n * m * sizeof(int));
    random_bits(b.data(), n * m * sizeof(int));
    random_bits(c.data(), n * n * sizeof(int));
    random_bits(e.data(), n * m * sizeof(int));
    random_bits(s.m_data.data(), n * m * sizeof(size_t));
    random_bits(t.m_data.data(), n * m * sizeof(size_t));
    random_bits(p.m_data.data(), n * m);
    random_bits(q.m_data.data(), n * m);
    random_bits(u.data(), n * m * sizeof(int));
    random_bits(v.data(), n * m * sizeof(int));
    harness_fill(f.m_data.data(), n * m, sizeof(float));
    harness_fill(g.m_data.data(), n * m, sizeof(float));
    harness_fill(d.m_x.data(), n, sizeof(double));
    harness_fill(d.m_y.data(), n, sizeof(double));
    harness_fill(d.m_f.data(), n, sizeof(double));
    for (int i = 0; i < n * m; i++)
        a.data()[i] &= 0xff, b.data()[i] &= 0xff;
    grid_sum(e, a);
    dump("grid_sum", e.data(), n * m * sizeof(int));
    grid_product(c, a, b);
    dump("grid_product", c.data(), n * n * sizeof(int));
    matrix_sizes(s, t);
    dump("matrix_sizes", s.m_data.data(), n * m * sizeof(size_t));
    matrix_bytes(p, q);
    dump("matrix_bytes", p.m_data.data(), n * m);
    matrix_floats(f, g);
    dump("matrix_floats", f.m_data.data(), n * m * sizeof(float));
    moved(d, 0.25), dump("moved", d.m_x.data(), n * sizeof(double));
    numbered(d), dump("numbered", d.m_id.data(), n * sizeof(int));
    reset(d), dump("reset", d.m_id.data(), n * sizeof(int));
    dump("reset x", d.m_x.data(), n * sizeof(double));
    dump("reset y", d.m_y.data(), n * sizeof(double));
    owned(o, n), dump("owned", o.get(), n * sizeof(int));
    bytes_by_size(p.m_data, q.m_data);
    dump("bytes_by_size", p.m_data.data(), n * m);
    by_unsigned(u, v), dump("by_unsigned", u.data(), n * m * sizeof(int));
}

int main(int argc, char **argv)
{
    harness_start(argc, argv);
    run(31, 23);
    run(1, 1);
    run(0, 0);
    return harness_end();
}
