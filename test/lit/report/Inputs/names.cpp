// names.cpp - functions whose names are long.
//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cstdio>
#include <vector>

namespace plate {
__attribute__((noinline)) void heat(double *to, const double *from, int n)
{
    for (int i = 0; i < n; i++)
        to[i] = from[i] + 1;
}
} // namespace plate

namespace {
template <typename T> __attribute__((noinline)) void set(T &values, int n)
{
    auto *data = values.data();
    for (int i = 0; i < n; i++)
        data[i] = 3;
}
} // namespace

int main()
{
    std::vector<float> v(1000);
    static double a[1000], b[1000];
    set(v, 1000);
    plate::heat(a, b, 1000);
    auto again = [](double *x) __attribute__((noinline)) {
        for (int i = 0; i < 1000; i++)
            x[i] += 2;
    };
    again(a);
    std::printf("%g %g\n", a[5], v[7]);
}
