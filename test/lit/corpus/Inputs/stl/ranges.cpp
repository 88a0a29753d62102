// Views and ranges.
#include <ranges>
#include <vector>
int f(std::vector<int> &v)
{
    int sum = 0;
    for (int x : v | std::views::filter([](int y) { return y > 0; }) |
                     std::views::transform([](int y) { return 2 * y; }))
        sum += x;
    for (int i : std::views::iota(0, 100))
        v[static_cast<std::size_t>(i)] = i;
    for (int &x : std::views::reverse(v))
        x = 1;
    return sum;
}
