// FLAGS: -std=c++23 -fms-extensions
// Newer parts of C++.
#include <cstddef>
struct grid {
    double d[16][16];
    double &operator[](std::size_t i, std::size_t j) { return d[i][j]; }
};
consteval int size() { return 16; }
void fill(grid &g)
{
    for (std::size_t i = 0; i < size(); ++i)
        for (std::size_t j = 0; j < size(); ++j)
            g[i, j] = 1.5;
    auto add = [](this auto self, grid &h, int n) -> void {
        for (int i = 0; i < n; i++)
            h.d[0][i] += 1;
        if (n > 1)
            self(h, n - 1);
    };
    add(g, 16);
    [[assume(g.d[0][0] > 0)]];
    if consteval {
    } else {
        for (int i = 0; auto &row : g.d)
            row[i++] = 3;
    }
}
