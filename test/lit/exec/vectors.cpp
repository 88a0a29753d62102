// C++: the data of std::vector, templates over the element type, and lambdas.
//
// RUN: %gpu_cxx %s %harness -o %t.gpu
// RUN: %ref_cxx %s %harness -o %t.ref
// RUN: %run_ref %t.ref
// RUN: %run_gpu %t.gpu 2>&1 | %FileCheck %s
// RUN: cmp %t.ref.dump %t.gpu.dump
//
// CHECK: polygpu: scop {{.*}}axpy{{.*}} runs=1 declined=0 failed=0
// CHECK: polygpu: kernel {{.*}} launches=1
// CHECK: polygpu: scop {{.*}}axpy{{.*}} runs=1 declined=0 failed=0
// CHECK: polygpu: kernel {{.*}} launches=1
// CHECK: polygpu: scop {{.*}}square{{.*}} runs=1 declined=0 failed=0
// CHECK: polygpu: kernel {{.*}} launches=1
#include "exec.h"

#include <vector>

template <typename T>
NOINLINE void axpy(T factor, const std::vector<T> &x, std::vector<T> &y)
{
    const T *from = x.data();
    T *to = y.data();
    size_t n = x.size();

    for (size_t i = 0; i < n; i++)
        to[i] = factor * from[i] + to[i];
}

template <int N> struct Matrix {
    float element[N][N];
    float &at(int i, int j) { return element[i][j]; }
};

template <int N> NOINLINE void square(Matrix<N> &a, Matrix<N> &b)
{
    auto product = [&](int i, int j) {
        float sum = 0;
        for (int k = 0; k < N; k++)
            sum += a.at(i, k) * a.at(k, j);
        return sum;
    };

    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            b.at(i, j) = product(i, j);
}

int main(int argc, char **argv)
{
    harness_start(argc, argv);
    std::vector<float> a(100), b(100);
    std::vector<double> c(77), d(77);
    static Matrix<18> e, f;
    harness_fill(a.data(), 100, 4);
    harness_fill(b.data(), 100, 4);
    harness_fill(c.data(), 77, 8);
    harness_fill(d.data(), 77, 8);
    harness_fill(&e, 18 * 18, 4);
    poison(&f, sizeof f);
    axpy(1.5f, a, b);
    axpy(-2.25, c, d);
    square(e, f);
    dump_float("b", b.data(), 100);
    dump_double("d", d.data(), 77);
    dump_float("f", &f.element[0][0], 18 * 18);
    return harness_end();
}
