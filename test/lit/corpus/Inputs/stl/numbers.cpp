// Complex numbers, random numbers, limits, bits.
#include <bit>
#include <cmath>
#include <complex>
#include <limits>
#include <random>
void f(std::complex<double> *a, const std::complex<double> *b, int n)
{
    for (int i = 0; i < n; i++)
        a[i] = a[i] * b[i] + std::conj(b[i]);
    for (int i = 0; i < n; i++)
        a[i] = std::exp(b[i]);
}
void g(double *a, unsigned *u, int n)
{
    std::mt19937 r(7);
    std::normal_distribution<double> d;
    for (int i = 0; i < n; i++)
        a[i] = d(r);
    for (int i = 0; i < n; i++)
        a[i] = std::hypot(a[i], 1.0) + std::numeric_limits<float>::epsilon();
    for (int i = 0; i < n; i++)
        u[i] = std::rotl(u[i], 3) + static_cast<unsigned>(std::popcount(u[i]));
}
