// Complex numbers of floats, which clang hands on as vectors of two: their
// matrices are copied to shared memory by several at once, arrays that are
// accessed as vectors and by parts have one type, and sums of them are
// reductions.
//
// RUN: %gpu_cxx -mfma %s %harness -o %t.gpu
// RUN: %ref_cxx %s %harness -o %t.ref
// RUN: %run_ref %t.ref
// RUN: %run_gpu %t.gpu 2>&1 | %FileCheck %s
// RUN: cmp %t.ref.dump %t.gpu.dump
//
// CHECK: polygpu: scop {{.*}}rows{{.*}} runs=1 declined=0 failed=0
// CHECK-NEXT: polygpu: kernel {{.*}} launches=1
// CHECK: polygpu: scop {{.*}}product{{.*}} runs=1 declined=0 failed=0
// CHECK-NEXT: polygpu: kernel {{.*}} launches=1
// CHECK: polygpu: scop {{.*}}butterflies{{.*}} runs=1 declined=0 failed=0
// CHECK-NEXT: polygpu: kernel {{.*}} launches=1
// CHECK: polygpu: scop {{.*}}sum{{.*}} runs=1 declined=0 failed=0
// CHECK: polygpu: kernel {{.*}} launches=1
#include "exec.h"

#include <complex>
#include <vector>

using C = std::complex<float>;

APART void rows(C *y, const C *a, const C *x, int n)
{
    for (int i = 0; i < n; i++) {
        C s = 0;
        for (int j = 0; j < n; j++)
            s += a[i * n + j] * x[j];
        y[i] = s;
    }
}

APART void product(C *c, const C *a, const C *b, int n)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            C s = 0;
            for (int k = 0; k < n; k++)
                s += a[i * n + k] * b[k * n + j];
            c[i * n + j] = s;
        }
}

APART void butterflies(std::vector<C> &a, const std::vector<C> &w, int n)
{
    for (int i = 0; i < n; i++) {
        C u = a[i], t = w[i] * a[i + n];
        a[i] = u + t;
        a[i + n] = u - t;
    }
}

APART float _Complex sum(const float _Complex *a, int n)
{
#pragma clang fp reassociate(on)
    float _Complex s = 0;
    for (int i = 0; i < n; i++)
        s += a[i];
    return s;
}

int main(int argc, char **argv)
{
    const int N = 70;
    std::vector<C> a(N * N), b(N * N), c(N * N), x(N), y(N);
    harness_start(argc, argv);
    harness_fill(a.data(), 2 * N * N, sizeof(float));
    harness_fill(b.data(), 2 * N * N, sizeof(float));
    harness_fill(x.data(), 2 * N, sizeof(float));
    poison(c.data(), c.size() * sizeof c[0]);
    poison(y.data(), y.size() * sizeof y[0]);
    rows(y.data(), a.data(), x.data(), N);
    product(c.data(), a.data(), b.data(), N);
    butterflies(a, b, 1000);
    dump("y", y.data(), y.size() * sizeof y[0]);
    dump("c", c.data(), c.size() * sizeof c[0]);
    dump("a", a.data(), a.size() * sizeof a[0]);
    for (C &v : b) // whole numbers, which are summed exactly
        v = C(int(v.real() * 64), int(v.imag() * 64));
    float _Complex s = sum((const float _Complex *)b.data(), N * N);
    dump("s", &s, sizeof s);
    return harness_end();
}
