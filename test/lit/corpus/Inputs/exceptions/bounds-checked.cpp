// at() throws; the loop is affine but for that.
#include <array>
#include <vector>
std::array<float, 100> x, y;
void fill(std::vector<int> &v, int n)
{
    for (int i = 0; i < n; i++)
        v.at(i) = i;
    for (unsigned i = 0; i < 100; i++)
        y.at(i) = x.at(99 - i);
}
