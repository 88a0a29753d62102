// Structures that are passed by value, as iterators with several members are,
// count like variables; and a pointer that is stored between two loops is in
// the way of neither.
//
// RUN: %gpu_cxx -mfma %s %harness -o %t.gpu
// RUN: %ref_cxx %s %harness -o %t.ref
// RUN: %run_ref %t.ref
// RUN: %run_gpu %t.gpu 2>&1 | %FileCheck %s
// RUN: cmp %t.ref.dump %t.gpu.dump
//
// CHECK: polygpu: scop {{.*}}copied{{.*}} runs=1 declined=0 failed=0
// CHECK-NEXT: polygpu: kernel {{.*}} launches=1
// CHECK: polygpu: scop {{.*}}scaled{{.*}} runs=1 declined=0 failed=0
// CHECK-NEXT: polygpu: kernel {{.*}} launches=1
// CHECK: polygpu: scop twice {{.*}} runs=1 declined=0 failed=0
// CHECK-NEXT: polygpu: kernel {{.*}} launches=1
// CHECK: polygpu: scop twice {{.*}} runs=1 declined=0 failed=0
// CHECK-NEXT: polygpu: kernel {{.*}} launches=1
#include "exec.h"

#include <vector>

struct Pair {
    double *to;
    const double *from;
    long left, pad;

    bool more() const { return left > 0; }
    void next() { ++to, ++from, --left; }
};

struct Cell {
    double *data;
    int nx, ny, i, j;

    double &operator*() const { return data[j * nx + i]; }
    Cell &operator++()
    {
        ++i;
        return *this;
    }
};

APART void copied(Pair p)
{
    for (; p.more(); p.next())
        *p.to = 2 * *p.from;
}

APART void scaled(Cell c, int n, double f)
{
    for (int k = 0; k < n; ++k, ++c)
        *c *= f;
}

extern "C" APART void twice(int n, double *a, double **last)
{
    for (int i = 0; i < n; i++)
        a[i] *= 2;
    *last = a + n;
    for (int i = 0; i < n; i++)
        a[i] += i;
}

int main(int argc, char **argv)
{
    const int N = 1000;
    std::vector<double> a(N), b(N), c(N);
    double *last = nullptr;

    harness_start(argc, argv);
    harness_fill(a.data(), N, sizeof(double));
    harness_fill(c.data(), N, sizeof(double));
    poison(b.data(), N * sizeof(double));
    Pair p = {b.data(), a.data(), N, 3};
    copied(p);
    Cell at = {a.data(), 20, 50, 3, 7};
    scaled(at, 300, 3);
    twice(N, c.data(), &last);
    long written = last - c.data();
    dump("written", &written, sizeof written);
    dump("cell", &at.i, sizeof at.i); // the caller's is another one
    dump("left", &p.left, sizeof p.left);
    dump("a", a.data(), N * sizeof(double));
    dump("b", b.data(), N * sizeof(double));
    dump("c", c.data(), N * sizeof(double));
    return harness_end();
}
