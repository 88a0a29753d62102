// Classes whose bounds and pointers are members, vectors of arrays, and
// std::complex: what the loops cannot change is read in front of them.
//
// RUN: %gpu_cxx -mfma %s %harness -o %t.gpu
// RUN: %ref_cxx %s %harness -o %t.ref
// RUN: %run_ref %t.ref
// RUN: %run_gpu %t.gpu 2>&1 | %FileCheck %s
// RUN: cmp %t.ref.dump %t.gpu.dump
//
// CHECK: polygpu: scop {{.*}}vectors{{.*}} runs=1 declined=0 failed=0 bytes_in=10000 bytes_out=10000
// CHECK-NEXT: polygpu: kernel {{.*}} launches=1
// CHECK: polygpu: scop {{.*}}Matrix5scale{{.*}} runs=1 declined=0 failed=0 bytes_in=10240 bytes_out=10240
// CHECK-NEXT: polygpu: kernel {{.*}} launches=1
// CHECK: polygpu: scop {{.*}}dynamic{{.*}} runs=1 declined=0 failed=0 bytes_in=3200 bytes_out=3200
// CHECK-NEXT: polygpu: kernel {{.*}} launches=1
// CHECK: polygpu: scop {{.*}}numbers{{.*}} runs=1 declined=0 failed=0 bytes_in=320 bytes_out=320
// CHECK-NEXT: polygpu: kernel {{.*}} launches=1
#include "exec.h"

#include <array>
#include <complex>
#include <vector>

using Row = std::array<double, 50>;

struct Matrix {
    double a[64][64];
    int rows;

    void scale(double f)
    {
        for (int i = 0; i < rows; i++)
            for (int j = 0; j < 64; j++)
                a[i][j] *= f;
    }
};

struct Dynamic {
    int n;
    double *p;

    double &at(int i, int j) { return p[i * n + j]; }
};

APART void vectors(std::vector<Row> &v, const std::vector<Row> &u,
                             int n)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < 50; j++)
            v[i][j] = 2 * u[i][j];
}

APART void members(Matrix &m) { m.scale(2); }

APART void dynamic(Dynamic &d)
{
    for (int i = 0; i < d.n; i++)
        for (int j = 0; j < d.n; j++)
            d.at(i, j) *= 3;
}

APART void numbers(int n, std::complex<double> *a,
                             const std::complex<double> *b)
{
    for (int i = 0; i < n; i++)
        a[i] = b[i] * 2.0;
}

int main(int argc, char **argv)
{
    static Matrix m;
    static double p[20 * 20];
    std::vector<Row> u(25), v(27);
    std::vector<std::complex<double>> a(20), b(20);
    Dynamic d = {20, p};

    harness_start(argc, argv);
    poison(v.data(), v.size() * sizeof v[0]);
    poison(a.data(), a.size() * sizeof a[0]);
    poison(&m, sizeof m);
    harness_fill(u.data(), 25 * 50, sizeof(double));
    harness_fill(b.data(), 40, sizeof(double));
    harness_fill(m.a, 20 * 64, sizeof(double));
    harness_fill(p, 20 * 20, sizeof(double));
    m.rows = 20;
    vectors(v, u, 25);
    members(m);
    dynamic(d);
    numbers(20, a.data(), b.data());
    dump("v", v.data(), v.size() * sizeof v[0]);
    dump("m", &m, sizeof m);
    dump("p", p, sizeof p);
    dump("a", a.data(), a.size() * sizeof a[0]);
    return harness_end();
}
