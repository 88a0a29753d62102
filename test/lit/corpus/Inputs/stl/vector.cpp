// std::vector: subscripts, iterators, growth, two dimensions.
#include <vector>
void scale(std::vector<float> &v, float s)
{
    for (std::size_t i = 0; i < v.size(); i++)
        v[i] *= s;
    for (float &x : v)
        x += s;
}
std::vector<int> grow(int n)
{
    std::vector<int> v;
    for (int i = 0; i < n; i++)
        v.push_back(i * i);
    return v;
}
void rows(std::vector<std::vector<double>> &m)
{
    for (std::size_t i = 0; i < m.size(); i++)
        for (std::size_t j = 0; j < m[i].size(); j++)
            m[i][j] = m[j][i];
}
void raw(std::vector<double> &a, const std::vector<double> &b)
{
    double *p = a.data();
    const double *q = b.data();
    const int n = static_cast<int>(a.size());
    for (int i = 0; i < n; i++)
        p[i] = 2 * q[i];
}
