// Clocks around an affine loop, sorting by key, binary search.
#include <algorithm>
#include <chrono>
double timed(double *a, int n)
{
    auto start = std::chrono::steady_clock::now();
    for (int i = 0; i < n; i++)
        a[i] = a[i] * 1.5 + 2;
    std::chrono::duration<double> d = std::chrono::steady_clock::now() - start;
    std::stable_sort(a, a + n, [](double x, double y) { return x < y; });
    return d.count() + *std::lower_bound(a, a + n, 3.0);
}
