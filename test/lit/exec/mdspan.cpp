// std::mdspan of libc++: by rows, by columns, with constant extents, with a stride for each
// dimension, and one of three dimensions. The reference has the same header; it is compiled
// into the program, which needs no library of it.
//
// REQUIRES: libc++
// DEFINE: %{mdspan} = -std=c++23 -stdlib=libc++ -nostdlib++
// RUN: %ref_cxx %{mdspan} %s %harness -lm -o %t.ref
// RUN: %run_ref %t.ref
// RUN: %gpu_cxx -mfma %{mdspan} %s %harness -lm -o %t.gpu
// RUN: %run_auto %t.gpu 2> %t.profile
// RUN: cmp %t.ref.dump %t.gpu.dump
// RUN: %FileCheck %s < %t.profile
// RUN: env POLYGPU_DEVICE=emulated POLYGPU_FAULT=launch:1+ %run_plain %t.gpu
// RUN: cmp %t.ref.dump %t.gpu.dump
//
// CHECK-DAG: scop {{.*}}stencil{{.*}} runs=1 declined=0 failed=0
// CHECK-DAG: kernel {{.*}}stencil{{.*}} launches=1
// CHECK-DAG: scop {{.*}}product{{.*}} runs=1 declined=0 failed=0
// CHECK-DAG: kernel {{.*}}product{{.*}} launches=1
// CHECK-DAG: scop {{.*}}constant{{.*}} runs=1 declined=0 failed=0
// CHECK-DAG: kernel {{.*}}constant{{.*}} launches=1
// Where the last stride is not 1 the original loops run.
// CHECK-DAG: scop {{.*}}strided{{.*}} runs=1 declined=1 failed=0
// CHECK-DAG: kernel {{.*}}strided{{.*}} launches=1
// CHECK-DAG: scop {{.*}}volume{{.*}} runs=1 declined=0 failed=0
// CHECK-DAG: kernel {{.*}}volume{{.*}} launches=1
#include "exec.h"

#include <array>
#include <mdspan>

template <class T> using Matrix = std::mdspan<T, std::dextents<size_t, 2>>;
template <class T> using ByColumns = std::mdspan<T, std::dextents<int, 2>, std::layout_left>;
template <class T> using Narrow = std::mdspan<T, std::extents<int, std::dynamic_extent, 7>>;
template <class T> using Strided = std::mdspan<T, std::dextents<long, 2>, std::layout_stride>;
template <class T> using Volume = std::mdspan<T, std::dextents<int, 3>>;

NOINLINE static void stencil(Matrix<double> b, Matrix<const double> a)
{
    for (size_t i = 1; i < a.extent(0) - 1; i++)
        for (size_t j = 1; j < a.extent(1) - 1; j++)
            b[i, j] = a[i - 1, j] + a[i + 1, j] - a[i, j - 1] * a[i, j + 1];
}

NOINLINE static void product(ByColumns<double> c, ByColumns<const double> a,
                             ByColumns<const double> b)
{
    for (int j = 0; j < c.extent(1); j++)
        for (int i = 0; i < c.extent(0); i++) {
            double sum = 0;
            for (int k = 0; k < a.extent(1); k++)
                sum += a[i, k] * b[k, j];
            c[i, j] = sum;
        }
}

NOINLINE static void constant(Narrow<double> y, Narrow<const double> x, double factor)
{
    for (int i = 0; i < y.extent(0); i++)
        for (int j = 0; j < y.extent(1); j++)
            y[i, j] += factor * x[i, j];
}

NOINLINE static void strided(Strided<double> y, Strided<const double> x)
{
    for (long i = 0; i < y.extent(0); i++)
        for (long j = 0; j < y.extent(1); j++)
            y[i, j] = 2 * x[i, j] + y[i, j];
}

NOINLINE static void volume(Volume<double> b, Volume<const double> a)
{
    for (int i = 1; i < a.extent(0) - 1; i++)
        for (int j = 0; j < a.extent(1); j++)
            for (int k = 0; k < a.extent(2); k++)
                b[i, j, k] = a[i + 1, j, k] - a[i - 1, j, k];
}

int main(int argc, char **argv)
{
    enum { N = 41, M = 35, L = 9, Most = N * M * L };
    static double x[Most], y[Most], z[Most];
    auto start = [] {
        harness_fill(x, Most, sizeof(double));
        harness_fill(y, Most, sizeof(double));
        poison(z, sizeof z);
    };

    harness_start(argc, argv);
    start();
    stencil(Matrix<double>(z, N, M), Matrix<const double>(x, N, M));
    dump_double("stencil", z, Most);
    start();
    product(ByColumns<double>(z, N, M), ByColumns<const double>(x, N, L),
            ByColumns<const double>(y, L, M));
    dump_double("product", z, Most);
    start();
    constant(Narrow<double>(y, N), Narrow<const double>(x, N), harness_random());
    dump_double("constant", y, Most);
    for (long step = 1; step <= 2; step++) {
        using Layout = Strided<double>::mapping_type;
        Layout layout(std::dextents<long, 2>(N, M), std::array<long, 2>{2 * M, step});
        start();
        strided(Strided<double>(y, layout), Strided<const double>(x, layout));
        dump_double("strided", y, Most);
    }
    start();
    volume(Volume<double>(z, N, M, L), Volume<const double>(x, N, M, L));
    dump_double("volume", z, Most);
    return harness_end();
}
