// Loops inside of algorithms, with function objects.
#include <algorithm>
#include <numeric>
#include <vector>
void f(std::vector<int> &a, std::vector<int> &b, std::vector<int> &c)
{
    std::fill(a.begin(), a.end(), 3);
    std::iota(b.begin(), b.end(), 0);
    std::transform(a.begin(), a.end(), b.begin(), c.begin(),
                   [](int x, int y) { return x * y; });
    std::sort(c.begin(), c.end(), std::greater<int>());
    std::for_each(c.begin(), c.end(), [&](int &x) { x += a[0]; });
    std::reverse(a.begin(), a.end());
    std::partial_sum(a.begin(), a.end(), b.begin());
    c.erase(std::remove(c.begin(), c.end(), 3), c.end());
}
long g(const std::vector<int> &a)
{
    return std::accumulate(a.begin(), a.end(), 0L) +
           std::inner_product(a.begin(), a.end(), a.begin(), 0L) +
           std::count_if(a.begin(), a.end(), [](int x) { return x > 3; });
}
