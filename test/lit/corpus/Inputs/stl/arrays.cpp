// std::array, std::span and std::valarray.
#include <array>
#include <span>
#include <valarray>
std::array<std::array<float, 32>, 32> a, b, c;
void product()
{
    for (int i = 0; i < 32; i++)
        for (int j = 0; j < 32; j++) {
            c[i][j] = 0;
            for (int k = 0; k < 32; k++)
                c[i][j] += a[i][k] * b[k][j];
        }
}
void clear(std::span<double> s, std::span<double, 64> t)
{
    for (double &x : s)
        x = 0;
    for (std::size_t i = 0; i < t.size(); i++)
        t[i] = s[i];
}
std::valarray<double> val(const std::valarray<double> &x)
{
    return x * 2.0 + std::sqrt(x);
}
