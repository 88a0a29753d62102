// Eigen itself: MatrixXd by A(i, j), by columns and by rows, Map of other memory, and an
// expression, whose loops are Eigen's own (dense_assignment_loop); with its assertions and
// without them, element by element and by vectors of two elements. Those of four, which
// -mfma would bring, are not offloaded.
//
// REQUIRES: eigen
// DEFINE: %{assertions} =
// DEFINE: %{vectors} = -DEIGEN_DONT_VECTORIZE
// DEFINE: %{eigen} = -std=c++17 -isystem /usr/include/eigen3 %{vectors} %{assertions}
// DEFINE: %{test} = \
// DEFINE:   %ref_cxx %{eigen} %s %harness -lm -o %t.ref && \
// DEFINE:   %run_ref %t.ref && \
// DEFINE:   %gpu_cxx -mfma %{eigen} %s %harness -lm -o %t.gpu && \
// DEFINE:   %run_gpu %t.gpu 2> %t.profile && \
// DEFINE:   cmp %t.ref.dump %t.gpu.dump && \
// DEFINE:   %FileCheck %s < %t.profile
//
// RUN: %{test}
// REDEFINE: %{assertions} = -DNDEBUG
// RUN: %{test}
// REDEFINE: %{vectors} = -U__AVX__ -U__FMA__
// RUN: %{test}
//
// CHECK-DAG: scop _ZL7product{{.*}} runs=1 declined=0 failed=0
// CHECK-DAG: kernel _ZL7product{{.*}} launches=1
// CHECK-DAG: scop _ZL7stencil{{.*}} runs=1 declined=0 failed=0
// CHECK-DAG: kernel _ZL7stencil{{.*}} launches=1
// CHECK-DAG: scop _ZL6mapped{{.*}} runs=1 declined=0 failed=0
// CHECK-DAG: kernel _ZL6mapped{{.*}} launches=1
// CHECK-DAG: scop _ZL7vectors{{.*}} runs=1 declined=0 failed=0
// CHECK-DAG: kernel _ZL7vectors{{.*}} launches=1
// CHECK-DAG: scop _ZN5Eigen8internal21dense_assignment_loop{{.*}} runs=1 declined=0 failed=0
// CHECK-DAG: kernel _ZN5Eigen8internal21dense_assignment_loop{{.*}} launches=1
#include "exec.h"

#include <Eigen/Dense>

using Eigen::MatrixXd;
using Eigen::VectorXd;
using ByRows = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

NOINLINE static void product(MatrixXd &c, const MatrixXd &a, const MatrixXd &b)
{
    for (int j = 0; j < c.cols(); j++)
        for (int i = 0; i < c.rows(); i++) {
            double sum = 0;
            for (int k = 0; k < a.cols(); k++)
                sum += a(i, k) * b(k, j);
            c(i, j) = sum;
        }
}

NOINLINE static void stencil(ByRows &b, const ByRows &a)
{
    for (int i = 1; i < a.rows() - 1; i++)
        for (int j = 1; j < a.cols() - 1; j++)
            b(i, j) = a(i - 1, j) + a(i + 1, j) - a(i, j - 1) * a(i, j + 1);
}

NOINLINE static void mapped(double *to, const double *from, int rows, int cols)
{
    Eigen::Map<MatrixXd> b(to, rows, cols);
    Eigen::Map<const MatrixXd> a(from, rows, cols);
    for (int j = 0; j < cols; j++)
        for (int i = 0; i < rows; i++)
            b(i, j) = 3 * a(i, j) - b(i, j);
}

NOINLINE static void vectors(VectorXd &y, const MatrixXd &a, const VectorXd &x)
{
    for (int i = 0; i < a.rows(); i++)
        for (int j = 0; j < a.cols(); j++)
            y(i) += a(i, j) * x(j);
}

NOINLINE static void expression(MatrixXd &a, const MatrixXd &b)
{
    a = a + 2 * b;
}

template <class M> static void fill(M &m)
{
    harness_fill(m.data(), (size_t)m.size(), sizeof(double));
}

int main(int argc, char **argv)
{
    enum { N = 41, M = 35, L = 9 };
    static double from[N * M], to[N * M];
    MatrixXd a(N, L), b(L, M), c(N, M), d(N, M);
    ByRows r(N, M), s(N, M);
    VectorXd x(L), y(N);

    harness_start(argc, argv);
    fill(a);
    fill(b);
    poison(c.data(), sizeof(double) * N * M);
    product(c, a, b);
    dump_double("product", c.data(), N * M);

    fill(r);
    poison(s.data(), sizeof(double) * N * M);
    stencil(s, r);
    dump_double("stencil", s.data(), N * M);

    harness_fill(from, N * M, sizeof(double));
    harness_fill(to, N * M, sizeof(double));
    mapped(to, from, N, M);
    dump_double("mapped", to, N * M);

    fill(x);
    fill(y);
    vectors(y, a, x);
    dump_double("vectors", y.data(), N);

    fill(d);
    expression(c, d);
    dump_double("expression", c.data(), N * M);
    return harness_end();
}
