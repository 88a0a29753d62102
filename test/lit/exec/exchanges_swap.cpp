// A time loop that exchanges pointers by std::swap is one nest: two of them, and four in
// turn.
//
// RUN: %gpu_cxx -mfma %s %harness -o %t.gpu
// RUN: %ref_cxx %s %harness -o %t.ref
// RUN: %run_ref %t.ref
// RUN: %run_gpu %t.gpu 2>&1 | %FileCheck %s
// RUN: cmp %t.ref.dump %t.gpu.dump
//
// 21 steps: ten pairs in one launch, copied back, and a sweep.
//
// CHECK: scop {{.*}}sweeps{{.*}} runs=1 declined=0 failed=0
// CHECK-NEXT: kernel {{.*}} launches=1
// CHECK-NEXT: kernel {{.*}} launches=0
// CHECK-NEXT: kernel {{.*}} launches=1
// CHECK-NEXT: kernel {{.*}} launches=1
//
// 23 steps: five times four in one launch, three arrays copied back, and three steps one
// behind the other. The fourth array is no step's input.
//
// CHECK: scop {{.*}}four{{.*}} runs=1 declined=0 failed=0
// CHECK-NEXT: kernel {{.*}} launches=1
// CHECK-NEXT: kernel {{.*}} launches=0
#include "exec.h"

#include <utility>
#include <vector>

NOINLINE static void sweeps(int n, int steps, double *a, double *b)
{
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            b[i] = (a[i - 1] + a[i + 1]) / 2;
        std::swap(a, b);
    }
}

NOINLINE static void four(int n, int steps, double *__restrict a,
                          double *__restrict b, double *__restrict c,
                          double *__restrict d)
{
    for (int t = 0; t < steps; t++) {
        for (int i = 1; i < n - 1; i++)
            d[i] = 0.5 * c[i] + 0.25 * (b[i - 1] + b[i + 1]) - a[i];
        std::swap(a, b);
        std::swap(b, c);
        std::swap(c, d);
    }
}

int main(int argc, char **argv)
{
    enum { N = 2000 };
    std::vector<double> a(N), b(N), c(N), d(N);

    harness_start(argc, argv);
    harness_fill(a.data(), N, sizeof(double));
    harness_fill(b.data(), N, sizeof(double));
    harness_fill(c.data(), N, sizeof(double));
    harness_fill(d.data(), N, sizeof(double));
    sweeps(N, 21, a.data(), b.data());
    dump_double("a", a.data(), N);
    dump_double("b", b.data(), N);
    four(N, 23, a.data(), b.data(), c.data(), d.data());
    dump_double("a", a.data(), N);
    dump_double("b", b.data(), N);
    dump_double("c", c.data(), N);
    dump_double("d", d.data(), N);
    return 0;
}
