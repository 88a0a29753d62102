// Conditions on data in C++: vectors, lambdas, minima and maxima by "if", and
// math calls that are made under a condition only.
//
// RUN: %gpu_cxx -mfma %s %harness -o %t.gpu
// RUN: %ref_cxx %s %harness -o %t.ref
// RUN: %run_ref %t.ref
// RUN: %run_gpu %t.gpu 2>&1 | %FileCheck %s
// RUN: cmp %t.ref.dump %t.gpu.dump
//
// CHECK-DAG: polygpu: scop {{.*}}clip{{.*}} runs=1 declined=0 failed=0
// CHECK-DAG: polygpu: kernel {{.*}}clip{{.*}} launches=1
// CHECK-DAG: polygpu: scop {{.*}}roots{{.*}} runs=1 declined=0 failed=0
// CHECK-DAG: polygpu: kernel {{.*}}roots{{.*}} launches=1
// CHECK-DAG: polygpu: scop {{.*}}count{{.*}} runs=1 declined=0 failed=0
// CHECK-DAG: polygpu: scop {{.*}}largest{{.*}} runs=1 declined=0 failed=0
#include "exec.h"

#include <cmath>
#include <vector>

NOINLINE static void clip(std::vector<double> &v, double low, double high)
{
    double *p = v.data();
    long n = (long)v.size();
    auto store = [&](long i, double x) { p[i] = x; };

    for (long i = 0; i < n; i++) {
        if (p[i] < low)
            store(i, low);
        else if (p[i] > high)
            store(i, high);
    }
}

NOINLINE static void roots(const double *__restrict x, double *__restrict y,
                           int n)
{
    for (int i = 0; i < n; i++)
        if (x[i] >= 0)
            y[i] = std::sqrt(x[i]);
}

NOINLINE static long count(const std::vector<int> &v, int limit)
{
    const int *p = v.data();
    long n = (long)v.size(), found = 0;

    for (long i = 0; i < n; i++)
        if (p[i] > limit)
            found++;
    return found;
}

NOINLINE static int largest(const std::vector<int> &v)
{
    const int *p = v.data();
    long n = (long)v.size();
    int m = p[0];

    for (long i = 0; i < n; i++)
        if (p[i] > m)
            m = p[i];
    return m;
}

int main(int argc, char **argv)
{
    std::vector<double> v(700), y(700);
    std::vector<int> k(700);

    harness_start(argc, argv);
    harness_fill(v.data(), v.size(), sizeof v[0]);
    for (auto &x : v)
        x -= 0.5;
    random_bits(k.data(), k.size() * sizeof k[0]);
    poison(y.data(), y.size() * sizeof y[0]);
    roots(v.data(), y.data(), (int)v.size());
    dump("y", y.data(), y.size() * sizeof y[0]);
    clip(v, -0.25, 0.125);
    dump("v", v.data(), v.size() * sizeof v[0]);
    long found = count(k, 1000);
    dump("found", &found, sizeof found);
    int m = largest(k);
    dump("m", &m, sizeof m);
    return harness_end();
}
