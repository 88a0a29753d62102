// Functions as values: std::function, bind, tuples.
#include <functional>
#include <tuple>
#include <utility>
void apply(float *a, int n, const std::function<float(float)> &f)
{
    for (int i = 0; i < n; i++)
        a[i] = f(a[i]);
}
template <class F> static void each(float *a, int n, F f)
{
    for (int i = 0; i < n; i++)
        a[i] = f(i, a[i]);
}
void use(float *a, int n)
{
    each(a, n, [](int i, float x) { return x + static_cast<float>(i); });
    each(a, n, [n](int, float x) { return x * static_cast<float>(n); });
    apply(a, n, std::bind(std::plus<float>(), std::placeholders::_1, 2.0f));
}
std::tuple<int, double> fold(std::pair<int, double> *p, int n)
{
    std::tuple<int, double> t{};
    for (int i = 0; i < n; i++) {
        std::get<0>(t) += p[i].first;
        std::get<1>(t) += p[i].second;
    }
    return t;
}
